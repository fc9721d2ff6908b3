r"""The clipped objective for one output (Section 2.1 and the bullets on clipping).

With $f_\epsilon(x, y) = \min(xy, \mathrm{clip}(x, 1-\epsilon, 1+\epsilon)\,y)$ a positive advantage is limited only
above the ratio $1 + \epsilon$, and a negative one only below $1 - \epsilon$ (`clip.effect`). The displays for the two
signs hold for $\epsilon \ge 0$, also above 1 (`clip.positive`, `clip.negative`), and $f_\epsilon = 0$ where the
advantage is 0 (`clip.zero`), a case that is not mentioned. At a given ratio clipping is without effect as soon as
$\epsilon \ge |x - 1|$ (`clip.wide`). So where the ratios are bounded, the objective without clipping is reached at a
finite $\epsilon$, and not just approached as $\epsilon \to \infty$.
"""

from collections.abc import Iterator

from derivations.mroueh_2025 import paper
from derivations.mroueh_2025.outputs import width
from grpo_symbolic import (
    Claim,
    Expression,
    Result,
    absolute,
    both,
    claim,
    derive,
    either,
    eq,
    ge,
    gt,
    le,
    lt,
    maximum,
    minimum,
    ne,
    rational,
    real,
)

ratio = real("x", "(0, oo)", "ratio of the policy to the old policy at an output")
advantage_value = real("A", "(-oo, oo)", "advantage of an output")


def clip(at: Expression) -> Expression:
    """The ratio brought into the range from 1 less the width to 1 plus the width."""
    return minimum(maximum(at, 1 - width), 1 + width)


def clipped(at: Expression, advantage: Expression) -> Expression:
    """The paper's f: the smaller of the plain and the clipped product."""
    return minimum(at * advantage, clip(at) * advantage)


def derivation() -> Iterator[Claim]:
    """Both signs of the advantage, the width and the bullets."""
    yield from signs()
    yield from widths()
    yield from bullets()


def signs() -> Iterator[Claim]:
    """The two displays of Section 2.1, and the case between them."""
    f = clipped(ratio, advantage_value)
    cases = (
        ("positive", gt(advantage_value, 0), minimum, minimum(ratio, 1 + width), r"\min", "1 + "),
        ("negative", lt(advantage_value, 0), maximum, maximum(ratio, 1 - width), r"\max", "1 - "),
    )
    for name, sign, choice, last, word, end in cases:
        lines = [f, advantage_value * choice(ratio, clip(ratio)), advantage_value * last]
        yield claim(
            f"mroueh_2025.clip.{name}",
            f"A {name} advantage is limited on one side",
            derivation=derive(lines[0], "definition", given=[sign])
            .eq(lines[1], "take the advantage out; a negative one turns the minimum into a maximum")
            .eq(lines[2], "the other end of the range never decides"),
            equation="Section 2.1",
            printed=paper.quote(
                "Section 2.1",
                rf"f_\epsilon(x, A) = A {word}(x, \operatorname{{clip}}(x, 1-\epsilon, 1+\epsilon))"
                rf" = A {word}(x, {end}\epsilon)",
                both(eq(lines[0], lines[1]), eq(lines[1], lines[2])),
                given=(sign,),
            ),
        )
    yield claim(
        "mroueh_2025.clip.zero",
        "The clipped product vanishes exactly where the advantage does",
        derivation=derive(eq(f, 0), "no advantage is left")
        .iff(
            either(
                both(ge(advantage_value, 0), eq(advantage_value * minimum(ratio, clip(ratio)), 0)),
                both(lt(advantage_value, 0), eq(advantage_value * maximum(ratio, clip(ratio)), 0)),
            ),
            "take the advantage out; a negative one turns the minimum into a maximum",
        )
        .iff(eq(advantage_value, 0), "ratio and clipped ratio are positive"),
    )


