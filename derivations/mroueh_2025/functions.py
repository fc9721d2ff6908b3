"""The paper's symbols and the functions it names: printed by their names, checked by what they stand for.

Symbols that only one section needs are declared there. The names are the paper's own.
"""

from grpo_symbolic import Expression, Statement, absolute, cosh, define, exp, ge, log, rational, real, sqrt

p = real("p", "[0, 1]", "success probability of the old policy")
p_ref = real("p_ref", "(0, 1)", "success probability of the reference policy", latex=r"p_{\mathrm{ref}}")
beta = real("beta", "(0, oo)", "weight of the divergence penalty", latex=r"\beta")
epsilon = real("epsilon", "(0, oo)", "smoothing constant of the advantage", latex=r"\varepsilon")
argument = real("z", "(-oo, oo)", "an argument of the logistic function")

half, zero, one = rational(1, 2), rational(0), rational(1)

#: Eq. (4): the weights of successes and failures in the contrastive loss.
omega_plus = define("omega_plus", (p,), (1 - p) / sqrt(p * (1 - p) + epsilon), latex=r"\omega_{\varepsilon}^{+}")
omega_minus = define("omega_minus", (p,), p / sqrt(p * (1 - p) + epsilon), latex=r"\omega_{\varepsilon}^{-}")

#: Theorem 2: the map at which ``success_map`` arrives.
h = define(
    "h",
    (p,),
    1 / (1 + (1 - p_ref) / p_ref * exp(-(1 / beta * (1 / sqrt(p * (1 - p) + epsilon))))),
    latex=r"h_{\varepsilon,p_{\mathrm{ref}}}",
)

#: Proof of Proposition 1: the map is a logistic function.
sigma = define("sigma", (argument,), 1 / (1 + exp(-argument)), latex=r"\sigma")
A = define("A", (), (1 - p_ref) / p_ref)
B = define("B", (p,), 1 / beta * (1 / sqrt(p * (1 - p) + epsilon)))
z = define("z", (p,), -log(A()) + B(p))

#: Lemma 1: the bound on the weight of the penalty.
stability_bound = define(
    "stability_bound",
    (p,),
    p * (1 - p) * (absolute(2 * p - 1) / (2 * (p * (1 - p) + epsilon) ** rational(3, 2))),
    latex=r"\mathcal{B}",
)

#: Proof of Theorem 3: the excess over the diagonal, the two parts of z and the function xi.
f = define("f", (p,), h(p) - p)
a = define("a", (p_ref,), -log((1 - p_ref) / p_ref))
b = define("b", (p,), 1 / sqrt(p * (1 - p) + epsilon))
xi = define("xi", (p,), cosh(1 / (2 * beta) * b(p)) ** 2, latex=r"\xi")


def slope_of_z(at: Expression = p) -> Expression:
    """The slope of z as the proof of Theorem 3 writes it, at a success probability."""
    return (2 * at - 1) / (2 * beta * (at * (1 - at) + epsilon) ** rational(3, 2))


def sigmoid_product(at: Expression) -> Expression:
    """The logistic function times its complement, which is also its slope."""
    return sigma(at) * (1 - sigma(at))


def steepness(at: Expression = p_ref) -> Expression:
    """The right-hand side of Theorem 3's condition."""
    return at * (1 - at) * (2 * at - 1) / (2 * (at * (1 - at) + epsilon) ** rational(3, 2))


#: The left-hand side of Theorem 3's condition without beta, which is xi at one half.
cosh_square = cosh(1 / (2 * beta) * (1 / sqrt(rational(1, 4) + epsilon))) ** 2


def condition_on_beta() -> Statement:
    """The condition of Theorem 3 (2), as printed."""
    return ge(beta * cosh_square, steepness())
