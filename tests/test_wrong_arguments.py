"""Plain mistakes: every constructor of the vocabulary refuses what it does not take with the package's own error.

Each is called rightly once, and then with every argument in turn replaced by things of other kinds. What it takes may
be taken; what it refuses, it refuses itself, and no error comes from inside.
"""

from __future__ import annotations

import inspect
from fractions import Fraction
from functools import partial

import pytest

import grpo_symbolic
from grpo_symbolic import (
    Curve,
    Delta,
    Derivative,
    EveryCycle,
    Extremum,
    Figure,
    Gap,
    Group,
    IndexSet,
    Lemma,
    LongRun,
    Note,
    Oracle,
    Orbit,
    Paper,
    Region,
    Result,
    Substitution,
    Summed,
    TermOfTotal,
    Total,
    Trace,
    UniqueRoot,
    UniqueZero,
    Zeros,
    absolute,
    attracts,
    attracts_flow,
    binary,
    binomial,
    both,
    by_induction,
    check_text,
    claim,
    converges,
    cosh,
    decreasing,
    define,
    derive,
    drawn,
    either,
    eq,
    every_iterate,
    exp,
    factorial,
    falls_to_a_limit,
    for_every,
    ge,
    gt,
    has_limit,
    iff,
    implies,
    in_the_limit,
    increasing,
    instance,
    judge,
    law,
    le,
    limit_superior,
    load,
    local_maximum,
    local_minimum,
    log,
    lt,
    maximum,
    minimum,
    ne,
    never,
    on_support,
    rational,
    real,
    repels,
    rises_to_a_limit,
    sinh,
    some_zero,
    sqrt,
    sum_of,
    tanh,
    tends_to,
    unknown_function,
    whole,
)
from grpo_symbolic.errors import DeclarationError, GrpoSymbolicError, LibraryError
from grpo_symbolic.language.expression import Expression
from grpo_symbolic.language.statement import Statement
from grpo_symbolic.language.vocabulary import arctan, cos, gamma, interval, sign, sin

ARMS = IndexSet("arm", "arms", "i")
MEMBERS = IndexSet("member", "members", "m")
J = ARMS.another("j")
p = real("p", "(0, 1)", "a probability")
q = real("q", "(0, 1)", "another one")
a = real("a", "(0, oo)", "a parameter")
n = whole("n", "[0, oo)", "a number of steps")
k = whole("k", "[0, oo)", "an index")
x = real("x", "(-oo, oo)", "a logit", latex="x_{index}", indexed=ARMS)
pi = real("pi", "(0, 1)", "a policy", latex=r"\pi_{index}", indexed=ARMS)
r = real("r", "[0, 1]", "a reward", latex="r_{index}", indexed=MEMBERS)
half = rational(1, 2)
group = Group(r, 3, binary(p))
h = define("h", (p,), 1 / (1 + p))
paper = Paper("author_2025", "A. Author", "A title", "v1")
made = claim("author_2025.made", "A claim", gt(p + a, 0))
rising = claim("author_2025.rising", "A claim", increasing(p + a, p))
chain = derive(p + 1, "a start")
line = derive(gt(p, half), "a start")


def compare(values, context):
    return values["p"], context.mpf(1)


def claims():
    yield made


