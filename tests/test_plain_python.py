"""Counterexamples as plain Python: the programs run without this package, and end with an error on what holds."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import pytest
from judging_here import found, judged_by, judgement
from test_refutation import FALSE

from grpo_symbolic.checks.counterexamples.search import counterexample
from grpo_symbolic.checks.intervals import Evaluation, Jet
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import UnsupportedError
from grpo_symbolic.evidence import Verdict, Witness
from grpo_symbolic.judging.counterexamples import Counterexample, counterexample_to, counterexample_to_quote, reasons
from grpo_symbolic.judging.plain import plain_python
from grpo_symbolic.judging.searching import Searcher
from grpo_symbolic.judging.verdicts import Inquiry
from grpo_symbolic.language.binder import Binder
from grpo_symbolic.language.expression import Derivative, Expression, Total, as_expression
from grpo_symbolic.language.statement import NEGATIONS, ge, gt, lt
from grpo_symbolic.language.stating import both, either, iff, implies
from grpo_symbolic.language.vocabulary import absolute, define, maximum, rational, real
from grpo_symbolic.obligations.obligation import Obligation
from grpo_symbolic.report.tex import source
from grpo_symbolic.translate.python import Python, called

x = real("x", "(0, oo)", "a positive number")
y = real("y", "(-oo, oo)", "a number")
p = real("p", "(0, 1]", "probability", indexed=True)
square = define("square", (y,), y**2)

#: Runs programs that arrive as a list, one after the other, each in names of its own.
RUNNER = """
import contextlib, io, json, sys
found = []
for program in json.load(sys.stdin):
    said, ended = io.StringIO(), ""
    with contextlib.redirect_stdout(said):
        try:
            exec(program, {})
        except BaseException as error:
            ended = f"{type(error).__name__}: {error}"
    found.append((said.getvalue(), ended))
json.dump(found, sys.stdout)
"""


def run(programs: list[str]) -> list[tuple[str, str]]:
    """What programs print, and with which error they end, if with one; all of them in one process."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", RUNNER], input=json.dumps(programs), capture_output=True, text=True, check=True
    )
    return [(said, ended) for said, ended in json.loads(done.stdout)]


def program(made: Counterexample) -> str:
    return "\n".join(plain_python(made))


def shown(obligation: Obligation, witness: Witness) -> Counterexample:
    """A witness against an obligation, as a reader sees it."""
    refuted = judgement(Verdict.REFUTED, found("counterexample", Verdict.REFUTED, witness=witness))
    made = counterexample_to(Inquiry(obligation.conclusion, obligation.hypotheses), refuted)
    if made is None:
        raise ValueError(f"{witness} does not refute {obligation.conclusion}")
    return made


def negated(made: Counterexample) -> Counterexample:
    """The same with a relation that holds in the place of the one that fails."""
    (relation, holds), *others = made.relations
    return replace(made, relations=((replace(relation, operator=NEGATIONS[relation.operator]), holds), *others))


#: What a search for counterexamples is tried on, as far as its obligation is called as here.
SEARCHED = {name: item for name, item in FALSE.items() if Inquiry(item.conclusion, item.hypotheses).bare.get("claim")}


@pytest.fixture(scope="module")
def searched() -> list[Counterexample]:
    return [shown(item, counterexample(item, Settings())) for item in SEARCHED.values()]


def test_programs_confirm_what_a_search_finds(searched):
    for said, ended in run(list(map(program, searched))):
        assert (ended, said.rstrip().endswith("fails")) == ("", True)


def test_programs_end_with_an_error_where_the_relation_holds(searched):
    for made, (_, ended) in zip(searched, run([program(negated(made)) for made in searched]), strict=True):
        assert ended == "SystemExit: it holds", made


def test_programs_end_with_an_error_where_a_hypothesis_fails(searched):
    wrong = lt(as_expression(1), 0)
    for _, ended in run([program(replace(made, hypotheses=(*made.hypotheses, wrong))) for made in searched]):
        assert re.fullmatch(r"SystemExit: hypothesis \d+ fails", ended)


@pytest.mark.parametrize(
    ("statement", "failing"),
    [
        (both(gt(x, 0), lt(x, 1)), "x < 1"),
        (implies(gt(x, 1), gt(x, 3)), "x > 3"),
        (either(lt(x, 1), gt(x, 3)), "x < 1"),
        (iff(gt(x, 1), gt(x, 3)), "x > 3"),
        (iff(gt(x, 3), gt(x, 1)), "x > 3"),
        (implies(either(lt(x, 1), gt(x, 1)), both(gt(x, 1), lt(x, 2))), "x < 2"),
    ],
)
def test_the_relation_that_fails_is_named(statement, failing):
    relations = reasons((), statement, (("x", "2"),))
    assert str(relations[0][0]) == failing
    assert [holds for _, holds in relations] == sorted(holds for _, holds in relations)


