"""What the words of a paper with a map say of its displays: each rule with true and false twins, and hostile papers."""

import re
from dataclasses import replace

import pytest
from referee_here import QUICK, in_this_process

from grpo_symbolic.reading.notation.map import MapError
from grpo_symbolic.referee.check import check_paper
from grpo_symbolic.referee.findings import Status

__all__ = ["in_this_process"]
pytestmark = pytest.mark.usefixtures("in_this_process")

MAP = r"""
[symbols]
x = "(0, 1)"
y = "(0, oo)"
p = "(0, 1)"
"""
OUTPUTS = r"""
[symbols]
s = "(0, 1)"
[sets]
O = ["a", "b"]
groups = "1..3"
[indices]
"o, o'" = "O"
"i, j" = "groups"
[[notation]]
tex = ['\pi(#o)', '\pi(#o | q)']
distribution = "O"
name = "p"
alone = '\pi'
[[notation]]
tex = '\rho(#o)'
distribution = "O"
name = "r"
alone = '\rho'
[[notation]]
tex = 'r_{#i}'
each = "(-oo, oo)"
over = "groups"
[[notation]]
tex = 'w(#o, #u)'
each = "[0, 1]"
over = "O"
"""

DEFINED, CONDITION, DECIDED = Status.BY_DEFINITION, Status.CONDITION, Status.DECIDED
REFUTED, UNCLEAR, UNREAD = Status.REFUTED, Status.NOT_AN_IDENTITY, Status.NOT_UNDERSTOOD


def found(folder, text, notation=MAP, name="p.md"):
    (folder / name).write_text(text + "\n")
    (folder / "m.toml").write_text(notation)
    review = check_paper(folder / name, QUICK, folder / "m.toml")
    return [replace(one, status=_by_the_words(one)) for one in review.findings]


def _by_the_words(finding):
    """What holds nowhere is refuted whatever the words say, and what nobody says is guessed; here it is about words."""
    return UNCLEAR if finding.code == "never-holds" else UNREAD if finding.guesses else finding.status


def statuses(folder, text, notation=MAP, name="p.md"):
    return [finding.status for finding in found(folder, text, notation, name)]


@pytest.mark.parametrize(
    "words",
    [
        "Let",
        "Let us denote",
        "We define the loss",
        "Define, for all $x$,",
        "We write",
        "The weight is defined as",
        "The weight of a step is then given by:",
        "This is seen by considering the function",
        "They maximise the following objective:",
        "It is $y < 1$, where",
        "It is $y < 1$ in general. Hence, where the bar is, we define",
    ],
)
def test_a_definition_that_the_text_announces_holds_from_there_on(tmp_path, words):
    text = f"{words}\n$$ h(x) = x^2 + x $$\n\nThen we have\n$$ h(y) = y^2 + y, $$\nand\n$$ h(y) = y^2. $$"
    first, second, third = found(tmp_path, text)
    assert first.status is DEFINED
    assert "says" in first.reason
    assert (second.status, third.status) == (DEFINED, UNCLEAR)


