"""Judgements that are kept: under a key of which every part matters, restored exactly, and never believed for long."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

import grpo_symbolic
from grpo_symbolic import Paper, claim, cosh, derive, eq, exp, ge, gt, iff, le, lt, rational, real
from grpo_symbolic.cache.store import Store
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.derivation.chain import Claim, Derivation, Lemma, Step
from grpo_symbolic.derivation.library import load
from grpo_symbolic.derivation.oracle import Oracle
from grpo_symbolic.derivation.source import Gap, Quote
from grpo_symbolic.errors import CheckError
from grpo_symbolic.evidence import Verdict
from grpo_symbolic.judging import content, kept
from grpo_symbolic.judging import judges as assessing
from grpo_symbolic.judging.assess import assess
from grpo_symbolic.judging.bare import bare
from grpo_symbolic.judging.content import Contents, OpaqueError, sources
from grpo_symbolic.judging.judge import judge_claim
from grpo_symbolic.judging.kept import Kept, differ, restored, written
from grpo_symbolic.judging.trusted_base import trusted_base
from grpo_symbolic.language.expression import Total
from grpo_symbolic.language.index_set import IndexSet

QUICK = Settings(digits=30, points=24)
PACKAGE = Path(grpo_symbolic.__file__).parent
x = real("x", "(-2, 2)", "a number")
y = real("y", "(0, oo)", "a positive number")
PAPER = Paper("p", "Somebody", "Something", "of 2025")


def equal_sides(values, context):
    return values["x"], values["x"]


def other_sides(values, context):
    return values["x"], values["x"] + 0


TANGENT = claim("p.tangent", "above the tangent", ge(exp(x), 1 + x))
SQUARE = claim("p.square", "no square is negative", ge(x**2, 0))
STEPS = derive(eq(x, 1), "a definition", given=[gt(x, 0)]).iff(eq(2 * x, 2), "doubled").iff(eq(x + 1, 2), "shifted")
QUOTE = PAPER.quote("Eq. (1)", "x^2 > 0", gt(x**2, 0), instead="not at 0", fails_at={x: 0})
ORACLE = Oracle("by itself", equal_sides)
MADE = Claim(
    "p.made", "a title", ge(exp(x), x), (gt(x, -1),), (TANGENT.at({x: x}),), STEPS, QUOTE, "(1)", False, ORACLE
)

#: For each field another value, and whether judging can depend on it.
CLAIM = {
    "id": ("p.other", False),
    "title": ("another title", False),
    "statement": (ge(exp(x), x - 1), True),
    "given": ((gt(x, 0),), True),
    "using": ((), True),
    "derivation": (None, True),
    "printed": (None, True),
    "equation": ("(2)", False),
    "assumed": (True, True),
    "oracle": (None, True),
    "beyond": ("sharper", False),
    "paper_uses": (("p.x",), False),
    "key": (True, False),
    "refuted": ("an example", False),
    "cites": (("a theorem",), False),
    "fills": ((Gap("page 3", "a case"),), False),
    "declared_at": ("elsewhere.py:1", False),
}
QUOTED = {
    "where": ("Eq. (2)", False),
    "latex": ("x", False),
    "statement": (gt(x**2, 1), True),
    "hypotheses": ((gt(x, -1),), True),
    "instead": ("something else", False),
    "another_reading": (True, False),
    "missing": ((gt(x, 0),), False),
    "notation": ("means nothing", False),
    "compare_with_pdf": (True, False),
    "isolated": (True, False),
    "setting": ((lt(x, 1),), True),
    "fails_at": ((("x", "1/2"),), True),
}
STEP = {
    "relation": ("implies", True),
    "to": (eq(3 * x, 3), True),
    "reason": ("because", False),
    "using": ((SQUARE.at({x: x}),), True),
}
CHAIN = {
    "start": (eq(x, 2), True),
    "because": ("another citation", False),
    "given": ((), True),
    "steps": (STEPS.steps[:1], True),
}
LEMMA = {
    "claim": (SQUARE, True),
    "values": (((x, y + 0),), True),
    "ends": ((x, x + 1), True),
}
ORACLES = {
    "description": ("by something else", True),
    "compare": (other_sides, True),
    "relation": ("<=", True),
    "digits": (16, True),
    "points": (13, True),
}
SYMBOL = {
    "name": ("z", True),
    "domain": (y.domain, True),
    "meaning": ("another number", True),
    "latex": ("\\xi", True),
    "indexed": (IndexSet("thing", "things", "k"), True),
    "second": (IndexSet("place", "places", "q"), True),
    "of": (y, True),
}
SETTINGS = {
    "digits": (31, True),
    "points": (25, True),
    "seed": (1, True),
    "effort": (1, True),
    "boxes": (1, True),
    "hunt": (False, True),
    "first_points": (3, True),
    "search": (True, True),
    "forgiving": (True, True),
}
INDEXED = real("t", "(0, 1)", "a share", indexed=True)


def unchecked(value: object, field: str, other: object) -> object:
    """A copy with another value of a field, of which nobody asks whether it makes sense."""
    made = object.__new__(type(value))
    vars(made).update({item.name: getattr(value, item.name) for item in fields(value)} | {field: other})
    return made


SAMPLES = [
    (MADE, CLAIM),
    (QUOTE, QUOTED),
    (STEPS.steps[0], STEP),
    (Derivation(STEPS.start, STEPS.because, STEPS.given, STEPS.steps), CHAIN),
    (TANGENT.at({x: x}), LEMMA),
    (ORACLE, ORACLES),
    (x, SYMBOL),
    (QUICK, SETTINGS),
]
CHANGES = [
    pytest.param(value, name, other, matters, id=f"{type(value).__name__}.{name}")
    for value, table in SAMPLES
    for name, (other, matters) in table.items()
]


@pytest.mark.parametrize(("value", "table"), SAMPLES, ids=lambda item: type(item).__name__)
def test_every_field_is_accounted_for(value, table):
    assert set(table) == {item.name for item in fields(value)}


@pytest.mark.parametrize(("value", "name", "other", "matters"), CHANGES)
def test_every_ingredient_of_the_key_matters(value, name, other, matters):
    contents = Contents(QUICK)
    changed = unchecked(value, name, other)
    assert getattr(changed, name) != getattr(value, name)
    assert (contents.of(value) != contents.of(changed)) is matters


@pytest.mark.parametrize("name", [name for name, (_, matters) in CLAIM.items() if not matters])
def test_prose_changes_no_judgement(name):
    """What is left out of the key may be left out: the judgement is the same."""
    plain = claim("p.made", "a title", ge(exp(x), 1 + x), given=[gt(x, -1)])
    changed = bare(unchecked(plain, name, CLAIM[name][0]))
    assert Contents(QUICK).key(changed) == Contents(QUICK).key(bare(plain))
    assert not differ(judge_claim(changed, QUICK), judge_claim(bare(plain), QUICK))


@pytest.mark.parametrize("field", ["oracle", "derivation", "printed"])
def test_what_stands_behind_a_lemma_is_no_part_of_what_rests_on_it(field):
    whole = claim("p.lemma", "above the tangent", ge(exp(x), 1 + x), oracle=ORACLE)
    whole = replace(whole, printed=QUOTE, derivation=STEPS)
    keys = {
        Contents(QUICK).key(bare(claim("p.made", "a title", ge(exp(x), x), using=[lemma])))
        for lemma in (whole, replace(whole, **{field: None}))
    }
    assert len(keys) == 1
    assert Contents(QUICK).key(bare(whole)) != Contents(QUICK).key(bare(replace(whole, **{field: None})))


@pytest.mark.parametrize("name", [name for name, (_, matters) in QUOTED.items() if not matters])
def test_prose_of_a_quote_changes_no_judgement(name):
    quoted = Claim("p.made", "a title", ge(x**2, 0), printed=QUOTE)
    changed = replace(quoted, printed=unchecked(QUOTE, name, QUOTED[name][0]))
    assert not differ(judge_claim(changed, QUICK), judge_claim(quoted, QUICK))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (le(x, y), le(y, x)),
        (eq(x, 1), eq(x, rational(1, 2))),
        (iff(gt(x, 0), gt(y, 0)), iff(gt(y, 0), gt(x, 0))),
        (gt(x + y, 0), gt(x - y, 0)),
        (gt((x + y) + 1, 0), gt(x + (y + 1), 0)),
        (eq(Total(INDEXED), 1), eq(Total(INDEXED, IndexSet("thing", "things", "k")), 1)),
        (1, True),
        (1, "1"),
        (1, Fraction(1)),
        ((1, (2,)), ((1, 2),)),
        (("ab", "c"), ("a", "bc")),
        (None, "None"),
    ],
    ids=str,
)
def test_what_differs_has_another_digest(one, other):
    contents = Contents(QUICK)
    assert contents.of(one) != contents.of(other)


def test_every_version_and_every_source_matters(monkeypatch, tmp_path):
    found = {Contents(QUICK).key(MADE)}
    now = content.versions()
    for name in now:
        with monkeypatch.context() as patch:
            patch.setattr(content, "versions", lambda name=name: now | {name: "0.0"})
            found.add(Contents(QUICK).key(MADE))
    assert len(found) == len(content.versions()) + 1
    source = tmp_path / "source.py"
    for text in ("a = 1", "a = 2", "a = 1  # said"):
        source.write_text(text)
        with monkeypatch.context() as patch:
            patch.setattr(content, "sources", lambda: [*sources(), source])
            found.add(Contents(QUICK).key(MADE))
    assert len(found) == len(content.versions()) + 4


@pytest.mark.slow
def test_all_that_judges_is_among_the_sources():
    """Whatever judging imports, and the package's own vocabulary, by which claims are made."""
    judging = {PACKAGE.parent / file.path for file in trusted_base("grpo_symbolic.judging.judge").files}
    assert judging | {PACKAGE / "__init__.py", Path(kept.__file__)} <= set(sources())
    assert trusted_base("grpo_symbolic.judging.judge").modules == ("cvc5", "flint", "mpmath", "numpy", "z3")
    assert set(content.DISTRIBUTIONS) >= {"cvc5", "python-flint", "mpmath", "z3-solver", "sympy"}


