r"""Three outputs, groups of two: when repeated updates lead back to the stationary policy.

With the advantages $\mathcal{P}_i$ at the policy, $\Pi = \mathcal{P}_1 + \mathcal{P}_2 + \mathcal{P}_3$, $Q =
\pi_1\mathcal{P}_2\mathcal{P}_3 + \pi_2\mathcal{P}_1\mathcal{P}_3 + \pi_3\mathcal{P}_1\mathcal{P}_2$ and the circulation
$c = \gamma_{12} + \gamma_{23} + \gamma_{31}$ of the margins, the eigenvalues $\mu$ of an update
(`updates.three.determinant`, `updates.three.polynomial`) are the roots of
$$(\beta^2 - 2\beta\Pi + 4Q)\,\mu^2 + (\beta\Pi - 4Q)\,\mu + Q + c^2\pi_1\pi_2\pi_3.$$
The second variation is negative definite exactly if the leading coefficient is positive and $\beta > \Pi$
(`updates.three.definite`, `updates.three.trace`). The value at 1 is positive (`updates.three.at-one`). So where the
second variation is negative definite both eigenvalues lie in the unit disc (`updates.three.real-roots`,
`updates.three.conjugate-roots`) exactly if
$$\beta^2 - 3\beta\Pi + 9Q + c^2\pi_1\pi_2\pi_3 > 0 \quad\text{and}\quad
\beta^2 - 2\beta\Pi + 3Q > c^2\pi_1\pi_2\pi_3.$$
Then updates from nearby lead back to the policy. Where the first condition is reversed, an eigenvalue lies below $-1$,
and along its eigenvector updates jump over the policy and away from it, as with two answers. If the eigenvalues are
conjugate, which takes a circulation other than 0 (`updates.three.discriminant`), only the second one can fail
(`updates.three.conjugate-roots`). Where it is reversed for such eigenvalues, updates from nearby turn around the policy
and away from it, which two answers cannot show. For deterministic rewards, no two of them equal, $c^2 = 1$, and
for preferences in a circle $c^2$ is up to 9.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import add

from derivations.vojnovic_yun_2025 import paper
from derivations.vojnovic_yun_2025.binary_question import beta
from derivations.vojnovic_yun_2025.three_outputs import (
    advantages,
    characteristic_coefficients,
    circulation,
    names,
    objective,
    old_1,
    old_2,
    pi_1,
    pi_2,
    policy,
    reference,
)
from derivations.vojnovic_yun_2025.updates_by_iteration import characteristic_by_iteration
from grpo_symbolic import (
    Claim,
    Derivative,
    Expression,
    Oracle,
    Result,
    Substitution,
    Symbol,
    absolute,
    both,
    claim,
    derive,
    eq,
    ge,
    gt,
    iff,
    lt,
    ne,
    real,
)
from grpo_symbolic.grpo.definitions import GRPO, Definitions

mu = real("mu", "(-oo, oo)", "any number", latex=r"\mu")
first, second = (real(name, "(-oo, oo)", "an eigenvalue, or its real or imaginary part") for name in ("u", "v"))
a_0, a_1, a_2 = (real(f"a_{n}", "(-oo, oo)", "coefficient of the characteristic polynomial") for n in range(3))
k_1, k_2, k_3 = (real(f"k_{n}", "(-oo, oo)", f"minus the curvature at output {n}") for n in (1, 2, 3))
d_1, d_2, d_3 = (
    real(f"d_{n}", "(0, oo)", f"by how much the advantage of output {n} is below the weight") for n in (1, 2, 3)
)
A_1, A_2, A_3 = (real(f"A_{n}", "(-oo, oo)", f"expected advantage of output {n}") for n in (1, 2, 3))
c = real("c", "(-oo, oo)", "circulation of the margins")
from_1, from_2, from_3, from_4 = (
    real(f"from_{n}", "(-oo, oo)", "entry of a determinant", latex=f"w_{n}") for n in range(1, 5)
)
to_1, to_2, to_3, to_4 = (
    real(f"to_{n}", "(-oo, oo)", "another entry of a determinant", latex=f"z_{n}") for n in range(1, 5)
)
p_1, p_2, p_3 = (real(f"p_{n}", "(0, oo)", "a positive number") for n in (1, 2, 3))
u_1, u_2, v = (
    real(name, "(-oo, oo)", f"{words} of a symmetric matrix")
    for name, words in (
        ("u_1", "first entry on the diagonal"),
        ("u_2", "second entry on the diagonal"),
        ("v_12", "entry off the diagonal"),
    )
)
pi_3 = policy[2]
gains = advantages(policy)
product = pi_1 * pi_2 * pi_3
inside = (gt(pi_3, 0), gt(reference[2], 0))
#: Equation (11); the third equation follows from these two.
stationary = tuple(
    eq(prior, (1 - gain / beta) * share)
    for prior, gain, share in zip(reference[:2], gains[:2], policy[:2], strict=True)
)
hollows = [(beta - 2 * gain) / share for gain, share in zip(gains, policy, strict=True)]


def on_policy(function: Expression) -> Expression:
    """Put the old policy equal to the policy."""
    return Substitution(Substitution(function, old_1, pi_1), old_2, pi_2)


def derivatives(given: Definitions = GRPO) -> list[list[tuple[Expression, Expression]]]:
    """The derivatives of both slopes by each probability, first of the old policy and then of the policy."""
    return [
        [
            (on_policy(Derivative(slope, by_old)), on_policy(Derivative(slope, by_policy)))
            for by_old, by_policy in ((old_1, pi_1), (old_2, pi_2))
        ]
        for slope in (Derivative(objective(given), symbol) for symbol in (pi_1, pi_2))
    ]


def characteristic(given: Definitions = GRPO) -> Expression:
    """The determinant of the derivatives of the slopes by the old policy, plus mu times those by the policy."""
    rows = [[by_old + mu * by_policy for by_old, by_policy in row] for row in derivatives(given)]
    return rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]


def derivation(given: Definitions = GRPO) -> Iterator[Claim]:
    """The characteristic polynomial, the strict local maximum, and the roots in the unit disc."""
    yield from _polynomial(given)
    yield from _maximum()
    yield from _roots()


def _polynomial(given: Definitions) -> Iterator[Claim]:
    """From the definition of the objective."""
    terms = [-(gain / share) - mu * hollow for gain, share, hollow in zip(gains, policy, hollows, strict=True)]
    minors = terms[0] * terms[1] + terms[0] * terms[2] + terms[1] * terms[2]
    at_0, at_1, at_2 = characteristic_coefficients(gains, circulation)
    known = (*inside, *stationary)
    entries = list(_entries(given, terms))
    yield from entries
    *made, put_in = entries[-6:]
    top, bottom = (terms[0] + terms[2], terms[2] + circulation), (terms[2] - circulation, terms[1] + terms[2])
    yield claim(
        "vojnovic_yun_2025.updates.three.determinant",
        "The characteristic polynomial of an update, up to a factor, from the second derivatives of the objective",
        derivation=derive(characteristic(given), "the determinant", given=known)
        .eq(top[0] * bottom[1] - top[1] * bottom[0], "its entries", using=[*made, put_in.at(_places(given, terms))])
        .eq(minors + circulation**2, "multiply out"),
    )
    yield claim(
        "vojnovic_yun_2025.updates.three.polynomial",
        "Its coefficients, from the advantages and the circulation of the margins",
        eq(product * (minors + circulation**2), at_2 * mu**2 + at_1 * mu + at_0),
        given=inside[:1],
        oracle=Oracle(
            "differentiates an update of three outputs, found by Newton's method, numerically",
            characteristic_by_iteration,
            digits=6,
            points=4,
        ),
    )
    positive = claim(
        "vojnovic_yun_2025.updates.three.at-one.sum",
        "A sum of products of positive numbers, and of a square, is positive",
        derivation=derive(
            p_1 * d_2 * d_3 + p_2 * d_1 * d_3 + p_3 * d_1 * d_2 + c**2 * (p_1 * p_2 * p_3), "a sum of products"
        )
        .ge(p_1 * d_2 * d_3 + p_2 * d_1 * d_3 + p_3 * d_1 * d_2, "leave out a square")
        .gt(0, "all terms are positive"),
    )
    yield positive
    below = (d_1, d_2, d_3)
    at_one = reduce(add, characteristic_coefficients([beta - item for item in below], c))
    yield claim(
        "vojnovic_yun_2025.updates.three.at-one",
        "Its value at 1 is positive, because no advantage reaches the weight",
        derivation=derive(
            at_one,
            "the three coefficients; the advantages have mean 0",
            given=[inside[0], eq(beta, pi_1 * d_1 + pi_2 * d_2 + pi_3 * d_3)],
        )
        .eq(pi_1 * d_2 * d_3 + pi_2 * d_1 * d_3 + pi_3 * d_1 * d_2 + c**2 * product, "collect")
        .gt(
            0,
            "all terms are positive, or not negative",
            using=[positive.at({p_1: pi_1, p_2: pi_2, p_3: pi_3})],
        ),
    )


def _entries(given: Definitions, terms: Sequence[Expression]) -> Iterator[Claim]:
    """The entries of the determinant, and what puts them in: the last six."""
    known, quotient = (*inside, *stationary), reference[2] / pi_3
    name = "vojnovic_yun_2025.updates.three.determinant"
    shared = (-(gains[2] / pi_3), -hollows[2])
    values = (
        ((terms[0] + terms[2], 0, 0), (terms[2] + circulation, None, 1)),
        ((terms[2] - circulation, None, -1), (terms[1] + terms[2], 1, 0)),
    )
    rows, entries = derivatives(given), list[Claim]()
    for row, (of_row, words) in enumerate(zip(values, ("first", "second"), strict=True)):
        for column, ((value, own, turn), kind) in enumerate(zip(of_row, ("first", "second"), strict=True)):
            by_old, by_policy = rows[row][column]
            old_value, policy_value = shared[0] + turn * circulation, shared[1]
            if own is not None:
                old_value, policy_value = shared[0] - gains[own] / policy[own], shared[1] - hollows[own]
            place = f"{name}.{words}-{kind}"
            of_old = claim(
                f"{place}.old",
                f"The derivative of the {words} slope by the {kind} probability of the old policy",
                eq(by_old, old_value),
                given=known,
            )
            of_policy = claim(
                f"{place}.policy",
                f"The derivative of the {words} slope by the {kind} probability of the policy",
                eq(by_policy, policy_value),
                given=known,
            )
            yield from (of_old, of_policy)
            entries.append(
                claim(
                    place,
                    f"The {kind} entry in the {words} row of the determinant",
                    derivation=derive(by_old + mu * by_policy, "an entry", given=known)
                    .eq(old_value + mu * policy_value, "both derivatives", using=[of_old, of_policy])
                    .eq(value, "collect"),
                )
            )
    yield claim(
        f"{name}.positive",
        "The third probability of the policy and its quotient with that of the reference are positive",
        both(gt(pi_3**2, 0), gt(quotient, 0), gt((pi_3**2) ** 2, 0), gt(quotient**2, 0)),
        given=inside,
    )
    yield from entries
    put_in = claim(
        f"{name}.entries",
        "Equal numbers have equal determinants",
        eq(from_1 * from_4 - from_2 * from_3, to_1 * to_4 - to_2 * to_3),
        given=[eq(from_1, to_1), eq(from_2, to_2), eq(from_3, to_3), eq(from_4, to_4)],
    )
    yield put_in


def _places(given: Definitions, terms: Sequence[Expression]) -> dict[Symbol, Expression]:
    """The entries of the determinant and what they are, for the letters."""
    (first, second), (third, fourth) = (
        [by_old + mu * by_policy for by_old, by_policy in row] for row in derivatives(given)
    )
    return {
        from_1: first,
        from_2: second,
        from_3: third,
        from_4: fourth,
        to_1: terms[0] + terms[2],
        to_2: terms[2] + circulation,
        to_3: terms[2] - circulation,
        to_4: terms[1] + terms[2],
    }


def _maximum() -> Iterator[Claim]:
    """When the stationary policy is a strict local maximum; the Hessian on the simplex has two rows."""
    trace = pi_1 * (1 - pi_1) * (k_1 + k_3) - 2 * pi_1 * pi_2 * k_3 + pi_2 * (1 - pi_2) * (k_2 + k_3)
    minors = gt(k_1 * k_2 + k_1 * k_3 + k_2 * k_3, 0)
    forms = list(_definite_forms())
    yield from forms
    at = {u_1: k_1 + k_3, u_2: k_2 + k_3, v: k_3, p_1: pi_1 * pi_2, p_2: pi_1 * pi_3, p_3: pi_2 * pi_3}
    determinant = claim(
        "vojnovic_yun_2025.updates.three.definite.determinant",
        "The determinant of the two rows",
        gt((k_1 + k_3) * (k_2 + k_3), k_3**2),
        given=[minors],
    )
    form = claim(
        "vojnovic_yun_2025.updates.three.definite.trace",
        "The trace as such a sum",
        eq(
            trace,
            pi_1 * pi_2 * (k_1 + k_3 + (k_2 + k_3) - 2 * k_3) + pi_1 * pi_3 * (k_1 + k_3) + pi_2 * pi_3 * (k_2 + k_3),
        ),
    )
    shares = claim(
        "vojnovic_yun_2025.updates.three.definite.shares",
        "Products of probabilities are positive",
        both(gt(pi_1 * pi_3, 0), gt(pi_2 * pi_3, 0)),
        given=inside[:1],
    )
    yield from (determinant, form, shares)
    known = [determinant, form, shares]
    positive = claim(
        "vojnovic_yun_2025.updates.three.definite.positive",
        "If the first entry is positive, so is the trace",
        gt(trace, 0),
        given=[inside[0], minors, gt(k_1 + k_3, 0)],
        using=[*known, forms[-3].at(at)],
    )
    negative = claim(
        "vojnovic_yun_2025.updates.three.definite.negative",
        "If the first entry is negative, so is the trace",
        lt(trace, 0),
        given=[inside[0], minors, lt(k_1 + k_3, 0)],
        using=[*known, forms[-2].at(at)],
    )
    vanishes_not = claim(
        "vojnovic_yun_2025.updates.three.definite.entry",
        "The first entry is not 0",
        ne(k_1 + k_3, 0),
        given=[minors],
        using=[determinant, forms[-1].at(at)],
    )
    yield from (positive, negative, vanishes_not)
    yield claim(
        "vojnovic_yun_2025.updates.three.definite",
        "A symmetric matrix of two rows with positive determinant is definite; its sign is that of a trace",
        iff(gt(k_1 + k_3, 0), gt(trace, 0)),
        given=[inside[0], minors],
        using=[positive, negative, vanishes_not],
    )
    k = dict(zip((k_1, k_2, k_3), hollows, strict=True))
    there = reduce(add, gains)
    yield claim(
        "vojnovic_yun_2025.updates.three.trace",
        r"This trace is $2(\beta - \Pi)$",
        eq(trace, 2 * (beta - there)),
        given=[inside[0], *(eq(symbol, value) for symbol, value in k.items())],
    )


def _definite_forms() -> Iterator[Claim]:
    """Sums that have the sign of the first entry of a definite matrix; the last three are used."""
    definite, name = gt(u_1 * u_2, v**2), "vojnovic_yun_2025.updates.three.definite"
    above, below = gt(u_1, 0), lt(u_1, 0)
    same = claim(
        f"{name}.second-positive",
        "Where two numbers have a product above a square, with one of them the other one is positive",
        gt(u_2, 0),
        given=[above, definite],
    )
    other = claim(
        f"{name}.second-negative", "And with one of them the other one is negative", lt(u_2, 0), given=[below, definite]
    )
    square = claim(
        f"{name}.mean",
        "The square of the sum of two numbers with a product above a square",
        derivation=derive((u_1 + u_2) ** 2, "square of the sum", given=[definite])
        .ge(4 * (u_1 * u_2), "the square of the difference is left out")
        .gt(4 * v**2, "by hypothesis"),
    )
    far = gt((u_1 + u_2) ** 2, 4 * v**2)
    more = claim(
        f"{name}.sum-positive",
        "A sum of positive numbers with a larger square is larger",
        gt(u_1 + u_2, 2 * v),
        given=[above, gt(u_2, 0), far],
    )
    less = claim(
        f"{name}.sum-negative",
        "A sum of negative numbers with a larger square is smaller",
        lt(u_1 + u_2, 2 * v),
        given=[below, lt(u_2, 0), far],
    )
    form = p_1 * (u_1 + u_2 - 2 * v) + p_2 * u_1 + p_3 * u_2
    yield from (same, other, square, more, less)
    yield claim(
        f"{name}.form-positive",
        "Such a sum is positive where the first entry is",
        gt(form, 0),
        given=[above, definite],
        using=[same, square, more],
    )
    yield claim(
        f"{name}.form-negative",
        "And negative where the first entry is",
        lt(form, 0),
        given=[below, definite],
        using=[other, square, less],
    )
    yield claim(f"{name}.factor", "Neither factor of a product above a square is 0", ne(u_1, 0), given=[definite])


def _roots() -> Iterator[Claim]:
    """When both roots of a quadratic lie in the unit disc (Jury); they are real, or conjugate."""
    known = (gt(a_2, 0), gt(a_2 + a_1 + a_0, 0))
    jury = both(gt(a_2 - a_1 + a_0, 0), gt(a_2, a_0))
    yield claim(
        "vojnovic_yun_2025.updates.three.real-roots",
        "Two real zeros of such a polynomial lie in the unit disc exactly under both conditions",
        iff(both(lt(absolute(first), 1), lt(absolute(second), 1)), jury),
        given=[eq(a_2 * (first + second), -a_1), eq(a_2 * (first * second), a_0), *known],
        beyond="with `updates.three.conjugate-roots` decides for three outputs in groups of two when the eigenvalues "
        "of an update lie in the unit disc if the second variation is negative definite",
    )
    yield claim(
        "vojnovic_yun_2025.updates.three.conjugate-roots",
        "Two conjugate ones do exactly under the second one, and the first one always holds",
        both(gt(a_2 - a_1 + a_0, 0), iff(lt(first**2 + second**2, 1), gt(a_2, a_0))),
        given=[eq(2 * a_2 * first, -a_1), eq(a_2 * (first**2 + second**2), a_0), gt(a_2, 0), ne(second, 0)],
    )
    at_0, at_1, at_2 = characteristic_coefficients((A_1, A_2, A_3), c)
    total, pairs = A_1 + A_2 + A_3, pi_1 * A_2 * A_3 + pi_2 * A_1 * A_3 + pi_3 * A_1 * A_2
    mean_zero = eq(pi_1 * A_1 + pi_2 * A_2 + pi_3 * A_3, 0)
    diagonal = ((pi_2 * A_1 + pi_1 * A_2) / (pi_1 + pi_2), (1 - 2 * pi_3) * A_3 / (pi_1 + pi_2))
    off_diagonal = product * (A_1 - A_2) ** 2 / (pi_1 + pi_2) ** 2
    trace = claim(
        "vojnovic_yun_2025.updates.three.discriminant.trace",
        r"$\Pi$ is the trace of a symmetric matrix of two rows",
        eq(total, diagonal[0] + diagonal[1]),
        given=[mean_zero],
    )
    determinant = claim(
        "vojnovic_yun_2025.updates.three.discriminant.determinant",
        "And $Q$ is its determinant",
        eq(pairs, diagonal[0] * diagonal[1] - off_diagonal),
        given=[mean_zero],
    )
    not_negative = claim(
        "vojnovic_yun_2025.updates.three.discriminant.squares",
        r"So $\Pi^2 - 4Q$ is a sum of squares",
        derivation=derive(total**2 - 4 * pairs, "a difference", given=[inside[0], mean_zero])
        .eq(
            (diagonal[0] - diagonal[1]) ** 2 + 4 * off_diagonal,
            "the discriminant of such a matrix",
            using=[trace, determinant],
        )
        .ge(4 * off_diagonal, "leave out a square")
        .ge(0, "a square, and probabilities"),
    )
    yield from (trace, determinant, not_negative)
    yield claim(
        "vojnovic_yun_2025.updates.three.discriminant",
        "Without circulation the eigenvalues are real, because $\\Pi^2 \\geq 4Q$",
        both(
            eq(at_1**2 - 4 * at_2 * at_0, beta**2 * (total**2 - 4 * pairs) - 4 * at_2 * c**2 * product),
            ge(total**2, 4 * pairs),
        ),
        given=[inside[0], mean_zero],
        using=[not_negative],
    )


updates = Result("Repeated updates with three outputs", paper, derivation, shorthands=names)