#: Every constructor with arguments that it takes, positional and by name.
F = unknown_function("f", p, "a map", derivatives=1)
SEQUENCE = unknown_function("s", n, "a sequence")
RIGHT = {
    "Delta": (Delta, [J], {}),
    "Derivative": (Derivative, [p**2, p], {}),
    "Substitution": (Substitution, [p**2, p, half], {}),
    "Total": (Total, [x, ARMS], {}),
    "on_support": (on_support, [p, p], {}),
    "IndexSet": (IndexSet, ["arm", "arms", "i"], {}),
    "another": (ARMS.another, ["j"], {}),
    "Symbol.at": (x.at, [J], {}),
    "real": (real, ["p", "(0, 1)", "a number"], {"latex": "p", "indexed": ARMS}),
    "real of two": (real, ["p", "(0, 1)", "a number"], {"latex": "p", "indexed": (ARMS, MEMBERS)}),
    "whole": (whole, ["n", "[0, oo)", "a number"], {"latex": "n"}),
    "unknown_function": (unknown_function, ["f", p, "a map"], {"derivatives": 1, "values": "(-oo, oo)", "latex": "f"}),
    "for_every": (for_every, [p, gt(F(p), 0)], {"such_as": {F: half}, "where": gt(q, 0)}),
    "has_limit": (has_limit, [SEQUENCE(n), n, half], {"by": SEQUENCE(n), "such_as": {SEQUENCE: half}}),
    "limit_superior": (limit_superior, [SEQUENCE(n), n, half], {"by": SEQUENCE(n), "where": gt(SEQUENCE(n), p)}),
    "in_the_limit": (in_the_limit, [gt(p, 0), n], {"because": gt(SEQUENCE(n), 0)}),
    "rises_to_a_limit": (rises_to_a_limit, [SEQUENCE(n), n], {"at_most": half}),
    "falls_to_a_limit": (falls_to_a_limit, [SEQUENCE(n), n], {"at_least": half}),
    "value of an unknown function": (F, [p], {}),
    "slope of an unknown function": (F.slope, [p], {}),
    "interval": (interval, ["(0, 1)"], {}),
    "rational": (rational, [1, 2], {}),
    "define": (define, ["h", (p,), p + 1], {"latex": "h"}),
    "Definition": (h, [half], {}),
    "sum_of": (sum_of, [p**k, k, 0, n], {}),
    "binomial": (binomial, [n, 2], {}),
    "maximum": (maximum, [p, q], {}),
    "minimum": (minimum, [p, q], {}),
    "power": (lambda exponent: p**exponent, [2], {}),
    "plus": (lambda other: p + other, [2], {}),
    **{
        one.__name__: (one, [p], {})
        for one in (sqrt, exp, log, cosh, sinh, tanh, absolute, factorial, sin, cos, arctan, gamma, sign)
    },
    **{one.__name__: (one, [p, half], {}) for one in (eq, ne, lt, le, gt, ge)},
    "both": (both, [gt(p, 0), gt(q, 0)], {}),
    "either": (either, [gt(p, 0), gt(q, 0)], {}),
    "implies": (implies, [gt(p, half), gt(p, 0)], {}),
    "iff": (iff, [gt(p, half), gt(2 * p, 1)], {}),
    "never": (never, [gt(p, 1)], {}),
    "instance": (instance, [gt(p, 0), {p: half}], {}),
    "increasing": (increasing, [p**2, p], {}),
    "decreasing": (decreasing, [1 - p, p], {}),
    "tends_to": (tends_to, [p, 0, p], {"to": 0, "side": "+", "constant": 1, "exponent": 1, "near": half}),
    "attracts": (attracts, [{p: p / 2 + q / 2}, q], {}),
    "attracts, by equations": (attracts, [{p: q - p / 2}, half], {"next_values": [q]}),
    "repels": (repels, [{p: 2 * p - half}, half], {}),
    "attracts_flow": (attracts_flow, [{p: half - p}, half], {}),
    "local_maximum": (local_maximum, [-((p - half) ** 2), {p: half}], {}),
    "local_minimum": (local_minimum, [(p - half) ** 2, {p: half}], {}),
    "converges": (converges, [p / 2, p, 0], {"within": half}),
    "some_zero": (some_zero, [p - half, p, rational(1, 4), rational(3, 4)], {"rising": True}),
    "every_iterate": (every_iterate, [gt(a, 0), {a: a / 2}, {a: 1}], {"where": gt(q, 0), "such_as": {q: 1}}),
    "by_induction": (by_induction, [ge(n, 0), n], {"changes": []}),
    "by_induction, changes": (
        by_induction,
        [eq(sum_of(binomial(n, k), k, 0, n), 2**n), n],
        {"changes": [(2, -binomial(n, k - 1))]},
    ),
    "Extremum": (Extremum, [(p - half) ** 2, p, half], {"minimum": True}),
    "UniqueRoot": (UniqueRoot, [p, eq(p, half), half], {}),
    "UniqueZero": (UniqueZero, [p - half, p, rational(1, 4), rational(3, 4), True], {"lower": half, "upper": half}),
    "Zeros": (Zeros, [p - half, p, ((rational(1, 4), rational(3, 4)),), True], {}),
    "EveryCycle": (EveryCycle, [p, p, rational(1, 4), half, rational(3, 4)], {}),
    "Summed": (Summed, [eq(x, 0), rational(1), eq(Total(x), 0), rational(1)], {}),
    "TermOfTotal": (TermOfTotal, [pi], {}),
    "law": (law, [[1, 0], [p]], {}),
    "binary": (binary, [p], {}),
    "drawn": (drawn, [x, pi], {}),
    "Group": (Group, [r, 3, binary(p)], {}),
    "expectation": (group.expectation, [r], {"given": 1, "mixed": True}),
    "derive": (derive, [p, "a start"], {"given": [gt(p, 0)]}),
    **{
        f"derive.{name}": (getattr(chain, name), [p + 1, "a reason"], {"using": [made]})
        for name in ("eq", "le", "lt", "ge", "gt")
    },
    **{
        f"derive.{name}": (getattr(line, name), [gt(p, 0), "a reason"], {"using": [made]})
        for name in ("iff", "implies")
    },
    "claim": (
        claim,
        ["author_2025.x", "A title", gt(p, 0)],
        {
            "given": [gt(p, half)],
            "using": [made],
            "printed": paper.quote("Eq. (1)", "p > 0", gt(p, 0)),
            "equation": "Eq. (1)",
            "assumed": False,
            "oracle": Oracle("by hand", compare),
            "beyond": "it is sharper",
            "paper_uses": ["made"],
            "cites": [],
            "fills": [Gap("Section 1", "a case")],
            "key": True,
        },
    ),
    "claim, derived": (claim, ["author_2025.x", "A title"], {"derivation": chain.eq(1 + p, "the order")}),
    "claim, refuted": (claim, ["author_2025.x", "A title", gt(p, 1)], {"refuted": "to be refuted"}),
    "claim.at": (made.at, [{p: half}], {}),
    "claim.between": (rising.between, [rational(1, 4), half], {}),
    "Lemma": (Lemma, [made, ((p, half),)], {}),
    "Paper": (
        Paper,
        ["author_2025", "A. Author", "A title", "v1"],
        {"copy": "a scanned copy", "terms": ("policy",), "setting": (lt(p, 1),)},
    ),
    "quote": (
        paper.quote,
        ["Eq. (1)", "p > 1/2", gt(p, half)],
        {
            "given": (gt(p, 0),),
            "instead": "p > 0",
            "another_reading": False,
            "missing": [gt(p, half)],
            "isolated": False,
            "compare_with_pdf": False,
            "fails_at": {p: rational(1, 4)},
        },
    ),
    "Gap": (Gap, ["Section 1", "a case"], {}),
    "Oracle": (Oracle, ["by hand", compare], {"relation": "=", "digits": 15, "points": 12}),
    "Result": (Result, ["A title", paper, claims], {"figures": None, "shorthands": None}),
    "Curve": (Curve, [p, ((q, Fraction(1, 2)),), "label"], {}),
    "Region": (Region, [gt(p, q), ((a, Fraction(1)),), "label"], {}),
    "Trace": (Trace, [p, q, p, (Fraction(0), Fraction(1)), ((q, Fraction(1, 2)),), "label"], {}),
    "Orbit": (Orbit, [p / 2, p, Fraction(1, 2), (), "label"], {}),
    "LongRun": (LongRun, [p / 2, p, half, (), "label"], {"steps": 40, "kept": 4}),
    "Note": (Note, [Fraction(0), Fraction(1), "words"], {}),
    "Figure": (
        Figure,
        ["figure-1", "A caption.", p, (Fraction(0), Fraction(1)), "p", "value"],
        {
            "curves": (Curve(p, (), "label"),),
            "regions": (),
            "vertical": None,
            "vertical_range": (Fraction(0), Fraction(1)),
            "logarithmic": False,
            "vertical_logarithmic": False,
            "traces": (),
            "orbits": (),
            "long_runs": (),
            "notes": (Note(Fraction(0), Fraction(1), "words"),),
        },
    ),
    "judge": (judge, [gt(p, 0)], {"given": gt(p, half)}),
    "load": (load, ["docs/example/recipes"], {}),
    "check_text": (check_text, [r"\[ 1 = 1 \]"], {}),
}


