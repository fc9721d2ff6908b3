r"""The closed list of principles: mathematics that decisions use and that nothing in this package proves.

A principle stands behind kinds of statements, whose plans are sound by it, or behind deciding methods. Formulas stand
between ``$`` and are LaTeX; a principle that has some is written out without LaTeX as well, for the terminal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from grpo_symbolic.language.composites import (
    Existence,
    Extremum,
    Impossible,
    Limit,
    Monotone,
    Summed,
    TermOfTotal,
    UniqueRoot,
    UniqueZero,
    Zeros,
)
from grpo_symbolic.language.expression import Delta, Derivative, Expression, Total
from grpo_symbolic.language.groups import GroupExpectation
from grpo_symbolic.language.index_set import ELEMENTS, IndexSet
from grpo_symbolic.language.nearby import Converges, EveryCycle, EveryIterate, FixedPoint, LocalExtremum, SomeZero
from grpo_symbolic.language.sequences import InTheLimit, LimitSuperior, MonotoneLimit, SequenceLimit
from grpo_symbolic.language.statement import Equivalent, Implies, Statement
from grpo_symbolic.language.support import Supported
from grpo_symbolic.language.unknown import Applied, ForEvery

Kind: TypeAlias = type[Statement] | type[Expression]


@dataclass(frozen=True)
class Principle:
    """One sentence, with the kinds of statements and expressions and the methods that use it.

    ``plain`` is the sentence without LaTeX, if it has formulas.
    """

    name: str
    sentence: str
    kinds: tuple[Kind, ...] = ()
    methods: tuple[str, ...] = ()
    plain: str | None = None

    @property
    def text(self) -> str:
        """The sentence without LaTeX."""
        return self.sentence if self.plain is None else self.plain


def sums(over: IndexSet) -> tuple[Principle, ...]:
    """The rules by which sums of arbitrarily many terms are transformed, in the words of an index set."""
    i, element = over.letter, over.element
    j = "k" if i == "j" else "j"
    k = i.lstrip("\\")  # the letter where there is no LaTeX
    return (
        Principle(
            "linearity of sums",
            rf"Linearity: $\sum_{i} (a f_{i} + b g_{i}) = a \sum_{i} f_{i} + b \sum_{i} g_{i}$ if $a$ and $b$ are the "
            f"same for every {element}.",
            (Total,),
            plain=f"Linearity: sum_{k} (a f_{k} + b g_{k}) = a sum_{k} f_{k} + b sum_{k} g_{k} if a and b are the "
            f"same for every {element}.",
        ),
        Principle(
            "signs of sums",
            f"A sum of positive numbers is positive: there is at least one {element}. A sum of numbers that are not "
            "negative is not negative.",
            (Total,),
        ),
        Principle(
            "equal summands",
            rf"Equal summands have equal sums: if $f_{i} = g_{i}$ for every {element} ${i}$, then "
            rf"$\sum_{i} f_{i} = \sum_{i} g_{i}$.",
            (Total,),
            plain=f"Equal summands have equal sums: if f_{k} = g_{k} for every {element} {k}, then "
            f"sum_{k} f_{k} = sum_{k} g_{k}.",
        ),
        Principle(
            "separable sums",
            rf"In a separable sum only one summand depends on the coordinate $x_{i}$: "
            rf"$\frac{{\partial}}{{\partial x_{i}}} \sum_{{{i}'}} f(x_{{{i}'}}) = f'(x_{i})$.",
            (Total,),
            plain=f"In a separable sum only one summand depends on the coordinate x_{k}: "
            f"d/dx_{k} sum_{k}' f(x_{k}') = f'(x_{k}).",
        ),
        Principle(
            "weighted sums",
            f"A relation that holds for every {element} may be multiplied by a weight and summed: "
            rf"if $f_{i} = g_{i}$ for every ${i}$, then $\sum_{i} w_{i} f_{i} = \sum_{i} w_{i} g_{i}$; "
            rf"if $f_{i} \le g_{i}$ and $w_{i} \ge 0$ for every ${i}$, then "
            rf"$\sum_{i} w_{i} f_{i} \le \sum_{i} w_{i} g_{i}$, and likewise with $<$.",
            (Summed,),
            plain=f"A relation that holds for every {element} may be multiplied by a weight and summed: if f_{k} = "
            f"g_{k} for every {k}, then sum_{k} w_{k} f_{k} = sum_{k} w_{k} g_{k}; if f_{k} ≤ g_{k} and w_{k} ≥ 0 for "
            f"every {k}, then sum_{k} w_{k} f_{k} ≤ sum_{k} w_{k} g_{k}, and likewise with <.",
        ),
        Principle(
            "one term of a sum",
            "No term of a sum of nonnegative numbers exceeds it: "
            rf"if $f_{i} \ge 0$ for every ${i}$, then $f_{i} \le \sum_{{{i}'}} f_{{{i}'}}$.",
            (TermOfTotal,),
            plain=f"No term of a sum of nonnegative numbers exceeds it: if f_{k} ≥ 0 for every {k}, then "
            f"f_{k} ≤ sum_{k}' f_{k}'.",
        ),
        Principle(
            "sums of sums",
            "The order of finite sums does not matter, nor what an element is called: "
            rf"$\sum_{i} \sum_{j} f_{{{i}{j}}} = \sum_{j} \sum_{i} f_{{{i}{j}}}$, where an inner sum may depend on the "
            "outer element. What is given of it at every element holds inside of a sum.",
            (Total,),
            plain="The order of finite sums does not matter, nor what an element is called: "
            f"sum_{k} sum_{j} f_{k}{j} = sum_{j} sum_{k} f_{k}{j}, where an inner sum may depend on the outer element. "
            "What is given of it at every element holds inside of a sum.",
        ),
        Principle(
            "a further element",
            rf"A further {element} ${j}$ is ${i}$ or another one, $\delta_{{{i}, {j}}}$ is $1$ or $0$ accordingly, and "
            rf"a sum is its term at ${j}$ and the sum over the others: "
            rf"$\sum_{i} f_{i} = f_{j} + \sum_{{{i} \ne {j}}} f_{i}$.",
            (Delta,),
            plain=f"A further {element} {j} is {k} or another one, δ({k}, {j}) is 1 or 0 accordingly, and a sum is its "
            f"term at {j} and the sum over the others: sum_{k} f_{k} = f_{j} + sum_({k} ≠ {j}) f_{k}.",
        ),
        Principle(
            "derivatives by coordinates",
            rf"Coordinates vary independently: $\frac{{\partial x_{i}}}{{\partial x_{j}}} = \delta_{{{i}, {j}}}$.",
            (Delta,),
            plain=f"Coordinates vary independently: dx_{k}/dx_{j} = δ({k}, {j}).",
        ),
        Principle(
            "supports",
            r"What counts only where $p > 0$ is $0$ where $p = 0$, also where it has no value: $[p > 0] \, f$ is $f$ "
            rf"or $0$. Where $p_{i}$ is $0$ at some {over.elements} and not at others, a sum is that over the ones and "
            rf"that over the others: $\sum_{i} f_{i} = \sum_{{p_{i} > 0}} f_{i} + \sum_{{p_{i} = 0}} f_{i}$.",
            (Supported,),
            plain="What counts only where p > 0 is 0 where p = 0, also where it has no value: [p > 0] f is f or 0. "
            f"Where p_{k} is 0 at some {over.elements} and not at others, a sum is that over the ones and that over "
            f"the others: sum_{k} f_{k} = sum_(p_{k} > 0) f_{k} + sum_(p_{k} = 0) f_{k}.",
        ),
    )


SUMS = sums(ELEMENTS)

#: How expectations over a group of independent members are computed.
PROBABILITY: tuple[Principle, ...] = (
    Principle(
        "expectation by counts",
        r"Of $n$ members that are drawn independently, $k_1, \dots, k_m$ have the values $v_1, \dots, v_m$ with "
        r"probability $\frac{n!}{k_1! \cdots k_m!} \, c_1^{k_1} \cdots c_m^{k_m}$. What depends on a group only "
        "through one member and sums over members depends on it through the value of this member and these numbers.",
        (GroupExpectation,),
        plain="Of n members that are drawn independently, k_1, ..., k_m have the values v_1, ..., v_m with probability "
        "n!/(k_1! ... k_m!) c_1^k_1 ... c_m^k_m. What depends on a group only through one member and sums over all "
        "members depends on it through the value of this member and these numbers.",
    ),
    Principle(
        "linearity of expectations",
        "The expectation of a sum is the sum of the expectations. So a sum over the members of a group has the "
        "expectation of one term and, times the number of the others, of another one.",
        (GroupExpectation,),
    ),
    Principle(
        "conditioning on one member",
        "Given what one of several independent members has, the others have the law that they had.",
        (GroupExpectation,),
    ),
)

#: Analysis and logic behind the composite kinds of statements.
ANALYSIS: tuple[Principle, ...] = (
    Principle(
        "mean value theorem",
        "A function whose derivative is positive inside an interval on which it is defined is strictly increasing "
        "there; with a negative one it is strictly decreasing.",
        (Monotone, UniqueZero, Zeros, Extremum),
        ("enclosure",),
    ),
    Principle(
        "intermediate value theorem",
        "A continuous function with opposite signs at two points has a zero between them. All functions of the "
        "language are continuous where they are defined and differentiable.",
        (UniqueZero, Zeros, SomeZero),
        ("enclosure",),
    ),
    Principle(
        "rules of differentiation",
        "Derivatives of sums, products, quotients, powers, elementary functions and compositions are what calculus "
        "says wherever the function and these derivatives are defined.",
        (Derivative, Monotone, UniqueZero, Zeros, Extremum, FixedPoint, LocalExtremum),
        ("enclosure",),
    ),
    Principle(
        "limits by a rate",
        r"If $|f - v| \le c\,d^{a}$ with $c, a > 0$ wherever the distance $d$ is positive and small, then $f$ tends "
        r"to $v$ as $d$ tends to $0$; if $f \ge c\,d^{-a}$ there, $f$ tends to infinity.",
        (Limit,),
        plain="If |f - v| ≤ c d^a with c, a > 0 wherever the distance d is positive and small, then f tends to v as d "
        "tends to 0; if f ≥ c d^(-a) there, f tends to infinity.",
    ),
    Principle(
        "exactly one solution",
        "A point at which a condition holds, and to which every point at which it holds is equal, is its only "
        "solution.",
        (UniqueRoot,),
    ),
    Principle(
        "linear stability",
        "A fixed point attracts what starts nearby if all eigenvalues of the derivative of a step there lie inside of "
        "the unit circle, and repels almost all of it if one lies outside; of one variable, all of it. The same holds "
        "of a flow with negative real parts and a positive one. The eigenvalues of two variables are the zeros of a "
        "quadratic polynomial.",
        (FixedPoint,),
    ),
    Principle(
        "implicit function theorem",
        "Where the derivative of equations by the next values is invertible, they have one solution nearby, which "
        "is a smooth function of the values before with the derivative that the linearised equations give.",
        (FixedPoint,),
    ),
    Principle(
        "second-order condition",
        "A point at which the first derivatives vanish and the second derivative is negative in all directions is a "
        "strict local maximum, and a strict local minimum if it is positive.",
        (LocalExtremum,),
    ),
    Principle(
        "steps that lead nearer",
        "If a continuous map takes each point of an interval around a goal, or beside it, to one of them that is "
        "nearer to the goal, then its iterates converge to the goal.",
        (Converges,),
    ),
    Principle(
        "induction",
        "What holds at the start and, wherever it holds, after one step more, holds after any number of steps; "
        "where a step is to the next whole number, for all of them from the start on. A sum up to such a number is at "
        "the next one what it was and one term more; where its terms change with the number, it changes by what they "
        "do, of which differences of neighbours cancel but for the first and the last one.",
        (EveryIterate,),
    ),
    Principle(
        "two intervals",
        "Two intervals share an end, which a continuous map takes to neither; if it takes one of them over both, and "
        "the other one over the first, it has cycles of every length.",
        (EveryCycle,),
    ),
    Principle(
        "any function",
        "What holds of all numbers in the place of the values of a function, equal ones at equal arguments, holds of "
        "every function; between two arguments of a continuously differentiable one its slope somewhere is that of the "
        "chord. What is supposed of it for every argument holds at each of them.",
        (Applied, ForEvery),
    ),
    Principle(
        "limits of sequences",
        r"If $s_n \to L$ and $g$ is continuous at $L$, then $g(s_n) \to g(L)$. What compares with $=$, $\le$ or $\ge$ "
        r"for every $n$ compares so in the limit. If $a_n \le b_n$ for every $n$ and $b_n \to b$, the limit superior "
        "of $a_n$ is at most $b$.",
        (SequenceLimit, LimitSuperior, InTheLimit),
        plain="If s_n → L and g is continuous at L, then g(s_n) → g(L). What compares with =, ≤ or ≥ for every n "
        "compares so in the limit. If a_n ≤ b_n for every n and b_n → b, the limit superior of a_n is at most b.",
    ),
    Principle(
        "monotone convergence",
        "A sequence that never falls and is bounded from above has a limit, and so has one that never rises and is "
        "bounded from below.",
        (MonotoneLimit,),
    ),
    Principle("existence by a witness", "What holds at one point holds somewhere.", (Existence,)),
    Principle("contradiction", "A condition from which 1 < 0 follows holds nowhere.", (Impossible,)),
    Principle(
        "case distinction",
        "An implication follows if its conclusion follows from its premise, an equivalence from both directions, a "
        "conjunction from its parts.",
        (Implies, Equivalent),
    ),
)

#: What the deciding methods use.
METHODS: tuple[Principle, ...] = (
    Principle(
        "interval arithmetic",
        "An operation that maps intervals to an interval with all values at their points encloses the value at "
        "every point.",
        methods=("range", "exact", "smt", "enclosure"),
    ),
    Principle(
        "balls",
        "The ball arithmetic of Arb encloses the exact values.",
        methods=("range", "exact", "smt", "enclosure", "point", "counterexample"),
    ),
    Principle(
        "normal forms",
        r"A quotient of polynomials with numerator $0$ is $0$ wherever it has a value. Its generators may stand for "
        "roots, exponentials and logarithms.",
        methods=("exact", "smt"),
        plain="A quotient of polynomials with numerator 0 is 0 wherever it has a value. Its generators may stand for "
        "roots, exponentials and logarithms.",
    ),
    Principle(
        "laws of roots, logarithms and exponentials",
        r"$\sqrt{uv} = \sqrt u \sqrt v$ for $u, v \ge 0$; $\log(uv) = \log u + \log v$ for $u, v > 0$; "
        r"$e^{u+v} = e^u e^v$.",
        methods=("exact", "smt"),
        plain="√(u v) = √u √v for u, v ≥ 0; log(u v) = log u + log v for u, v > 0; exp(u + v) = exp(u) exp(v).",
    ),
    Principle(
        "powers and factorials",
        r"$b^x = e^{x \log b}$ for $b > 0$; $\Gamma(x + 1) = x\,\Gamma(x)$ and $\Gamma(x) > 0$ for $x > 0$; "
        r"$\Gamma(1) = 1$.",
        methods=("range", "exact", "smt", "enclosure"),
        plain="b^x = exp(x log b) for b > 0; Γ(x + 1) = x Γ(x) and Γ(x) > 0 for x > 0; Γ(1) = 1.",
    ),
    Principle(
        "sines, cosines and inverse tangents",
        r"The addition theorems and $\sin^2 u + \cos^2 u = 1$; the cosine of $\arctan t$ is $1/\sqrt{1 + t^2}$, its "
        r"sine $t$ times that. A number between $-3$ and $3$ whose sine is $0$ is $0$. To solvers is known that "
        r"$1 - \cos u \le u^2/2$ and that $\arctan t$ lies between $0$ and $t$, no nearer to $0$ than its sine.",
        methods=("exact", "smt"),
        plain="The addition theorems and sin² u + cos² u = 1; the cosine of arctan t is 1/√(1 + t²), and its sine t "
        "times that. A number between -3 and 3 whose sine is 0 is 0. To solvers is known that 1 - cos u ≤ u²/2 and "
        "that arctan t lies between 0 and t, no nearer to 0 than its sine.",
    ),
    Principle(
        "order",
        "Of two numbers one is at most the other: what holds in both cases holds.",
        methods=("exact",),
    ),
    Principle(
        "generalisation",
        "What holds whatever values terms have, under axioms that the terms satisfy, holds of the terms.",
        (Total,),
        methods=("smt",),
    ),
    Principle(
        "real arithmetic by solvers",
        "If z3 or cvc5 says unsat, no real numbers satisfy the script.",
        methods=("smt",),
    ),
    Principle(
        "subdivision",
        "What holds on every box of a finite cover of the domain holds on the domain.",
        methods=("enclosure",),
    ),
    Principle(
        "transitivity",
        "From $a = b$ and $b \\le c$ follows $a \\le c$; from $A \\Leftrightarrow B$ and $B \\Rightarrow C$ follows "
        "$A \\Rightarrow C$.",
        methods=("composition",),
        plain="From a = b and b ≤ c follows a ≤ c; from A ⟺ B and B ⟹ C follows A ⟹ C.",
    ),
)

PRINCIPLES: tuple[Principle, ...] = (*SUMS, *PROBABILITY, *ANALYSIS, *METHODS)


def principles_for(kinds: Iterable[Kind], methods: Iterable[str]) -> tuple[Principle, ...]:
    """The principles that some kinds of statements and expressions and some methods use, in the order of the list."""
    met, asked = frozenset(kinds), frozenset(methods)
    return tuple(item for item in PRINCIPLES if met.intersection(item.kinds) or asked.intersection(item.methods))