def test_the_source_of_an_oracle_matters(monkeypatch, tmp_path):
    folder = tmp_path / "some_derivations"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "helper.py").write_text("def twice(x): return 2 * x")
    (folder / "unrelated.py").write_text("a = 1")
    (folder / "program.py").write_text("from some_derivations.helper import twice\ndef sides(v, c): return twice(1), 2")
    monkeypatch.syspath_prepend(str(tmp_path))
    sides = importlib.import_module("some_derivations.program").sides
    made = replace(MADE, oracle=Oracle("a program", sides))
    keys = [Contents(QUICK).key(made)]
    for name, text in (
        ("program.py", "def sides(v, c): return 2, 2"),
        ("program.py", "from some_derivations.helper import twice\ndef sides(v, c): return twice(1), 2"),
        ("helper.py", "def twice(x): return x + x"),
        ("unrelated.py", "a = 2"),
        ("__init__.py", "a = 3"),
    ):
        (folder / name).write_text(text)
        trusted_base.cache_clear()
        keys.append(Contents(QUICK).key(made))
    assert keys[0] == keys[2]
    assert keys[3] == keys[4]
    assert len(set(keys)) == 4


def test_what_nobody_can_compare_has_no_key():
    contents = Contents(QUICK)
    for compare in (lambda values, context: (1, 1), partial(equal_sides, context=object())):
        assert contents.key(replace(MADE, oracle=Oracle("a program", compare))) is None
    assert contents.key(replace(MADE, oracle=Oracle("a program", partial(equal_sides, context=1)))) is not None
    with pytest.raises(OpaqueError, match="list"):
        contents.of([1])