def test_no_reason_is_given_where_nothing_fails():
    at_two = (("x", "2"),)
    assert reasons((), gt(x, 1), at_two) == ()
    assert reasons((lt(x, 1),), gt(x, 3), at_two) == ()


def test_a_part_is_taken_as_it_is_typed():
    """Derivatives stay derivatives, functions keep their names."""
    steep = gt(Derivative(square(y), y), 0)
    statement = both(ge(square(y), 0), implies(ge(y, -1), steep))
    made = counterexample_to(Inquiry(statement), judged_by(Searcher(Settings(points=8)), statement))
    assert made is not None
    text = program(made)
    assert "def square(y): return y**2" in text
    assert "left = diff(lambda y: square(y), y)" in text
    ((said, ended),) = run([text])
    assert (ended, "> 0 fails" in said) == ("", True)


def arithmetic(generator: random.Random, depth: int) -> Expression:
    """A rational expression in x, y and the coordinates of p whose denominators are positive."""
    if depth == 0:
        return generator.choice([x, y, p, Total(p), square(y), as_expression(generator.randint(-3, 3)), rational(1, 3)])
    first, second = (arithmetic(generator, depth - 1) for _ in range(2))
    ways = [first + second, first - second, first * second, -first, absolute(first), maximum(first, second)]
    ways += [first / (second**2 + rational(1, 7)), first**2, (first**2 + 1) ** -2, first - (second - first)]
    ways += [as_expression(generator.randint(1, 5)) / generator.randint(2, 7) * first, square(first), Total(first * p)]
    return generator.choice(ways)


def test_python_calculates_what_expressions_mean():
    """Against the exact evaluator of counterexamples, which works on the tree itself."""
    generator = random.Random(20250222)
    made = [arithmetic(generator, 3) for _ in range(200)]
    at = {"x": Fraction(2), "y": Fraction(-3, 5), "p[1]": Fraction(1, 2), "p[2]": Fraction(1, 3)}
    point = Evaluation({name: Jet(value, {}) for name, value in at.items()}, 2, 64)
    head = ["from fractions import Fraction as F", "x, y, p = F(2), F(-3, 5), [F(1, 2), F(1, 3)]"]
    writer = Python(exact=True, element="1", elements="2")
    programs = [
        "\n".join([*head, *map(writer.definition, called([item])), f"print(F({writer.text(item)}))"]) for item in made
    ]
    for expression, (said, ended) in zip(made, run(programs), strict=True):
        assert ended == "", str(expression)
        assert Fraction(said.strip()) == point.value(expression, 2).number, str(expression)


def test_a_quotient_of_integers_is_no_float():
    writer = Python(exact=True)
    texts = [writer.text(item) for item in (as_expression(2) / 3, as_expression(2) ** -3, square(as_expression(2)))]
    assert texts == ["F(2)/3", "F(2)**(-3)", "square(F(2))"]


def test_what_is_no_number_at_a_point_has_no_program():
    integral = Binder("integral", y, y, as_expression(0), x)
    with pytest.raises(UnsupportedError, match="Binder is no number"):
        Python(exact=True).text(integral)
    relations = ((lt(integral, 0), False),)
    at_one = Witness((("x", "1"),), "1/2", "0")
    assert plain_python(Counterexample(at_one, (), relations, alone=True, undefined=False)) == ()


def test_what_the_papers_print_fails_in_plain_python(assessment, library):
    """Every erratum and every ambiguous sentence, in one process that knows nothing of this package."""
    quoted = {id: item for id, item in assessment.judged.items() if item.printed is not None}
    refuted = {id: item for id, item in quoted.items() if item.printed.verdict is Verdict.REFUTED}
    made = {id: counterexample_to_quote(item) for id, item in refuted.items()}
    assert [id for id, item in made.items() if item is None] == []
    programs = {id: program(item) for id, item in made.items()}
    for text in programs.values():
        imported = set(re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE))
        assert imported in ({"fractions"}, {"mpmath"})
    for id, (said, ended) in zip(programs, run(list(programs.values())), strict=True):
        assert (id, ended, "fails" in said) == (id, "", True)


def test_what_a_function_hides_is_written_out_where_it_is_differentiated():
    """A function of Python would take the value of x from outside."""
    scaled = define("scaled", (y,), x**3 * y)
    slope = Derivative(scaled(as_expression(2)), x)
    made = Counterexample(Witness((("x", "2"),), "24", "0"), (), ((lt(slope, 0), False),), alone=True, undefined=False)
    ((said, ended),) = run([program(made)])
    assert (ended, said.split()[0].startswith("24.0")) == ("", True)


def test_a_line_may_break_on_the_page_and_is_escaped():
    line = source("p_ref = F(1, 3)*2")
    assert line == r"p\_ref = F(\allowbreak{}1,\allowbreak{} 3)*\allowbreak{}2"
