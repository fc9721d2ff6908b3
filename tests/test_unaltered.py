"""Files that are linked to what they were: the content is what was asked for, whatever was there before."""

from __future__ import annotations

import os

import pytest

from grpo_symbolic.report import unaltered


@pytest.mark.parametrize(("old", "is_same"), [("text", True), ("other", False), ("", False), (None, False)])
def test_the_content_is_what_is_asked_for(tmp_path, old, is_same):
    before, path = tmp_path / "before", tmp_path / "path"
    if old is not None:
        before.write_text(old, encoding="utf-8")
    unaltered.write(path, "text", before)
    assert path.read_text(encoding="utf-8") == "text"
    assert (before.exists() and path.samefile(before)) is is_same
    if old is not None:
        assert before.read_text(encoding="utf-8") == old


def test_where_files_have_one_name_only_they_are_written(tmp_path, monkeypatch):
    def refuse(*_: object) -> None:
        raise OSError("not supported")

    monkeypatch.setattr(os, "link", refuse)
    (tmp_path / "before").write_text("text", encoding="utf-8")
    unaltered.write(tmp_path / "path", "text", tmp_path / "before")
    assert (tmp_path / "path").read_text(encoding="utf-8") == "text"
    assert not (tmp_path / "path").samefile(tmp_path / "before")