@pytest.mark.slow
def test_equal_claims_have_equal_keys_in_other_processes():
    code = (
        "from grpo_symbolic import claim, exp, ge, gt, real\n"
        "from grpo_symbolic.checks.settings import Settings\n"
        "from grpo_symbolic.judging.content import Contents\n"
        "x = real('x', '(-2, 2)', 'a number')\n"
        "print(Contents(Settings(digits=30, points=24)).key(claim('a.b', 'c', ge(exp(x), 1 + x), given=[gt(x, 0)])))"
    )
    own = Contents(QUICK).key(claim("p.q", "r", ge(exp(x), 1 + x), given=[gt(x, 0)]))
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=PACKAGE.parent,
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == own


JUDGED = [
    claim("p.decided", "decided", ge(exp(x), 1 + x), oracle=ORACLE),
    claim("p.given", "under a hypothesis", gt(x**3, 1), given=[eq(x**2, 3), gt(x, 0)]),
    claim("p.refuted", "refuted", gt(cosh(x), 1)),
    claim("p.quoted", "quoted", ge(x**2, 0), printed=QUOTE),
    claim("p.assumed", "assumed", eq(x, y), assumed=True),
    claim("p.open", "with nothing to rest on", gt(y, 5), given=[lt(exp(y), 1 + y)]),
]


