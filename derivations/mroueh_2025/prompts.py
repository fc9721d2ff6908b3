r"""The coordinates of one generic output of one generic prompt, and the objective of the GRPO iterations over all.

Other sections speak of one prompt and leave it out. Here every policy gives each output $o$ a probability at each
prompt $q$, and prompts are drawn with the chances $\rho(q)$.
"""

from derivations.mroueh_2025.functions import beta, epsilon, omega_minus, omega_plus, p
from derivations.mroueh_2025.outputs import OUTPUTS
from grpo_symbolic import Expression, IndexSet, Symbol, Total, define, eq, exp, real, sqrt
from grpo_symbolic.grpo.definitions import Definitions

#: What expectations over prompts run over.
PROMPTS = IndexSet("prompt", "prompts", "q")


def _policy(name: str, meaning: str, latex: str) -> Symbol:
    return real(name, "(0, 1]", f"probability of an output under {meaning}", latex=latex, indexed=(OUTPUTS, PROMPTS))


next_policy = _policy("pi_next", "the policy after a step", r"\pi_n({index}|{second})")
previous = _policy("pi_previous", "the policy before it", r"\pi_{n-1}({index}|{second})")
base = _policy("pi_base", "the reference policy", r"\pi_{\mathrm{ref}}({index}|{second})")
reward = real(
    "r",
    "[0, 1]",
    "reward of an output at a prompt, which is 1 for a success and 0 for a failure",
    latex=r"r({second},{index})",
    indexed=(OUTPUTS, PROMPTS),
)
advantage = real(
    "A_q",
    "(-oo, oo)",
    "advantage of an output at a prompt",
    latex="A({second},{index})",
    indexed=(OUTPUTS, PROMPTS),
)
optimal = real(
    "pi_star",
    "(0, oo)",
    "what Theorem 1 gives an output as its probability",
    latex=r"\pi^*({index}|{second})",
    indexed=(OUTPUTS, PROMPTS),
)
chance = real("rho_q", "(0, 1]", "chance of a prompt", latex=r"\rho({index})", indexed=PROMPTS)
multiplier = real(
    "lambda_q",
    "(-oo, oo)",
    "multiplier, per chance of the prompt, of the constraint that its probabilities sum to 1",
    latex=r"\lambda({index})",
    indexed=PROMPTS,
)
p_previous = real(
    "p_previous", "[0, 1]", "success probability of the policy before a step", latex="p_{n-1}({index})", indexed=PROMPTS
)
p_next = real(
    "p_next", "[0, 1]", "success probability of the policy after a step", latex="p_n({index})", indexed=PROMPTS
)
p_base = real(
    "p_base",
    "(0, 1)",
    "success probability of the reference policy",
    latex=r"p_{\mathrm{ref}}({index})",
    indexed=PROMPTS,
)

#: Numbers that a prompt has, in the place of sums over its outputs.
missed, highest, gained, paid = (
    real(name, "(-oo, oo)", meaning, latex=f"{latex}({{index}})", indexed=PROMPTS)
    for name, meaning, latex in (
        ("D_q", "divergence of a policy at a prompt from the policy of Theorem 1", "D"),
        ("L_q", "best value at a prompt", "L"),
        ("E_q", "expected advantage of a policy at a prompt", "E"),
        ("K_q", "divergence of a policy at a prompt from the reference", "K"),
    )
)

#: Theorem 2's map for the reference of a prompt.
h_of_prompt = define(
    "h_q",
    (p,),
    1 / (1 + (1 - p_base) / p_base * exp(-(1 / beta * (1 / sqrt(p * (1 - p) + epsilon))))),
    latex=r"h_{\varepsilon,p_{\mathrm{ref}}(q)}",
)


def of_outputs(body: Expression) -> Expression:
    """The sum over the outputs of a prompt."""
    return Total(body, OUTPUTS)


rewards_are_binary = eq(reward * (1 - reward), 0)
base_sums_to_one = eq(of_outputs(base), 1)
next_sums_to_one = eq(of_outputs(next_policy), 1)
#: Eq. (7) before the step and after it, and for the reference.
success_before = eq(p_previous, of_outputs(previous * reward))
success_after = eq(p_next, of_outputs(next_policy * reward))
success_of_base = eq(p_base, of_outputs(base * reward))

rise, fall = omega_plus(p_previous), omega_minus(p_previous)
#: Eq. (3) with the weights of Eq. (4), at the success probability of the policy before the step.
value = rise * reward - fall * (1 - reward)
is_advantage = eq(advantage, value)
#: The normaliser of Theorem 1 as a sum, for this advantage and for any.
Z = define("Z_q", (), of_outputs(base * exp(value / beta)), latex="Z_{n-1}(q)")
Z_of_any = define("Z_any", (), of_outputs(base * exp(advantage / beta)), latex="Z_A(q)")
#: What Theorem 1 prints, and the policy to which it leads for any advantage.
printed_normaliser = p_base * exp(1 / beta * rise) + (1 - p_base) * exp(-(1 / beta * fall))
printed = 1 / printed_normaliser * base * exp(1 / beta * value)
tilted = base * exp(advantage / beta) / Z_of_any()


def expected(policy: Expression) -> Expression:
    """The expected advantage of a policy at a prompt, as the paper writes it."""
    return rise * of_outputs(policy * reward) - fall * of_outputs(policy * (1 - reward))


def penalised(policy: Expression, given: Definitions) -> Expression:
    """The divergence of a policy from the reference at a prompt."""
    return of_outputs(given.penalty(policy, policy, base))


def average(body: Expression) -> Expression:
    """The expectation over the prompts."""
    return Total(chance * body, PROMPTS)


def objective(policy: Expression, given: Definitions) -> Expression:
    """The objective of the GRPO iterations, with the weights of the policy before the step."""
    return average(expected(policy)) - beta * average(penalised(policy, given))


def objective_of(policy: Expression, advantages: Expression, given: Definitions) -> Expression:
    """The same with the expectation of any advantages."""
    return average(of_outputs(policy * advantages)) - beta * average(penalised(policy, given))
