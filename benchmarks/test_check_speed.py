"""Speed of checking a paper of over 200 steps in two processes: ``pytest benchmarks --benchmark-enable``."""

from __future__ import annotations

from grpo_symbolic.referee.check import Options, check_paper
from grpo_symbolic.referee.findings import STANDING

MAP = '%: [symbols]\n%: p = "(0, 1)"\n%: q = "(0, 1)"\n%: b = "(0, oo)"\n'
#: Eighteen steps of the kinds that papers have: rational, with roots, exponentials and logarithms, inequalities.
ROWS = r"""
\begin{align}
  \frac{p}{1 - p} - \frac{q}{1 - q} &= \frac{p - q}{(1 - p) (1 - q)} \\
  \sqrt{p (1 - p)} &= p \sqrt{\frac{1 - p}{p}} = \sqrt{p} \sqrt{1 - p} \\
  \frac{1}{1 + \exp(-b)} &= 1 - \frac{1}{1 + \exp(b)} = \frac{\exp(b)}{1 + \exp(b)} \\
  \log\frac{p}{q} + \log q &= \log p < 0 \\
  (p - q)^2 &= p^2 - 2 p q + q^2 \ge 0 \\
  \exp(b p) \exp(-b q) &= \exp(b (p - q)) \\
  p (1 - p) &= p - p^2 \le \frac{1}{4} \\
  \frac{1 - p}{\sqrt{p (1 - p)}} &= \sqrt{\frac{1 - p}{p}} > 0 \\
  \cosh^2(b) - \sinh^2(b) &= 1 \\
  \frac{p}{p + (1 - p) \exp(-b)} &> p \\
  1 - \exp(-b) &< b \\
  \log(1 + b) &\le b
\end{align}
and
"""


def test_a_paper_of_two_hundred_steps(benchmark, tmp_path):
    path = tmp_path / "paper.tex"
    path.write_text(MAP + ROWS * 12)
    review = benchmark.pedantic(check_paper, (path, Options(jobs=2)), rounds=1)
    assert len(review.findings) >= 200
    assert all(finding.status in STANDING for finding in review.findings)
