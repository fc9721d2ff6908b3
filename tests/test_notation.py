"""Notation maps: what they say, the mistakes they name with line and remedy, and how a paper is read with one."""

import pickle
from contextlib import suppress

import pytest

from grpo_symbolic.errors import DeclarationError
from grpo_symbolic.language.expression import Symbol
from grpo_symbolic.language.vocabulary import exp, log, real
from grpo_symbolic.reading.document.paper import read_text
from grpo_symbolic.reading.meaning.interpret import interpret
from grpo_symbolic.reading.meaning.refusal import NotUnderstood
from grpo_symbolic.reading.meaning.steps import read_sides
from grpo_symbolic.reading.notation.documents import Document, documents_in
from grpo_symbolic.reading.notation.file import read_map
from grpo_symbolic.reading.notation.formulas import read_formula
from grpo_symbolic.reading.notation.map import MapError
from grpo_symbolic.reading.notation.patterns import Pattern
from grpo_symbolic.reading.places import Source
from grpo_symbolic.reading.tex.build import parse_tree
from grpo_symbolic.reading.tex.normal import normal

x = real("x", "(0, 1)", "a symbol of the paper")
y = real("y", "(0, oo)", "a symbol of the paper")


def notation(text):
    return read_map([Document(Source("paper.notation.toml", text))])


def outcomes(paper, text="", **options):
    """The steps of a paper, read with a map beside it and the maps in its comments."""
    read = read_text(paper, **options)
    documents = [Document(Source("paper.notation.toml", text)), *documents_in(read.map_lines)]
    return interpret(read.displays(), read_map(documents))


# Formulas of the map.


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("1/(1 + exp(-x))", 1 / (1 + exp(-x))),
        ("x**2 - log(y)", x**2 - log(y)),
        ("-x", -x),
    ],
)
def test_formulas_are_read(text, meaning):
    assert read_formula(text, {"x": x, "y": y}) == meaning


def test_decimals_are_exact():
    assert str(read_formula("0.1*x", {"x": x})) == "(1/10 * x)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("__import__(x)", "unknown function '__import__'"),
        ("exp('os')", "not a real number"),
        ("x.real", "'x.real' has no meaning"),
        ("[x for x in y]", "has no meaning"),
        ("lambda: 1", "has no meaning"),
        ("x if y else 1", "has no meaning"),
        ("'text'", "not a real number"),
        ("1j", "not a real number"),
        ("z", "uses 'z', which is not declared"),
        ("x +", "cannot read the formula"),
        ("x**99999", "beyond the limit"),
        ("(" * 300 + "x" + ")" * 300, "cannot read the formula|nested too deeply"),
        ("x" + "+x" * 2000, "longer than"),
        ("exp(x, y)", "applied to 2 arguments"),
        ("exp(x=1)", "has no meaning"),
    ],
)
def test_formulas_that_say_something_else_are_refused(text, message):
    with pytest.raises(DeclarationError, match=message):
        read_formula(text, {"x": x, "y": y})


# Patterns.


@pytest.mark.parametrize(
    ("pattern", "text", "holes"),
    [
        (r"\pi_\theta(#o \mid q)", r"\pi_{\theta}( a | q )", {"o": "a"}),
        (r"\pi_{\text{ref}}(#o \mid q)", r"\pi_{\rm ref}(b \mid q)", {"o": "b"}),
        (r"\pi_{\mathrm{ref}}", r"\pi_{ref}", {}),
        (r"r_{#i}", "r_1", {"i": "1"}),
        (r"\mathrm{KL}(#P || #Q)", r"\operatorname{KL}(\pi \mid\mid \pi')", {"P": r"\pi", "Q": r"\pi'"}),
        (r"h(#p)", r"h\left( 1 - p \right)", {"p": "1 - p"}),
        (r"\sigma(#z)", r"\sigma{(z)}", {"z": "z"}),
        (r"\mathcal{P}(#o \succ #u)", r"\mathcal P(a \succ b)", {"o": "a", "u": "b"}),
    ],
)
def test_patterns_match_what_prints_the_same(pattern, text, holes):
    nodes = normal(parse_tree(text))
    match = Pattern.of(pattern).match(nodes, 0)
    assert match is not None
    assert match.end == len(nodes)
    assert match.holes == {name: normal(parse_tree(content)) for name, content in holes.items()}


@pytest.mark.parametrize(
    ("pattern", "text"),
    [("p", "p_1"), ("p^*", "p"), ("h(#p)", "h"), ("h(#p)", "h(p, q)"), (r"\epsilon", r"\varepsilon"), ("r_{#i}", "r")],
)
def test_patterns_do_not_match_other_names(pattern, text):
    assert Pattern.of(pattern).match(parse_tree(text), 0) is None


