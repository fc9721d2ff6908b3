"""The rules by which ``checks.totals`` and statements about every element transform sums, in words, for printing."""

from __future__ import annotations

from grpo_symbolic.language.index_set import IndexSet


def sum_rules(over: IndexSet) -> tuple[str, ...]:
    """Sentences with LaTeX about sums over an index set, in its own words and with its letter."""
    i, element = over.letter, over.element
    j = "k" if i == "j" else "j"
    return (
        rf"Linearity: $\sum_{i} (a f_{i} + b g_{i}) = a \sum_{i} f_{i} + b \sum_{i} g_{i}$ if $a$ and $b$ are the same "
        f"for every {element}.",
        f"A sum of positive numbers is positive: there is at least one {element}. A sum of numbers that are not "
        "negative is not negative.",
        rf"Equal summands have equal sums: if $f_{i} = g_{i}$ for every {element} ${i}$, then "
        rf"$\sum_{i} f_{i} = \sum_{i} g_{i}$.",
        rf"In a separable sum only one summand depends on the coordinate $x_{i}$: "
        rf"$\frac{{\partial}}{{\partial x_{i}}} \sum_{{{i}'}} f(x_{{{i}'}}) = f'(x_{i})$.",
        f"A relation that holds for every {element} may be multiplied by a weight and summed: "
        rf"if $f_{i} = g_{i}$ for every ${i}$, then $\sum_{i} w_{i} f_{i} = \sum_{i} w_{i} g_{i}$; "
        rf"if $f_{i} \le g_{i}$ and $w_{i} \ge 0$ for every ${i}$, then "
        rf"$\sum_{i} w_{i} f_{i} \le \sum_{i} w_{i} g_{i}$, and likewise with $<$.",
        "No term of a sum of nonnegative numbers exceeds it: "
        rf"if $f_{i} \ge 0$ for every ${i}$, then $f_{i} \le \sum_{{{i}'}} f_{{{i}'}}$.",
        rf"Chain rule of the softmax: if $\pi_{i} = e^{{\theta_{i}}} / \sum_{{{i}'}} e^{{\theta_{{{i}'}}}}$, "
        rf"then $\frac{{\partial \pi_{i}}}{{\partial \theta_{j}}} = \pi_{i} (\delta_{{{i}{j}}} - \pi_{j})$.",
    )