@pytest.mark.parametrize(
    "text",
    [
        "We do not define\n$$ h(x) = x^2 $$",
        "It would be wrong to define\n$$ h(x) = x^2 $$",
        "Had we written: if we define\n$$ h(x) = x^2 $$",
        'Somebody wrote: "Let\n$$ h(x) = x^2 $$"',
        "> Let\n> $$ h(x) = x^2 $$",
        "We define it elsewhere. The reader may see that\n$$ h(x) = x^2 $$",
        "The variance is given by\n$$ h = x^2 $$",
        "There is a case where\n$$ h(x) = x^2 $$",
        "Let\n$$ h(x) = h(x)^2 $$",
        "Let\n$$ h(x) + 1 = x^2 $$",
        "Let\n$$ h(1) = x^2 $$",
        "Let\n$$ h(x) = x^2 $$\nif $x > y$, and zero otherwise.",
        "Let\n$$ h(x) = x^2 + k $$",
        "where\n$$ k(1 + x) = x $$",
        "Unlike us, Smith et al. define\n$$ h(x) = x^2 $$",
        "We have $x < 1$, where\n$$ h(x) = x^2 $$\nis the variance of something.",
        "Let the variance be\n$$ h(x) = x^2 $$",
        "Suppose for contradiction that we define\n$$ h(x) = x^2 $$",
        "Suppose we define\n$$ h(x) = x^2 $$",
        "Let\n$$ h(x) = x^2 $$\nor $h(x) = 1$.",
        "Let\n$$ h(x) = x^2 $$\nup to a constant.",
        "Let\n$$ h(x) = x^2 $$\nbe false.",
        "As they write, and others then set\n$$ h(x) = x^2 $$",
        "The divergence is given by\n$$ h(x) = x^2 $$",
        "Let\n$$ h(x) = x^2 \\quad \\text{if } x > y $$",
    ],
)
def test_what_is_no_plain_definition_defines_nothing(tmp_path, text):
    *first, last = statuses(tmp_path, f"{text}\n\nThen we have\n$$ h(y) = y^2 $$")
    assert DEFINED not in first
    assert last is UNREAD


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"Text\footnote{We define \[ h(x) = x^2 \] there.}", []),
        (r"\begin{quote}Let \[ h(x) = x^2 \] be so.\end{quote}", []),
        (r"\begin{definition} Let \[ h(x) = x^2. \] \end{definition}", [DEFINED]),
        (r"\emph{Let} \begin{equation} h(x) = x^2 \end{equation} hold.", [DEFINED]),
        (r"% Let" + "\n" + r"\[ h(x) = x^2 \]", []),
        (r"\emph{``Let} \[ h(x) = x^2 \] be so'', they say.", []),
    ],
)
def test_footnotes_quotations_and_comments_define_nothing(tmp_path, text, expected):
    found_here = statuses(tmp_path, text + "\n" + r"\[ h(y) = y^2 \]", name="p.tex")
    assert [status for status in found_here[:-1] if status is DEFINED] == expected
    assert (found_here[-1] is DEFINED) == bool(expected)


def test_the_map_goes_before_the_text(tmp_path):
    first, second = found(tmp_path, "Let\n$$ p = x^2 $$\nand let us define\n$$ y = y + x - x $$")
    assert first.status is UNCLEAR
    assert any("the map declares its left side" in note for note in first.notes)
    assert second.status is not DEFINED


def test_where_explains_what_stands_before_it(tmp_path):
    text = "We have\n$$ h(x) = x A, $$\nwhere\n$$ A = x + 1. $$\nIt follows that\n$$ A = 1 + x. $$"
    notation = MAP + '[[definition]]\nquote = "h(x) ="\nparams = "x"\n'
    assert statuses(tmp_path, text, notation) == [DEFINED, DEFINED, DECIDED]


@pytest.mark.parametrize("fact", ["x = 2x", "p = x"])
def test_where_may_state_a_fact(tmp_path, fact):
    assert statuses(tmp_path, f"We have\n$$ y < y + 1, $$\nwhere\n$$ {fact}. $$") == [DECIDED, UNCLEAR]


def test_a_second_definition_makes_a_name_ambiguous_unless_it_says_the_same(tmp_path):
    once = "Let\n$$ h(x) = x^2. $$\n"
    assert statuses(tmp_path, once + once + "Hence\n$$ h(y) = y^2. $$") == [DEFINED, DEFINED, DEFINED]
    again = "We define\n$$ h(x) = x^3. $$\n"
    assert statuses(tmp_path, once + again + "Hence\n$$ h(y) = y^2. $$") == [DEFINED, UNREAD, UNREAD]
    where = "where\n$$ h(x) = x^3. $$\n"
    assert statuses(tmp_path, once + where + "Hence\n$$ h(y) = y^2. $$") == [DEFINED, UNCLEAR, DEFINED]


