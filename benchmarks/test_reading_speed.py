"""Speed of reading LaTeX, in displays per second: ``pytest benchmarks --benchmark-enable``."""

from __future__ import annotations

from grpo_symbolic.reading.document.paper import read_text
from grpo_symbolic.reading.tex.build import parse_rows

#: Displays of the kinds that papers have.
DISPLAYS = [
    r"$$\pi_{\theta}(o \mid q) = \frac{1}{Z_q} \pi_{\text{ref}}(o \mid q) e^{\frac{1}{\beta} r_{\phi}(o \mid q)}.$$",
    r"""\begin{align} f'(x) &= \sigma(z(x)) \left(1 - \sigma(z(x))\right) \frac{2x-1}{2\beta [x(1-x)+s]^{3/2}} -1 \\
        &= \frac{1}{4 \cosh^2\left(\frac{z(x)}{2}\right)} \frac{2x-1}{2\beta [x(1-x)+s]^{3/2}} - 1 \label{eq:two}
        \end{align}""",
    r"""\[ A(q, o) = \begin{cases} \sqrt{\frac{1-p}{p}} & \text{if } r(q, o) = 1, \\
        -\sqrt{\frac{p}{1-p}} & \text{if } r(q, o) = 0. \end{cases} \]""",
    r"$$\mathbb{E}_{o \sim \pi(\cdot \mid q)}\left[\mathcal{P}_2(o \mid q)\right] = \sum_{i=1}^{G} |x_i| \le 1$$",
]
PAPER = read_text("\n\ntext\n\n".join(DISPLAYS * 50))


def test_displays_to_trees(benchmark):
    benchmark(lambda: [parse_rows(block.tokens(), start=block.inner) for block in PAPER.blocks])
    if benchmark.stats:
        benchmark.extra_info["displays_per_second"] = len(PAPER.blocks) / benchmark.stats.stats.min


def test_displays_to_steps(benchmark):
    steps = benchmark(lambda: [step for display in PAPER.displays() for step in display.steps])
    if benchmark.stats:
        benchmark.extra_info["displays_per_second"] = len(PAPER.blocks) / benchmark.stats.stats.min
    assert len(steps) == 6 * 50
