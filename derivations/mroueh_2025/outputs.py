r"""The coordinates of one generic output that several results share, for a policy over any number of outputs.

The reward of an output is 0 or 1, so it is its own indicator: $\mathbf{1}_{r(q,o)=1}$ is the reward and
$\mathbf{1}_{r(q,o)=0}$ is 1 less the reward.
"""

from grpo_symbolic import Expression, IndexSet, Total, eq, gt, le, lt, real

#: What sums run over.
OUTPUTS = IndexSet("output", "outputs", "o")

policy = real("pi", "(0, 1]", "probability of an output under the policy", latex=r"\pi({index}|q)", indexed=OUTPUTS)
any_policy = real(
    "pi_any",
    "[0, 1]",
    "probability of an output under a policy, which may never give it",
    latex=r"\pi'({index}|q)",
    indexed=OUTPUTS,
)
old = real(
    "pi_old",
    "(0, 1]",
    "probability of an output under the old policy",
    latex=r"\pi_{\theta_{\mathrm{old}}}({index}|q)",
    indexed=OUTPUTS,
)
reference = real(
    "pi_ref",
    "(0, 1]",
    "probability of an output under the reference policy",
    latex=r"\pi_{\mathrm{ref}}({index}|q)",
    indexed=OUTPUTS,
)
success = real(
    "s",
    "[0, 1]",
    "reward of an output, which is 1 for a success and 0 for a failure",
    latex=r"r(q,{index})",
    indexed=OUTPUTS,
)
value = real("A", "(-oo, oo)", "advantage of an output, any number", latex="A(q,{index})", indexed=OUTPUTS)
gain = real("A_1", "(-oo, oo)", "advantage of a success, which is the weight of Eq. (4)", latex=r"\omega^{+}")
loss = real("A_0", "(-oo, oo)", "advantage of a failure with its sign turned", latex=r"\omega^{-}")

width = real("epsilon_clip", "[0, oo)", "clipping parameter", latex=r"\epsilon")

#: The reward is 0 or 1, in the form that samplers solve for each output by itself.
binary = eq(success * (1 - success), 0)

sums_to_one = eq(Total(policy), 1)
any_sums_to_one = eq(Total(any_policy), 1)
old_sums_to_one = eq(Total(old), 1)
reference_sums_to_one = eq(Total(reference), 1)

#: What the paper takes for granted: probabilities do not exceed 1 together, rewards are 0 or 1, the advantage of a
#: success is positive and that of a failure negative, and clipping leaves a range around 1.
setting = (
    le(Total(policy), 1),
    le(Total(old), 1),
    le(Total(reference), 1),
    binary,
    gt(gain, 0),
    gt(loss, 0),
    gt(width, 0),
    lt(width, 1),
)


def advantage(rise: Expression = gain, fall: Expression = loss) -> Expression:
    """The advantage of an output: ``rise`` for a success, minus ``fall`` for a failure."""
    return rise * success - fall * (1 - success)