@pytest.mark.parametrize("made", JUDGED, ids=lambda made: made.id)
def test_a_judgement_comes_back_exactly(made):
    pair = judge_claim(bare(made), QUICK)
    found = restored(json.loads(json.dumps(written(pair))))
    assert found == pair
    for one, other in zip(found, pair, strict=True):
        if one is not None:
            assert [item.seal for item in one.evidence] == [item.seal for item in other.evidence]
            assert one.verdict is other.verdict


@pytest.mark.parametrize("value", [None, [], [None, None], {"made": "Claim", "of": {}}, [1, 2], "x"], ids=str)
def test_what_is_no_judgement_is_not_restored(value):
    assert restored(value) is None


@pytest.mark.slow
def test_judgements_of_the_library_come_back_exactly(assessment, library):
    for judged in assessment.judged.values():
        pair = judged.alone, judged.printed
        assert restored(json.loads(json.dumps(written(pair)))) == pair


MODULE = '''
"""Some results."""
from grpo_symbolic import Paper, Result, claim, exp, ge, gt, real
paper = Paper("p", "Somebody", "Something", "of 2025")
x = real("x", "(-2, 2)", "a number")
def build():
    yield claim("p.tangent", "{title}", ge(exp(x), {tangent} + x))
    yield claim("p.square", "no square is negative", ge(x**2, 0))
    yield claim("p.false", "some square is 0", gt(x**2, 0), refuted="an example")
result = Result("Some", paper, build)
'''


@dataclass
class Folder:
    """A folder of derivations that can be written anew."""

    path: Path
    name: str

    def write(self, tangent: int = 1, title: str = "above the tangent"):
        self.path.mkdir(exist_ok=True)
        (self.path / "__init__.py").write_text("")
        (self.path / "some.py").write_text(MODULE.format(tangent=tangent, title=title))
        for name in [name for name in sys.modules if name.split(".")[0] == self.name]:
            del sys.modules[name]
        importlib.invalidate_caches()
        return load(self.path)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return Folder(tmp_path / f"kept_{tmp_path.name}", f"kept_{tmp_path.name}")


def judged_with(place: Path, library, **how):
    with Store(place) as store:
        return assess(library, QUICK, jobs=1, cache=store, **how)


def verdicts(found):
    return {id: judged.verdict for id, judged in found.judged.items()}