def test_powers_and_primes_are_left_over():
    match = Pattern.of("h_a(#p)").match(parse_tree("h_a'(p)^2"), 0)
    assert match is not None
    assert match.primes == 1
    assert match.power == parse_tree("2")


def test_patterns_survive_pickling():
    pattern = pickle.loads(pickle.dumps(Pattern.of(r"\pi(#o \mid q)")))
    assert pattern.match(parse_tree(r"\pi(a|q)"), 0) is not None


@pytest.mark.parametrize(
    ("latex", "message"), [("#x", "a hole that nothing encloses"), ("", "empty"), ("h(#x", "broken LaTeX")]
)
def test_bad_patterns_are_refused(latex, message):
    with pytest.raises(DeclarationError, match=message):
        Pattern.of(latex)


# Mistakes in a map.


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("[symbols]\nx = '(0, 1)'\ny = 'nonsense'", 3, "cannot read interval"),
        ("[symbols]\nx = 3", 2, "has no domain"),
        ("[symbols]\nx = { in = '(0, 1)', factor = 2 }", 2, "factor = 2 says nothing about brackets"),
        ("[symbols]\nx = { domain = '(0, 1)' }", 2, "'domain' is no property of a symbol.*known: in, tex, meaning"),
        ("[symbols]\nlambda = '(0, 1)'", 2, "a word of Python.*write lambda_"),
        ("[symbols]\n'a b' = '(0, 1)'", 2, "is not a name"),
        ("[symbols]\nx = { in = '(0, 1)', tex = 'x_{' }", 2, "broken LaTeX"),
        ('[symbols]\nx = { in = "(0, 1)", tex = "\\nu" }', 2, "control character; put it into single quotes"),
        ("x = ", 1, "[Ii]nvalid value.*single quotes"),
        ("\n[symbol]\nx = '(0, 1)'", 2, "'symbol' is no table.*known: symbols"),
        ("[indices]\no = 'O'", 2, "runs over 'O', which is no set"),
        ("[sizes]\nG = [2]", 2, r"one value of G is not enough.*write G = \[2, 3\]"),
        ("[sets]\nO = ['a', 'a']", 2, "the same member twice"),
        ("[[notation]]\ntex = 'f(#x)'\nis = '1 + z'", 1, "uses 'z', which is not declared"),
        ("[[notation]]\ntex = 'f(#x)'\nis = '1'", 1, "does not use the hole #x"),
        ("[[notation]]\ntex = 'f(#x)'", 1, "one meaning"),
        ("[[notation]]\ntex = 'w(#o)'\nby = 'x'", 1, "by is a table of labels"),
        ("[[notation]]\ntex = 'w(#o)'\nby = { 'a, b' = '1' }", 1, "does not fit the holes"),
        ("[reading]\nproduct_argument = ['f']", 2, "no elementary function"),
        ("[reading]\nrestricted = 'yes'", 2, "write restricted = 'indicator'"),
        ("[[claim]]\nlabel = 'eq:1'\nkind = 'wrong'", 1, "no kind of claim; known: identity"),
        ("[[claim]]\nlabel = 'eq:1'\nkind = 'skip'", 1, "skipped without a reason"),
        ("[[claim]]\nlabel = 'eq:1'\nkind = 'solution'", 1, "write of"),
        ("[[claim]]\nlabel = 'eq:1'\ntag = '1'\nkind = 'condition'", 1, "a label, a tag or a quote"),
        ("[[claim]]\nlabel = 'eq:1'\nput = { z = '1' }", 1, "z is no symbol of the map"),
        ("[[section]]\nto = 'there'", 1, "does not say where it begins"),
    ],
)
def test_mistakes_are_named_with_line_and_remedy(text, line, message):
    with pytest.raises(MapError, match=message) as caught:
        notation(text)
    assert caught.value.place.line == line
    assert caught.value.place.source.name == "paper.notation.toml"


EVERYTHING = """
[symbols]
x = { in = '(0, 1)', tex = 'x', meaning = 'a number' }
[sets]
O = ['a', 'b']
[indices]
o = 'O'
[sizes]
G = [2, 3]
[reading]
product_argument = ['exp']
restricted = 'indicator'
[[notation]]
tex = 'w(#o)'
by = { a = 'x', b = '1 - x' }
alone = 'w'
[[definition]]
label = 'eq:1'
params = 'x'
holes = { P = 'w' }
[[claim]]
tag = '1'
kind = 'consequence'
of = '2'
put = { x = '1/2' }
where = { o = 'a' }
[[section]]
from = 'here'
[section.symbols]
y = '(0, 1)'
"""


