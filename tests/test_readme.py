"""The README's example is the file it claims to be, and stays about 40 lines long."""

from __future__ import annotations

import re

from conftest import FOLDER

README = (FOLDER.parent / "README.md").read_text()


def test_the_example_is_a_real_derivation():
    example = re.search(r"```python\n(.*?)```", README, re.DOTALL).group(1)
    assert example == (FOLDER / "vojnovic_yun_2025" / "bounds_compared.py").read_text()
    assert len(example.splitlines()) < 50


def test_the_two_commands_are_there():
    commands = re.findall(r"```sh\n(python3 -m venv .*?)\n```", README)
    assert len(commands) == 2
    assert "build_report.py" in commands[0]
    assert commands[1].endswith("pytest")