def test_an_inline_formula_defines_only_where_it_is_said(tmp_path):
    text = "Let $A = x + 1$ and let $B(x) = x^2$ and $C(x) = 2 x$, while $E = x$. Where $F := x$, we have $A = 7$.\n"
    shown = "$$ {} $$\n"
    assert statuses(tmp_path, text + shown.format("A = 1 + x"))[-1] is DECIDED
    assert (
        statuses(tmp_path, text + shown.format("B(y) = y^2, \\qquad C(y) = 2 y, \\qquad F = x"))[-3:] == [DEFINED] * 3
    )
    assert statuses(tmp_path, text + shown.format("E = x"))[-1] is UNREAD


def test_a_name_with_an_index_or_distributions_is_defined_for_all_of_them(tmp_path):
    text = (
        "Let\n$$ A_i = r_i - \\operatorname{mean}(r_1, r_2, r_3). $$\n"
        "Then\n$$ A_1 + A_2 + A_3 = 0, \\qquad A_1 + A_2 = 0. $$\nwhere\n"
        "$$ D(\\mu, \\nu) = \\mathbb{E}_{o \\sim \\mu}[\\frac{\\mu(o)}{\\nu(o)}] $$\n"
        "It follows that\n$$ D(\\pi, \\pi) = 1, \\qquad D(\\pi, \\rho) = 1. $$"
    )
    assert statuses(tmp_path, text, OUTPUTS) == [DEFINED, DECIDED, UNCLEAR, DEFINED, DECIDED, REFUTED]


def test_every_token_of_a_definition_with_holes_plays_a_part(tmp_path):
    text = "Let\n$$ D(\\mu) = \\mathbb{E}_{o \\sim \\mu, q \\sim \\unknown}[\\mu(o)]. $$"
    assert statuses(tmp_path, text, OUTPUTS) == [UNREAD]


def test_a_brace_names_a_function_and_counts_no_terms(tmp_path):
    text = r"We have $$ y + x = y + \underbrace{x}_{b(x)} $$ and $$ b(p) = p, \qquad b(p) = 2 p $$"
    assert statuses(tmp_path, text)[-2:] == [DEFINED, UNCLEAR]
    text = r"We have $$ 2 y = \underbrace{y + y}_{n} $$ and $$ n = 2 y $$"
    assert statuses(tmp_path, text)[-1] is UNREAD


@pytest.mark.parametrize(
    "words",
    [
        "The bound holds if",
        "The bound holds if and only if:",
        "Assume that",
        "Suppose",
        "There is a number such that",
        "Setting the derivative to zero, we obtain",
        "To have $y < x$ we need to have",
        "One condition for this is to have:",
    ],
)
def test_a_condition_is_not_checked_and_its_words_are_told(tmp_path, words):
    (finding,) = found(tmp_path, f"{words}\n$$ x^2 = x - y. $$")
    assert (finding.status, finding.kind) == (CONDITION, "condition")
    assert "says" in finding.reason
    first, second = found(tmp_path, f"{words}\n$$ (x + y)^2 = x^2 + 2 x y + y^2 < 1. $$")
    assert (first.status, second.status) == (DECIDED, CONDITION)


@pytest.mark.parametrize(
    "words",
    [
        "If this is so, we have",
        "We do not assume this, and have",
        "We do not assume that",
        "If $x < y$, we have",
        "As we showed if needed,",
        "> Assume that",
        'They say "assume that',
        "The case where this holds is known, and then",
    ],
)
def test_what_only_follows_from_a_condition_is_none(tmp_path, words):
    assert statuses(tmp_path, f"{words}\n$$ x^2 = x - y. $$") == [UNCLEAR]


def test_an_assumption_of_the_sentence_is_given_to_its_formula_only(tmp_path):
    text = "If $p > \\frac{1}{2}$ we have\n$$ 2 p > 1. $$\nIn general\n$$ 2 p > 1. $$"
    first, second = found(tmp_path, text)
    assert (first.status, second.status) == (DECIDED, UNCLEAR)
    assert first.read.given == ("p > 1/2",)
    assert statuses(tmp_path, "if p < 1/2 we have :\n\n$$ 2 p < 1 $$") == [DECIDED]
    assert statuses(tmp_path, "% if p < 1/2 we have\n\\[ 2 p < 1 \\]", name="p.tex") == [UNCLEAR]
    assert statuses(tmp_path, "If $k > \\frac{1}{2}$ we have\n$$ 2 p > 1 $$") == [UNCLEAR]
    assert statuses(tmp_path, "Not if $p > \\frac{1}{2}$, but always\n$$ 2 p > 1 $$") == [UNCLEAR]


