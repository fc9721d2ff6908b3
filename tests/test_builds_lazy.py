"""Reports after a change to some results: they are what a build from nothing makes of the same sources."""

from __future__ import annotations

import re

import pytest
from test_builds_agree import without_times
from test_builds_kept import Place
from test_unbuilt import MODULES

#: What a report tells of the judgements that are kept, and of the time that all took.
KEPT = re.compile(r" The judgements on \d+ of \d+ are kept from an earlier run\.")
TIME = re.compile(r"(, )[\d.]+( s<)|(took )\d+( s)")
NEW = '    yield claim("p.new", "A fourth power is not negative", ge(x**4, 0), using=[base.claim("base")])\nabove = '

CHANGES = {
    "title": ("apart", "Above the tangent", "It lies above the tangent"),
    "introduction": ("apart", "A tangent.", "A tangent, and `above` besides."),
    "statement": ("above", "x**2 + 1, 1)", "x**2 + 2, 1)"),
    "new claim": ("above", "above = ", NEW),
    "id": ("above", "p.above", "p.beyond"),
    "lemma": ("base", "A square is not negative", "No square is negative"),
    "step": ("base", "multiply", "expand"),
    "quote": ("base", "(x+y)x = x^2", "(x+y) x = x^2"),
    "symbol": ("base", "another number", "a number that is 0"),
    "shorthand": ("base", 'define("s"', 'define("t"'),
    "paper": ("__init__", "of 2025", "of 2026"),
    "order": ("__init__", '"base", "above", "apart"', '"apart", "base", "above"'),
    "line": ("above", "def build", "\n\ndef build"),
}
FILES = {
    "hypotheses": ("hypotheses.toml", "[shown]\n'y = 0' = ['base']\n"),
    "supposed": ("hypotheses.toml", "[supposed]\n'it is nothing' = ['y = 0']\n"),
    "notation": ("notation.toml", ""),
    "renamed": ("renamed.toml", "[renamed]\n'p.former' = 'p.base'\n"),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Derivations with their report and what is kept, of which every test takes a copy."""
    place = tmp_path_factory.mktemp("lazy")
    made = Place(place / "derivations_lazy", place / "out", place / "cache")
    made.folder.mkdir()
    for name, text in MODULES.items():
        (made.folder / f"{name}.py").write_text(text.replace("NAME", made.folder.name))
    code, said = made.build()
    assert code == 0, said
    return made


def told(place):
    """The files of a report without times, and without what it says of judgements that are kept."""
    return {name: _plain(name, without_times(name, content)) for name, content in place.files().items()}


def _plain(name, content):
    if not name.endswith((".tex", ".html")):
        return content
    return KEPT.sub("", TIME.sub(r"\1\3time\2\4", content if isinstance(content, str) else content.decode()))


def agree(place, tmp_path):
    code, said = place.build()
    assert code in (0, 1), said
    fresh = Place(place.folder, tmp_path / "fresh", tmp_path / "no cache")
    assert fresh.build("--no-cache")[0] == code
    one, other = told(place), told(fresh)
    assert sorted(one) == sorted(other)
    for name in one:
        assert one[name] == other[name], name


@pytest.mark.slow
@pytest.mark.parametrize("change", [*CHANGES, *FILES])
def test_a_report_is_what_a_build_from_nothing_makes(built, change, tmp_path):
    if change in CHANGES:
        name, old, new = CHANGES[change]
        path = built.folder / f"{name}.py"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new.replace("NAME", built.folder.name)))
    else:
        name, text = FILES[change]
        path = built.folder / name
        path.write_text(text)
    try:
        agree(built, tmp_path)
    finally:
        if change in CHANGES:
            path.write_text(text)
        else:
            path.unlink()