def test_a_cache_changes_no_verdict(folder, tmp_path):
    library = folder.write()
    without = assess(library, QUICK, jobs=1)
    first, second = (judged_with(tmp_path / "cache", library) for _ in range(2))
    assert first.kept == frozenset()
    assert second.kept == set(second.judged)
    for found in (first, second):
        assert verdicts(found) == verdicts(without)
        for id, judged in found.judged.items():
            other = without.judged[id]
            assert not differ((judged.alone, judged.printed), (other.alone, other.printed))


def test_only_what_changed_is_judged(folder, tmp_path, monkeypatch):
    judged_with(tmp_path / "cache", folder.write())
    asked = []
    judge = assessing.judge_claim
    monkeypatch.setattr(assessing, "judge_claim", lambda made, *rest: asked.append(made.id) or judge(made, *rest))
    judged_with(tmp_path / "cache", folder.write(title="another title"))
    assert asked == []
    found = judged_with(tmp_path / "cache", folder.write(tangent=2))
    assert asked == ["p.tangent"]
    assert found.judged["p.tangent"].verdict is Verdict.REFUTED
    assert found.kept == {"p.square", "p.false"}
    assert judged_with(tmp_path / "cache", folder.write()).judged["p.tangent"].verdict is Verdict.PROVED
    assert asked == ["p.tangent"]


def test_of_two_claims_that_say_the_same_there_is_one_judgement(tmp_path):
    claims = [bare(claim(f"p.{name}", f"title {name}", ge(x**2, 0))) for name in ("one", "two")]
    with Store(tmp_path) as store:
        first = Kept(store, QUICK, claims)
        given = {made.id: first.keep(made.id, judge_claim(made, QUICK)) for made in claims}
        first.write()
        contents = dict(first.contents)
    assert given["p.one"] == given["p.two"]
    with Store(tmp_path) as store:
        second = Kept(store, QUICK, claims)
        assert second.found == given
    assert second.contents == contents


def test_what_was_left_open_is_not_kept(tmp_path):
    with Store(tmp_path) as store:
        claims = [bare(made) for made in JUDGED]
        first = Kept(store, QUICK, claims)
        for made in claims:
            first.keep(made.id, judge_claim(made, QUICK))
        first.write()
        again = Kept(store, QUICK, claims).found
    assert set(again) == {made.id for made in JUDGED} - {"p.open", "p.assumed"}


def test_what_was_judged_by_files_that_changed_is_not_kept(tmp_path, monkeypatch):
    source = tmp_path / "source.py"
    source.write_text("a = 1")
    monkeypatch.setattr(content, "sources", lambda: [*sources(), source])
    made = bare(SQUARE)
    with Store(tmp_path) as store:
        one = Kept(store, QUICK, [made])
        one.keep(made.id, judge_claim(made, QUICK))
        source.write_text("a = 2")
        one.write()
        source.write_text("a = 1")
        assert Kept(store, QUICK, [made]).found == {}


def test_a_check_that_breaks_keeps_what_was_found_before(folder, tmp_path, monkeypatch):
    judge = assessing.judge_claim

    def breaking(made, *rest):
        if made.id == "p.false":
            raise ValueError("broken")
        return judge(made, *rest)

    monkeypatch.setattr(assessing, "judge_claim", breaking)
    library = folder.write()
    with pytest.raises(CheckError, match=r"p\.false: ValueError: broken"):
        judged_with(tmp_path / "cache", library)
    monkeypatch.undo()
    assert judged_with(tmp_path / "cache", library).kept <= {"p.tangent", "p.square"}


def test_steps_and_lemmas_are_made_of_what_the_key_holds():
    """A judgement of a step or of a claim with lemmas uses nothing of these but what is in the key."""
    assert {item.name for item in fields(Lemma)} == set(LEMMA)
    assert {item.name for item in fields(Step)} == set(STEP)
    assert {item.name for item in fields(Quote)} == set(QUOTED)
