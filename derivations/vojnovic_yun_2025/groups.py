"""A group of members, each with an output of the old policy: what expectations over groups are about.

The output of a member comes with its reward. Where the reward is random given the output, an element of the set of
outputs is here an output together with one of its rewards.
"""

from derivations.vojnovic_yun_2025.advantage import size
from derivations.vojnovic_yun_2025.outputs import old
from grpo_symbolic import Group, IndexSet, Symbol, Total, drawn, eq, real

MEMBERS = IndexSet("member", "members", "i")
member_reward = real("r_member", "(-oo, oo)", "reward of a member of the group", latex="r_{index}", indexed=MEMBERS)
old_sums_to_one = eq(Total(old), 1)


def group_of(reward: Symbol) -> Group:
    """A group of any size, whose members draw outputs, with these rewards, from the old policy."""
    return Group(member_reward, size, drawn(reward, old))
