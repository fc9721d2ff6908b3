r"""The coordinates of one generic output, and sums over outputs, that several results share.

A sum runs over the outputs to which the policy gives positive probability (its support). The reference
policy may give probability to other outputs as well, so its probabilities sum to some
$R \in (0, 1]$ there, and $R = 1$ exactly if it has no other outputs. Where a sum runs over the outputs of the
reference, the policy is any one, which may give some of them the probability 0: that is another symbol.
"""

from grpo_symbolic import Expression, IndexSet, Total, absolute, eq, le, on_support, real

#: What sums run over.
OUTPUTS = IndexSet("output", "outputs", "o")
#: Any output, beside the one of which formulas speak.
OTHER = OUTPUTS.another("a")

beta = real("beta", "(0, oo)", "weight of the divergence penalty", latex=r"\beta")
policy = real(
    "pi",
    "(0, 1]",
    "probability of an output under the policy",
    latex=r"\pi_\theta({index} \mid q)",
    indexed=OUTPUTS,
)
any_policy = real(
    "pi_any",
    "[0, 1]",
    "probability of an output under a policy, which may never give it",
    latex=r"\pi({index} \mid q)",
    indexed=OUTPUTS,
)
old = real(
    "pi_old",
    "(0, 1]",
    "probability of an output under the old policy, from which groups are sampled",
    latex=r"\pi_{\theta_{\mathrm{old}}}({index} \mid q)",
    indexed=OUTPUTS,
)
reference = real(
    "pi_ref",
    "(0, 1]",
    "probability of an output under the reference policy",
    latex=r"\pi_{\mathrm{ref}}({index} \mid q)",
    indexed=OUTPUTS,
)
any_old = real(
    "pi_old_any",
    "[0, 1]",
    "probability of an output under an old policy, which may never give it",
    latex=r"\pi_{\theta_{\mathrm{old}}}({index} \mid q)",
    indexed=OUTPUTS,
)
direction = real("v", "(-oo, oo)", "change of an output's probability", latex="v({index})", indexed=OUTPUTS)
covered = real("R", "(0, 1]", "reference probability of all outputs that the policy gives")

#: Which of two outputs is preferred, and that preferences are antisymmetric.
prefers = real(
    "P",
    "[0, 1]",
    "probability that an output is preferred to another one",
    latex=r"\mathcal{P}({index} \succ {second})",
    indexed=(OUTPUTS, OTHER),
)
antisymmetric = eq(prefers + prefers.at(OTHER, OUTPUTS), 1)


def expected(body: Expression) -> Expression:
    """The sum over all other outputs, such as those of an opponent."""
    return Total(body, OTHER)


preference = real(
    "P",
    "(-oo, oo)",
    "expected advantage of an output beside a group of the old policy",
    latex=r"\mathcal{P}_G({index})",
    indexed=OUTPUTS,
)
missing = real(
    "P_missing",
    "(-oo, oo)",
    "expected advantage of an output that the policy never gives",
    latex=r"\mathcal{P}_G(o_0)",
)
average = real("S", "(-oo, oo)", "mean of the expected advantage under the policy")

sums_to_one = eq(Total(policy), 1)
any_sums_to_one = eq(Total(any_policy), 1)
reference_sums_to_covered = eq(Total(reference), covered)

#: What the paper takes for granted: probabilities do not exceed 1 together, the expected advantage has the mean 0 under
#: the policy from which groups are sampled, and it is one that occurs, here in groups of two, where an output is never
#: compared with itself.
setting = (
    le(Total(policy), 1),
    le(Total(old), 1),
    le(Total(reference), 1),
    le(absolute(preference), 1 - policy),
    le(absolute(missing), 1),
    eq(average, 0),
)


def sampled_reward(of: Expression) -> Expression:
    """What groups of the old policy show of the expected advantage: an output that it never gives is in none."""
    return Total(on_support(any_old, any_old * (of / any_old * preference)))