class Strange:
    """Something of nobody's."""

    def __repr__(self):
        return "<something strange>"


#: What stands in the place of an argument, by what it is called in the name of a test.
WRONG = {
    "None": None,
    "text": "j",
    "a float": 0.5,
    "nan": float("nan"),
    "a bool": True,
    "a whole number": 7,
    "a fraction": Fraction(1, 3),
    "an expression": p + 1,
    "a symbol": q,
    "a whole symbol": k,
    "a coordinate": x,
    "another coordinate": x.at(J),
    "a statement": gt(p, 0),
    "a set": ARMS,
    "a further element": J,
    "a definition": h,
    "a function": compare,
    "a class": Fraction,
    "an empty list": [],
    "a list of nothing": [None],
    "a tuple of texts": ("a", "b"),
    "a list of numbers": [0.5, 2],
    "an empty dictionary": {},
    "a dictionary of texts": {"p": "q"},
    "a dictionary of floats": {p: 0.5},
    "an expression for an expression": {p + 1: p},
    "a claim": made,
    "a paper": paper,
    "something strange": Strange(),
}


def shown(outcome):
    """What is made can be shown, too."""
    if isinstance(outcome, Expression | Statement):
        str(outcome), repr(outcome)


@pytest.mark.parametrize("name", RIGHT)
def test_it_takes_what_it_is_made_for(name):
    build, arguments, named = RIGHT[name]
    shown(build(*arguments, **named))


