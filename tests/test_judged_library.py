"""The library that is judged beside the tests: what goes wrong is told, and no process is left behind."""

from __future__ import annotations

import judged_library
import pytest
from judged_library import JudgedLibrary, judged_in


def test_judging_ends_when_the_run_does(tmp_path):
    judged = JudgedLibrary(tmp_path)
    judged.close()
    assert judged._process.returncode != 0


def test_what_goes_wrong_is_told(library, monkeypatch, tmp_path):
    (tmp_path / "broken.py").write_text("raise SystemExit('no derivations here')")
    monkeypatch.setattr(judged_library, "__file__", str(tmp_path / "broken.py"))
    judged = JudgedLibrary(tmp_path)
    with pytest.raises(RuntimeError, match="judging the derivations failed:\nno derivations here"):
        judged_in(tmp_path, library)
    judged.close()


def test_judging_that_is_killed_is_waited_for_no_longer(library, tmp_path):
    judged = JudgedLibrary(tmp_path)
    judged.close()
    with pytest.raises(RuntimeError, match="judging the derivations failed"):
        judged_in(tmp_path, library)