@pytest.mark.slow
def test_an_assumption_holds_for_all_values_of_its_indices(tmp_path):
    words = "If the preferences are antisymmetric, meaning that $w(o, o') + w(o', o) = 1$, then"
    formula = r"$$ \mathbb{E}_{o \sim \pi, o' \sim \rho}[w(o, o') + w(o', o)] = 1 $$"
    assert statuses(tmp_path, f"{words}\n{formula}", OUTPUTS) == [DECIDED]
    assert statuses(tmp_path, f"We consider\n{formula}", OUTPUTS) == [UNCLEAR]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Hence, we have", REFUTED),
        ("It follows that", REFUTED),
        ("Recall that", REFUTED),
        ("It does not follow that", UNCLEAR),
        ("Suppose this were so. Then we have", UNCLEAR),
        ("At a fixed point we have", UNCLEAR),
        ("We solve the equation and obtain", UNCLEAR),
        ("We conjecture", UNCLEAR),
    ],
)
def test_an_equation_that_prose_asserts_is_refuted(tmp_path, words, expected):
    assert statuses(tmp_path, f"{words}\n$$ (x + y)^2 = x^2 + y^2. $$") == [expected]
    assert statuses(tmp_path, f"{words}\n$$ (x + y)^2 = x^2 + 2 x y + y^2. $$") == [DECIDED]
    # An equation for a letter may be solved by it.
    assert statuses(tmp_path, f"{words}\n$$ x = \\frac{{y}}{{2}}. $$") == [UNCLEAR]


def test_an_equation_rewritten_says_the_same_as_the_one_of_that_number(tmp_path):
    first = "Assume that\n$$ x^2 = x - y \\tag{3} $$\n"
    assert statuses(tmp_path, first + "We can rewrite Equation (3) as\n$$ y = x - x^2 $$") == [CONDITION, DECIDED]
    assert statuses(tmp_path, first + "We can rewrite Equation (3) as\n$$ y = x + x^2 $$") == [CONDITION, REFUTED]
    assert statuses(tmp_path, first + "We can rewrite Equation (4) as\n$$ y = x - x^2 $$") == [CONDITION, UNCLEAR]