def wrongly(name):
    """The constructor with every argument in turn replaced by what is of another kind."""
    build, arguments, named = RIGHT[name]
    for place in (*range(len(arguments)), *named):
        for what, value in WRONG.items():
            changed = [value if number == place else one for number, one in enumerate(arguments)]
            by_name = {key: value if key == place else one for key, one in named.items()}
            yield f"argument {place}: {what}", partial(build, *changed, **by_name)


@pytest.mark.parametrize("name", RIGHT)
def test_what_it_does_not_take_is_refused_by_the_package_itself(name):
    from_inside = {}
    for what, attempt in wrongly(name):
        try:
            shown(attempt())
        except GrpoSymbolicError:
            continue
        except Exception as error:
            from_inside[what] = f"{type(error).__name__}: {error}"
    assert not from_inside


REFUSED = {
    "a letter for an element": (lambda: x.at("j"), r"x\.at: an index set, such as .* is meant, and 'j' is none"),
    "a delta of a coordinate": (lambda: Delta(x), "Delta, other: an index set, such as .* is meant, and x is none"),
    "a set by its name": (lambda: Total(x, "arms"), "Total, over: an index set, such as .* and 'arms' is none"),
    "a number to sum": (lambda: Total(1, ARMS), r"an expression is meant, and 1 is none; write rational\(1\)"),
    "a derivative by a sum": (
        lambda: Derivative(p, p + 1),
        r"Derivative, symbol: a symbol, such as .* and p \+ 1 is none",
    ),
    "a letter that is real": (lambda: sum_of(p, p, 0, n), "a sum runs over whole numbers, and p is none"),
    "an end that is real": (lambda: sum_of(p**k, k, 0, a), "a sum over whole numbers ends at a, which need not be one"),
    "half an end": (lambda: sum_of(p**k, k, 0, half), "ends at 1/2, which need not be one"),
    "a text chosen": (lambda: binomial("n", 2), "'n' is not exact; write an int, a Fraction or an expression"),
    "a float for a domain": (lambda: whole("n", 0.5, "steps"), r"an interval: a text is meant, and 0\.5 is none"),
    "no meaning": (lambda: real("n", "(0, 1)", None), "symbol n, its meaning: a text is meant, and None is none"),
    "a list of symbols": (lambda: real("n", "(0, 1)", "it", indexed=[x]), "symbol n, indexed: an index set"),
    "three sets": (lambda: real("n", "(0, 1)", "it", indexed=(ARMS, J, MEMBERS)), "by one set or by two, not by 3"),
    "a float": (lambda: gt(p, 0.5), r"0\.5 is not exact"),
    "no denominator": (lambda: rational(1, 0), "1 / 0 is no fraction of whole numbers"),
    "a statement among functions": (lambda: increasing(gt(p, 0), p), "p > 0 is not exact"),
    "no statement": (lambda: both(gt(p, 0), None), "both: a statement, such as .* is meant, and None is none"),
    "an equation in Python": (lambda: implies(p == a, gt(p, 0)), "implies: a statement, such as .* and False is none"),
    "a root that is a number": (lambda: UniqueRoot(p, eq(p, half), 1), r"UniqueRoot, root: .*; write rational\(1\)"),
    "a root that is a fraction": (
        lambda: UniqueRoot(p, eq(p, half), Fraction(1, 2)),
        r"UniqueRoot, root: .*; write rational\(1, 2\)",
    ),
    "a word for a bool": (lambda: Extremum(p, p, half, "maximum"), "minimum: True or False is meant, and 'maximum'"),
    "a list for a dictionary": (lambda: attracts([p], half), "a dictionary is meant, such as"),
    "a text for a list": (lambda: claim("p.x", "A", gt(p, 0), cites="lasalle"), r"claim p\.x, cites: a list is meant"),
    "a paper for a claim": (lambda: chain.eq(p, "so", using=[paper]), "claims and lemmas can be used, and Paper"),
    "a group of so many": (lambda: Group(r, "G", binary(p)), "'G' is not exact"),
}


