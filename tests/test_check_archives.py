"""Source archives as arXiv hands them out, and hostile ones."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest
from referee_here import in_this_process
from typer.testing import CliRunner

from grpo_symbolic.cli import app
from grpo_symbolic.referee import archives
from grpo_symbolic.referee.archives import ArchiveRefused, is_archive, stem_of, unpacked

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

MAIN = "\\documentclass{article}\n\\begin{document}\n\\[ x + x = 2x \\]\n\\input{parts/a}\n\\end{document}\n"
PART = "\\[ x x = x^3 \\]\n"
MAP = '[symbols]\nx = "(0, 1)"\n[[claim]]\nquote = "="\nkind = "identity"\n'
FILES = {"main.tex": MAIN, "parts/a.tex": PART, "fig/a.png": "not a figure", "style.sty": "\\documentclass"}


def tarred(path: Path, files: dict[str, str], mode: str = "w:gz", *members: tarfile.TarInfo) -> Path:
    with tarfile.open(path, mode) as archive:
        for member in members:
            archive.addfile(member, io.BytesIO(b"x" * member.size))
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return path


def zipped(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def made(folder: Path, ending: str, files: dict[str, str]) -> Path:
    path = folder / f"2401.00001v2{ending}"
    if ending == ".zip":
        return zipped(path, files)
    return tarred(path, files, "w" if ending == ".tar" else "w:gz")


def run(*arguments: object):
    return CliRunner().invoke(app, ["check", *map(str, arguments), "--jobs", "1"])


@pytest.mark.parametrize("ending", [".tar.gz", ".tgz", ".tar", ".gz", ".zip"])
def test_an_archive_is_checked_like_its_folder(tmp_path, ending):
    path = made(tmp_path, ending, FILES)
    (tmp_path / "2401.00001v2.notation.toml").write_text(MAP)
    found = run(path, "--format", "json")
    data = json.loads(found.stdout)
    assert found.exit_code == 1
    assert data["file"] == f"{path}/main.tex"
    assert [(one["file"], one["line"], one["verdict"]) for one in data["steps"]] == [
        (f"{path}/main.tex", 3, "DECIDED"),
        (f"{path}/parts/a.tex", 1, "REFUTED"),
    ]
    assert data["problems"] == []
    assert all("/main.tex" in one["file"] or "parts" in one["file"] or "toml" in one["file"]
               for step in data["steps"] for one in step["related"])  # fmt: skip
    assert "grpo-symbolic-" not in found.stdout


def test_one_file_in_gzip_is_a_paper(tmp_path):
    path = tmp_path / "2401.00001.gz"
    path.write_bytes(gzip.compress(MAIN.replace("\\input{parts/a}\n", "").encode()))
    (tmp_path / "m.toml").write_text(MAP)
    found = run(path, "--notation", tmp_path / "m.toml")
    assert found.exit_code == 0
    assert "1 step holds" in found.output


def test_a_map_in_the_archive_is_used_and_nothing_is_left_behind(tmp_path, monkeypatch):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    found = run(made(tmp_path, ".tar.gz", {**FILES, "main.notation.toml": MAP}))
    assert found.exit_code == 1
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.parametrize(
    ("files", "arguments", "message"),
    [
        ({"a.tex": MAIN, "b/c.tex": MAIN}, [], "has several papers: a.tex, b/c.tex; name one: --main a.tex"),
        (
            {"a.tex": "%" + MAIN, "b.tex": PART},
            [],
            "no file with \\documentclass and \\begin{document}; it has a.tex",
        ),
        ({"a.png": "x"}, [], "it has no LaTeX"),
        ({"a.tex": MAIN}, ["--main", "b.tex"], "has no text 'b.tex'; it has a.tex"),
        ({"a.tex": MAIN}, ["--fix"], "is an archive: unpack it"),
    ],
)
def test_what_the_paper_is_has_to_be_clear(tmp_path, files, arguments, message):
    found = run(made(tmp_path, ".tar.gz", files), *arguments)
    assert found.exit_code == 2
    assert message in found.output


def test_main_names_the_paper(tmp_path):
    path = made(tmp_path, ".tar.gz", {"a.tex": MAIN, "b/c.tex": MAIN, "m.toml": MAP})
    data = json.loads(run(path, "--main", "b/c.tex", "--format", "json").stdout)
    assert data["file"].endswith("/b/c.tex")
    (tmp_path / "p.tex").write_text(MAIN)
    assert "--main names a file of an archive" in run(tmp_path / "p.tex", "--main", "a").output


def test_names_of_archives():
    assert [is_archive(Path(name)) for name in ("a.tar.gz", "A.TGZ", "a.zip", "a.gz", "a.tex", "a.tex.bak")] == [
        True, True, True, True, False, False,
    ]  # fmt: skip
    assert stem_of(Path("x/2401.00001v2.tar.gz")) == "2401.00001v2"


# Hostile archives: each is refused with one message, and nothing is written beside the folder.


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.size = kind, link, size
    return made


HOSTILE = {
    "absolute": member("/evil.tex", size=3),
    "above": member("../evil.tex", size=3),
    "above inside": member("a/../../evil.tex", size=3),
    "above with backslashes": member("a\\..\\..\\evil.tex", size=3),
    "drive": member("C:/evil.tex", size=3),
    "link out": member("a.tex", tarfile.SYMTYPE, "../../../etc/passwd"),
    "absolute link": member("a.tex", tarfile.SYMTYPE, "/etc/passwd"),
    "hard link out": member("a.tex", tarfile.LNKTYPE, "../../etc/passwd"),
    "character device": member("a.tex", tarfile.CHRTYPE),
    "block device": member("a.tex", tarfile.BLKTYPE),
    "pipe": member("a.tex", tarfile.FIFOTYPE),
}


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_what_leaves_the_folder_refuses_the_archive(tmp_path, hostile):
    inner = tmp_path / "inner"
    inner.mkdir()
    path = tarred(inner / "a.tar.gz", {"main.tex": MAIN}, "w:gz", hostile)
    found = run(path)
    assert found.exit_code == 2
    assert f"{path}" in found.output
    assert "Traceback" not in found.output
    assert [one.name for one in tmp_path.rglob("*")] == ["inner", "a.tar.gz"]
    assert not Path("/evil.tex").exists()


def test_a_link_that_stays_inside_is_left_out(tmp_path):
    link = member("b.tex", tarfile.SYMTYPE, "main.tex")
    path = tarred(tmp_path / "a.tar.gz", {"main.tex": MAIN}, "w:gz", link)
    with unpacked(path) as (_, paper):
        assert paper.name == "main.tex"
        assert [one.name for one in paper.parent.iterdir()] == ["main.tex"]


@pytest.mark.parametrize("name", ["/evil.tex", "../evil.tex", "a/../../evil.tex", "..\\evil.tex", "C:\\evil.tex"])
def test_names_in_zip_that_leave_the_folder(tmp_path, name):
    path = zipped(tmp_path / "a.zip", {"main.tex": MAIN, name: "x"})
    with pytest.raises(ArchiveRefused, match="outside of the archive's folder"), unpacked(path):
        pass


def test_a_link_in_zip(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("main.tex", MAIN)
        link = zipfile.ZipInfo("b.tex")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(ArchiveRefused, match=r"'b\.tex' is no file but a link or a device"), unpacked(path):
        pass


@pytest.mark.parametrize("ending", [".tar.gz", ".zip"])
def test_text_that_unpacks_to_too_much(tmp_path, monkeypatch, ending):
    monkeypatch.setattr(archives, "MAX_KEPT", 1_000_000)
    path = made(tmp_path, ending, {"main.tex": MAIN + " " * 2_000_000})
    assert path.stat().st_size < 10_000
    with pytest.raises(ArchiveRefused, match="has more than 1000000 bytes of text"), unpacked(path):
        pass


@pytest.mark.parametrize("size", [3_000_000, 2_000_000_000])
def test_what_is_not_kept_is_counted_too(tmp_path, monkeypatch, size):
    """The second archive says that a figure is larger than it is, and is cut off."""
    monkeypatch.setattr(archives, "MAX_UNPACKED", 1_000_000)
    path = tmp_path / "a.tar.gz"
    with gzip.open(path, "wb") as file:
        file.write(member("figure.png", size=size).tobuf() + b"\0" * 3_000_000)
    with pytest.raises(ArchiveRefused, match="unpacks to more than 1000000 bytes"), unpacked(path):
        pass


@pytest.mark.parametrize("ending", [".tar.gz", ".zip"])
def test_too_many_members(tmp_path, monkeypatch, ending):
    monkeypatch.setattr(archives, "MAX_MEMBERS", 10)
    path = made(tmp_path, ending, {f"{number}.png": "" for number in range(11)})
    with pytest.raises(ArchiveRefused, match="has more than 10 members"), unpacked(path):
        pass


def test_too_long_a_table_of_contents(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_CONTENTS", 100)
    path = zipped(tmp_path / "a.zip", {f"{number}.png": "" for number in range(11)})
    with pytest.raises(ArchiveRefused, match="one of too many members"), unpacked(path):
        pass


def test_too_large_an_archive(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_ARCHIVE", 10)
    with pytest.raises(ArchiveRefused, match="is larger than 10 bytes"), unpacked(made(tmp_path, ".zip", FILES)):
        pass


@pytest.mark.parametrize("ending", [".tar.gz", ".tar", ".gz", ".zip"])
@pytest.mark.parametrize("content", [b"", b"no archive", b"\x1f\x8b\x08", b"PK\x05\x06", b"%PDF-1.5 \x00\x01\x02"])
def test_what_is_no_archive(tmp_path, ending, content):
    path = tmp_path / f"a{ending}"
    path.write_bytes(content)
    found = run(path)
    assert found.exit_code in (2, 3)
    assert "Traceback" not in found.output


def test_an_archive_that_is_cut_off(tmp_path):
    whole = made(tmp_path, ".tar.gz", FILES).read_bytes()
    for cut in range(1, len(whole) - 8, 40):
        path = tmp_path / "cut.tar.gz"
        path.write_bytes(whole[:cut])
        with pytest.raises(ArchiveRefused, match=r"cannot be unpacked|no file with"), unpacked(path):
            pass