def _replaced(data, value):
    """The same data with one of its values replaced, for every value."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, old in items:
        whole = {**data, key: value} if isinstance(data, dict) else [*data[:key], value, *data[key + 1 :]]
        yield whole
        if isinstance(old, dict | list):
            for inner in _replaced(old, value):
                yield {**data, key: inner} if isinstance(data, dict) else [*data[:key], inner, *data[key + 1 :]]


@pytest.mark.parametrize("value", [3, True, 1.5, "", "#", [], [1], {}, {"a": 1}, [{}], "\\frac{", "x" * 5000])
def test_whatever_stands_in_a_map_is_a_named_mistake_or_fine(value):
    document = Document(Source("paper.notation.toml", EVERYTHING))
    read_map([document])
    for data in list(_replaced(document.data, value)):
        document.data = data
        with suppress(MapError):
            read_map([document])


def test_clashing_and_merged_entries_are_warned_of():
    said = notation("[symbols]\nx = '(0, 1)'\n[[notation]]\ntex = 'x'\nis = '1'\n[[notation]]\ntex = 'v'\nis = 'x'")
    warnings = [str(warning) for warning in said.warnings()]
    assert any("x is declared twice" in warning for warning in warnings)
    assert any("v and x are both the symbol x" in warning for warning in warnings)


# A paper read with a map.

PAPER = r"""
\begin{equation} f(x) = x^2 + 1 \label{eq:f} \end{equation}
\begin{equation} f'(x) = 2x \label{eq:prime} \end{equation}
\begin{align} f(1 - x) &= (1-x)^2 + 1 \\ &= x^2 - 2x + 2 \end{align}
"""
MAP = "[symbols]\nx = '(0, 1)'\n[[definition]]\nlabel = 'eq:f'\nparams = 'x'\n"


def test_definitions_are_taken_from_the_paper():
    read = outcomes(PAPER, MAP)
    assert [outcome.kind for outcome in read.outcomes] == ["definition", "", "", ""]
    assert [str(outcome.read.instances[0].left) for outcome in read.outcomes] == [
        "f(x)",
        "d/dx [f(x)]",
        "f((1 - x))",
        "(((1 - x) ** 2) + 1)",
    ]
    assert read.unused == ()
    assert read.warnings == ()


def test_definitions_hold_before_the_sentence_that_explains_them():
    read = outcomes("$$2 h(x) = 2x$$ where $$h(x) = x.$$", MAP.replace("label = 'eq:f'", "quote = 'h(x) = x.'"))
    assert str(read.outcomes[0].read.instances[0].left) == "(2 * h(x))"


def test_the_latest_definition_wins():
    paper = "$$f(x) := x$$ $$f(x) + 1 = x + 1$$ $$g(x) := f(x)$$ $$g(x) = x$$"
    read = outcomes(paper, "[symbols]\nx = '(0, 1)'\n")
    assert [outcome.kind for outcome in read.outcomes] == ["definition", "", "definition", ""]
    assert str(read.outcomes[3].read.instances[0].left) == "g(x)"


def test_a_family_is_defined_for_every_index():
    paper = r"$$w_i := i + x$$ $$\sum_{i=1}^{3} w_i = 6 + 3x$$"
    said = "[symbols]\nx = '(0, 1)'\n[sets]\nI = '1..3'\n[indices]\ni = 'I'\n"
    read = outcomes(paper, said)
    assert str(read.outcomes[1].read.instances[0].left) == "(((1 + x) + (2 + x)) + (3 + x))"


def test_comments_of_the_paper_are_the_same_language():
    paper = "%: [symbols]\n%: x = '(0, 1)'\n$$x + 1 = 1 + x$$\n%: [[claim]]\n%: kind = 'condition'\n$$x = \\frac12$$"
    read = outcomes(paper)
    assert [outcome.kind for outcome in read.outcomes] == ["", "condition"]


def test_markdown_comments_are_read_and_their_mistakes_have_the_line_of_the_paper():
    paper = "# Title\n\n<!--:\n[symbols]\nx = '(1, 0)'\n-->\n$$x = x$$"
    with pytest.raises(MapError, match="contains no number") as caught:
        outcomes(paper, tex=False)
    assert caught.value.place.line == 5


def test_sections_have_their_own_readings():
    paper = "Part one $$p = x$$ Part two $$p = x$$ Part three $$p = x$$"
    said = (
        "[symbols]\nx = '(0, 1)'\np = '(0, 1)'\n[[section]]\nfrom = 'Part two'\nto = 'Part three'\n"
        "[section.symbols]\np_2 = { in = '(0, 1)', tex = 'p' }\n"
    )
    read = outcomes(paper, said)
    assert [str(outcome.read.instances[0].left) for outcome in read.outcomes] == ["p", "p_2", "p"]


def test_claims_are_addressed_by_tag_label_or_quote_and_unknown_addresses_are_named():
    paper = r"\begin{equation} x = 1 \tag{7} \end{equation} $$x^2 = 1$$"
    said = (
        "[symbols]\nx = '(0, 2)'\n[[claim]]\ntag = '7'\nkind = 'condition'\n"
        "[[claim]]\nquote = 'x^{2}'\nkind = 'condition'\n[[claim]]\nquote = 'x^2'\nkind = 'consequence'\nof = '7'\n"
    )
    read = outcomes(paper, said)
    assert [outcome.kind for outcome in read.outcomes] == ["condition", "consequence"]
    assert ["the paper has no quote x^{2}" in str(warning) for warning in read.warnings] == [True]


def test_assumptions_and_values_after_differentiation():
    paper = r"$$\frac{d}{dx} (x y^2) = x^2$$"
    said = (
        "[symbols]\nx = '(0, 1)'\ny = '(0, 1)'\n[[claim]]\nquote = 'y^2'\nput = { y = 'x' }\nassume = 'x < \\frac12'\n"
    )
    (outcome,) = outcomes(paper, said).outcomes
    instance = outcome.read.instances[0]
    assert str(instance.left) == "[d/dx [(x * (y ** 2))] at y = x]"
    assert str(instance.statement) == f"(x < (1 / 2)) => ({instance.left} = {instance.right})"


def test_equal_up_to_a_constant_needs_to_know_in_what():
    paper = r"$$x^2 = x^2 + y + \text{const.}$$"
    said = "[symbols]\nx = '(0, 1)'\ny = '(0, 1)'\n"
    (outcome,) = outcomes(paper, said).outcomes
    assert "constant in what" in str(outcome.refusal)
    (outcome,) = outcomes(paper, said + "[[claim]]\nquote = 'const'\nvaries = 'x'\n").outcomes
    assert str(outcome.read.instances[0].left) == "d/dx [(x ** 2)]"


def test_unused_entries_are_listed():
    read = outcomes("$$x = x$$", "[symbols]\nx = '(0, 1)'\ny = '(0, 1)'\n")
    assert [entry.name for entry in read.unused] == ["y"]
    assert "same formula" in read.outcomes[0].read.notes[0].text


def test_conditions_of_a_row_become_hypotheses_or_stay_unread():
    said = "[symbols]\nx = '(0, 1)'\n"
    (first,) = outcomes(r"$$x^2 = x \quad \text{if } x = 1$$", said).outcomes
    assert [str(item) for item in first.read.instances[0].hypotheses] == ["x = 1"]
    (second,) = outcomes(r"$$x^2 = x \quad \text{if the moon is full}$$", said).outcomes
    assert second.read.instances[0].hypotheses == ()
    assert len(second.read.unread) == 1


def test_a_label_below_a_brace_is_compared():
    said = "[symbols]\nx = '(0, 1)'\n[[notation]]\ntex = 'a(#u)'\nis = '2*u'\n"
    (outcome,) = outcomes(r"$$x + 1 = \underbrace{x + x}_{a(x)} - x + 1$$", said).outcomes
    assert [str(instance.left) for instance in outcome.read.instances] == ["(x + 1)", "a(x)"]


def test_an_indexed_family_declares_its_symbols():
    said = notation(
        "[sets]\nI = '1..3'\n[[notation]]\ntex = 'r_{#i}'\neach = '(0, 1)'\nover = 'I'\nmeaning = 'a reward'"
    )
    assert [str(symbol.domain) for symbol in said.symbols.values()] == ["(0, 1)"] * 3
    assert read_sides([parse_tree("r_2")], said.context()) == [said.symbol("r_2")]
    assert said.symbol("r_2").latex == "r_{2}"
    with pytest.raises(MapError, match="each needs a declared set; write over"):
        notation("[[notation]]\ntex = 'r_{#i}'\neach = '(0, 1)'")


def test_symbols_are_found_by_name():
    said = notation("[symbols]\nbeta = '(0, oo)'")
    assert isinstance(said.symbol("beta"), Symbol)
    assert said.symbol("gamma") is None
    assert read_sides([parse_tree(r"\beta")], said.context()) == [said.symbol("beta")]
    with pytest.raises(NotUnderstood, match=r"\\gamma is not declared"):
        read_sides([parse_tree(r"\gamma")], said.context())