@pytest.mark.parametrize("mistake", REFUSED)
def test_a_plain_mistake_is_told(mistake):
    attempt, message = REFUSED[mistake]
    with pytest.raises(DeclarationError, match=message):
        attempt()


def test_a_claim_that_is_yielded_twice_is_told(tmp_path):
    folder = tmp_path / "doubled"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "twice.py").write_text(
        '"""A result."""\n'
        "from grpo_symbolic import Paper, Result, claim, eq, real\n"
        'paper = Paper("doubled", "A. Author", "A title", "v1")\n'
        'p = real("p", "(0, 1)", "a number")\n'
        "def derivation():\n"
        '    made = claim("doubled.same", "The same", eq(p, p))\n'
        "    yield made\n"
        "    yield made\n"
        'result = Result("A result", paper, derivation)\n'
    )
    with pytest.raises(LibraryError, match=r"doubled\.same"):
        load(folder)


def test_every_constructor_of_the_vocabulary_is_called():
    called = {build for build, _, _ in RIGHT.values()}
    left = [
        name
        for name in grpo_symbolic.__all__
        if getattr(grpo_symbolic, name) not in called and not inspect.isabstract(getattr(grpo_symbolic, name))
    ]
    # Bases, what others make, and what reads a whole folder of derivations.
    assert left == ["Chain", "Claim", "Expression", "Quote", "Statement", "Symbol", "assess"]