def widths() -> Iterator[Claim]:
    """When clipping has an effect."""
    f = clipped(ratio, advantage_value)
    yield claim(
        "mroueh_2025.clip.wide",
        "Where the width is at least the distance of the ratio from 1, clipping has no effect",
        derivation=derive(f, "definition", given=[ge(width, absolute(ratio - 1))])
        .eq(
            minimum(ratio * advantage_value, ratio * advantage_value),
            "the ratio lies within the range",
        )
        .eq(ratio * advantage_value, "both are equal"),
        equation="Section 2, GRPO",
    )
    inside = either(
        both(gt(advantage_value, 0), le(ratio, 1 + width)), both(lt(advantage_value, 0), ge(ratio, 1 - width))
    )
    yield claim(
        "mroueh_2025.clip.effect",
        "Exactly where it has none, for an advantage other than 0",
        derivation=derive(eq(f, ratio * advantage_value), "no effect", given=[ne(advantage_value, 0)])
        .iff(
            le(ratio * advantage_value, clip(ratio) * advantage_value),
            "the smaller of two numbers is the first of them",
        )
        .iff(
            either(
                both(gt(advantage_value, 0), le(ratio, clip(ratio))),
                both(lt(advantage_value, 0), ge(ratio, clip(ratio))),
            ),
            "divide by the advantage; a negative one turns the inequality",
        )
        .iff(inside, "the clipped ratio is smaller only above the range, and larger only below it"),
        beyond="says exactly where clipping has an effect",
    )
    yield claim(
        "mroueh_2025.clip.lower",
        "Clipping never raises the objective",
        le(f, ratio * advantage_value),
    )


def bullets() -> Iterator[Claim]:
    """Where the clipped cost is constant."""
    success, failure = minimum(ratio, 1 + width), maximum(ratio, 1 - width)
    yield claim(
        "mroueh_2025.clip.constant-success",
        "For a success it is constant exactly from $1 + \\epsilon$ on",
        derivation=derive(eq(success, 1 + width), "the smaller of the ratio and the upper end is this end")
        .iff(eq(minimum(ratio - (1 + width), 0), 0), "subtract $1 + \\epsilon$")
        .iff(ge(ratio - (1 + width), 0), "the smaller of $v$ and 0 is 0 exactly where $v \\ge 0$")
        .iff(ge(ratio, 1 + width), "add $1 + \\epsilon$"),
        equation="Section 2.1, bullets on clipping",
        printed=paper.quote(
            "Section 2.1, first bullet on clipping",
            r"(1 + \epsilon) \text{ if } \pi_\theta(o|q) \ge (1+\epsilon)\pi_{\theta_{\mathrm{old}}}(o|q)",
            eq(success, 1 + width),
            given=(ge(ratio, 1 + width),),
        ),
    )
    yield claim(
        "mroueh_2025.clip.constant-failure",
        "For a failure exactly up to $1 - \\epsilon$",
        derivation=derive(eq(failure, 1 - width), "the larger of the ratio and the lower end is this end")
        .iff(eq(maximum(ratio - (1 - width), 0), 0), "subtract $1 - \\epsilon$")
        .iff(le(ratio - (1 - width), 0), "the larger of $v$ and 0 is 0 exactly where $v \\le 0$")
        .iff(le(ratio, 1 - width), "add $1 - \\epsilon$"),
        equation="Section 2.1, bullets on clipping",
        printed=paper.quote(
            "Section 2.1, second bullet on clipping",
            r"(1 \epsilon) \text{ if } \pi_\theta(o|q) \le (1 \epsilon)\pi_{\theta_{\mathrm{old}}}(o|q)",
            eq(failure, 1 * width),
            given=(le(ratio, 1 * width),),
            notation=r"between 1 and $\epsilon$ stands no sign at all",
            fails_at={ratio: rational(1, 3), width: rational(1, 3)},
            instead=r"A minus sign is missing twice: $1 - \epsilon$ if "
            r"$\pi_\theta(o|q) \le (1-\epsilon)\pi_{\theta_{\mathrm{old}}}(o|q)$.",
            compare_with_pdf=True,
            isolated=True,
        ),
    )


bounds = Result("Clipping", paper, derivation)