@pytest.mark.parametrize(
    ("words", "formula", "expected"),
    [
        (r"Let $\beta > 0$.", r"\sqrt{\beta^2} = \beta", DECIDED),
        (r"Let $\beta \in [0, 1]$.", r"\beta^2 \le \beta", DECIDED),
        (r"Let $\beta > 0$. Let $\beta < 0$.", r"\sqrt{\beta^2} = \beta", UNREAD),
        (r"Let $\beta > 0$. Later, let $\beta$ be any number.", r"\sqrt{\beta^2} = \beta", UNREAD),
        (r"Let $\beta > 0$. Later, for all $\beta \in \mathbb{R}$, look.", r"\sqrt{\beta^2} = \beta", UNREAD),
        (r"We do not say $\beta > 0$.", r"\sqrt{\beta^2} = \beta", UNREAD),
        (r"There exist constants $\mu$ and $\nu$ such that it holds.", r"\sqrt{\nu^2} = \nu", UNCLEAR),
        (r"Here $Z_q$ is a normalisation constant.", r"\sqrt{Z_q^2} = Z_q", DECIDED),
        (r"Let $p > 0$.", r"p < 1", DECIDED),
        (r"Let $\beta > 0$ or $\beta < 0$.", r"\sqrt{\beta^2} = \beta", UNREAD),
        (r"Let $\beta > 0$. Here $\beta$ may be negative.", r"\sqrt{\beta^2} = \beta", UNREAD),
        (r"Let $\beta > 0$. Look where $\beta < 0$.", r"\sqrt{\beta^2} = \beta", UNREAD),
        (r"Let $\beta > 0$. Look where $\beta > 1$.", r"\sqrt{\beta^2} = \beta", DECIDED),
        (r"It is false that for all $\beta > 0$ we win.", r"\sqrt{\beta^2} = \beta", UNREAD),
        (r"Here $Z$ is a normalisation constant or negative.", r"\sqrt{Z^2} = Z", UNREAD),
    ],
)
def test_a_domain_that_the_text_says(tmp_path, words, formula, expected):
    (finding,) = found(tmp_path, f"{words}\n\nSee\n$$ {formula} $$")
    assert finding.status is expected
    told = expected in (DECIDED, UNCLEAR) and "p" not in formula
    assert any(note.endswith("as line 1 says") for note in finding.notes) is told


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"\mathrm{KL}(\pi \| \rho) = \sum_o \pi(o) \log \frac{\pi(o)}{\rho(o)}", DEFINED),
        (r"D_{\mathrm{KL}}(\pi \| \rho) = \sum_o \pi(o) \log \frac{\pi(o)}{\rho(o)}", DEFINED),
        (r"\mathrm{KL}(\rho \| \pi) = \sum_o \pi(o) \log \frac{\pi(o)}{\rho(o)}", UNCLEAR),
        (r"\mathrm{KL}(s \| 1 - s) = 0", UNREAD),
        (r"\operatorname{clip}(2, s, 1) = 1", DECIDED),
        (r"\operatorname{clip}(2, s, 1) = s", UNCLEAR),
        (r"\operatorname{mean}(1, s, 2 - s) = 1", DECIDED),
        (r"\operatorname{std}(1, s) = \frac{1 - s}{2}", UNREAD),
        (r"\sigma(s) + \sigma(-s) = 1", UNREAD),
        (r"\pi(a) + \pi(b) = 1", DECIDED),
    ],
)
def test_notation_that_needs_no_entry(tmp_path, formula, expected):
    assert statuses(tmp_path, f"We look at\n$$ {formula} $$", OUTPUTS) == [expected]


def test_an_entry_goes_before_what_needs_none(tmp_path):
    own = OUTPUTS + "[[notation]]\ntex = '\\operatorname{clip}(#x, #a, #b)'\nis = \"x + 0*a + 0*b\"\n"
    assert statuses(tmp_path, r"$$ \operatorname{clip}(2, s, 1) = 2 $$", own) == [DECIDED]


def test_members_of_a_distribution_share_what_they_have_together(tmp_path):
    notation = MAP + (
        '[sets]\nO = ["a", "b", "c"]\n[indices]\no = "O"\n[[notation]]\n'
        'tex = \'\\pi(#o)\'\ndistribution = "O"\ntotal = { "a, b" = "p" }\nalone = \'\\pi\'\n'
    )
    true = r"$$ \pi(a) + \pi(b) = p, \qquad \pi(c) = 1 - p, \qquad \sum_o \pi(o) = 1 $$ and $$ \pi(a) < p $$"
    assert set(statuses(tmp_path, true, notation)) == {DECIDED, DEFINED}
    false = r"$$ \pi(a) = p, \qquad \pi(a) = \pi(b), \qquad \pi(c) = p $$"
    assert set(statuses(tmp_path, false, notation)) == {UNCLEAR}


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ('distribution = "Q"', "a distribution is over a declared set of at least two members; known: O"),
        ('distribution = "O"\ntotal = { "a, b" = "p" }', "'a, b' are not some, and not all, of a, b"),
        ('distribution = "O"\ntotal = { "a, c" = "p" }', "'a, c' are not some, and not all, of a, b"),
        ('distribution = "O"\ntotal = { a = "p", b = "1 - p" }', "total says what some members have together"),
        ('distribution = "O"\nby = { a = "p", b = "1 - p" }', "a notation needs tex and one meaning"),
        ('distribution = "O"\nname = "x"', "the symbol x_a is declared twice"),
        ('each = "(0, 1)"\nover = "O"\nname = "x"', "the symbol x_a is declared twice"),
    ],
)
def test_mistakes_in_a_distribution(tmp_path, said, reason):
    names = '[symbols]\np = "(0, 1)"\nx_a = "(0, 1)"\n[sets]\nO = ["a", "b"]\n'
    with pytest.raises(MapError, match=re.escape(reason)):
        found(tmp_path, "$$ p = p $$", f"{names}[[notation]]\ntex = '\\pi(#o)'\n{said}\n")


def test_a_definition_by_the_map_of_what_it_declares_is_warned_of(tmp_path):
    (tmp_path / "p.md").write_text("Here\n$$ p = x^2 $$\n")
    (tmp_path / "m.toml").write_text(MAP + '[[claim]]\nquote = "p ="\nkind = "definition"\n')
    warnings = check_paper(tmp_path / "p.md", QUICK, tmp_path / "m.toml").warnings
    assert any(one.startswith("m.toml:6:1: p is declared in the map, so that p.md:2:4") for one in warnings)


def test_a_refusal_inside_of_a_template_is_told_where_it_is_used(tmp_path):
    notation = MAP + "[[notation]]\ntex = 'T(#u)'\nexpand = '#u + 1/2#u'\n"
    (finding,) = found(tmp_path, "Here\n$$ x = y + T(x) $$", notation)
    assert (finding.place.file.rpartition("/")[2], finding.place.line, finding.place.column) == ("p.md", 2, 12)
    assert finding.reason.startswith("in what T(#u) stands for, a factor after a quotient with a slash")


def test_two_symbols_of_one_name_are_told(tmp_path):
    section = '[[section]]\nfrom = "Prices"\n[section.symbols]\np = "(1, oo)"\n'
    (finding,) = found(tmp_path, "Prices\n$$ t = p $$", MAP + '[[notation]]\ntex = "t"\nis = "p"\n' + section)
    assert (finding.status, finding.code) == (UNREAD, "ambiguous")
    assert finding.reason.startswith("two symbols are called p: one on (0, 1)")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Look at\n{}", REFUTED),
        ("We have\n{}", REFUTED),
        ("It is not the case that\n{}", UNCLEAR),
        ("Suppose for contradiction that\n{}", UNCLEAR),
        ("Nobody would assume that\n{}", UNCLEAR),
        ("The equation\n{}\nhas no solution.", UNCLEAR),
        ("In code we write\n{}", UNCLEAR),
        ("Let $x = 2$. We have\n{}", UNCLEAR),
    ],
)
def test_what_holds_nowhere_may_be_said_to_do_so(tmp_path, words, expected):
    (tmp_path / "m.toml").write_text(MAP)
    (tmp_path / "p.md").write_text(words.format("$$ y = y + 1 $$") + "\n")
    (finding,) = check_paper(tmp_path / "p.md", QUICK, tmp_path / "m.toml").findings
    assert finding.status is expected


@pytest.mark.parametrize("value", ["x = 0", "x = 1", "y < 0"])
def test_a_letter_at_the_end_of_its_domain_is_no_false_statement(tmp_path, value):
    (tmp_path / "m.toml").write_text(MAP)
    (tmp_path / "p.md").write_text(f"At the point\n$$ {value} $$\n")
    (finding,) = check_paper(tmp_path / "p.md", QUICK, tmp_path / "m.toml").findings
    assert finding.code == "kind-unknown"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("If $y = 1$", DECIDED),
        ("Even if $y = 1$", UNCLEAR),
        ("Not only for $y = 1$", UNCLEAR),
        ("Only if $y = 1$", UNCLEAR),
    ],
)
def test_an_assumption_that_is_not_the_only_case_is_none(tmp_path, words, expected):
    assert statuses(tmp_path, f"{words} we have\n$$ y^2 = y $$") == [expected]


@pytest.mark.parametrize(
    ("words", "expected"), [("See. We have", REFUTED), ("Let $x = \\frac{1}{2}$. We have", UNCLEAR)]
)
def test_a_letter_may_have_a_value_for_a_while(tmp_path, words, expected):
    assert statuses(tmp_path, f"{words}\n$$ 2 x^2 + 1 = x + 1 $$") == [expected]
