"""What the words before a formula say that it is: a definition, a condition, an assertion, or another equation anew.

Only what stands there in plain words counts, at the end of the sentence that leads to the formula; where the sentence
could be meant otherwise, it says nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from grpo_symbolic.reading.document.leads import FORMULA, Lead
from grpo_symbolic.reading.places import Place

#: Longest words that are quoted with the formulas in them, in characters.
MAX_SHOWN = 120


@dataclass(frozen=True)
class Saying:
    """What some words say of the formula after them.

    ``kind`` is ``definition``, ``where`` (a definition of what was used just before), ``condition``, ``identity``,
    ``equivalent`` or ``assumption``; ``words`` are those that say so. ``of`` is the number of the equation that it is
    equivalent to, ``assumed`` the place of the formula that is assumed.
    """

    kind: str
    words: str
    place: Place
    of: str = ""
    assumed: Place | None = None


_END = r"[ :,]*$"
_NAMED = r"(?: (?:the|a|an|its|our|their)(?: [a-z-]+){1,6})?"
_FOR = r"(?:,? for (?:all |every |each |any |some )?(?:[a-z]+ )?\$,?)?"
_ADVERB = r"(?:also |now |then |further |first |next |finally |again |here )?"
_DEFINING = (
    re.compile(
        rf"(?:^|[,;:(] ?|\$ |\b(?:we|us|and|then|hence|so|thus|proof)\.? ){_ADVERB}"
        rf"(?:let(?: us)? {_ADVERB}(?:define|denote|introduce|write|set|put)|define|denote|introduce"
        r"|we (?:write|set|put))"
        rf"(?: also| now| again)?(?: by)?{_NAMED}(?: as follows| as| by)?{_FOR}{_END}"
    ),
    re.compile(rf"(?:^|[ ,;:(])let(?:{_NAMED}|(?: \$,?(?: and)?(?: let)?)*){_FOR}{_END}"),
    re.compile(rf"\bdefined(?: \$)?(?: as follows| by| as| through| via){_FOR}{_END}"),
    re.compile(rf"\b(?:consider|considering) the function{_END}"),
    re.compile(
        r"\bthe following (?:objective(?: function)?|loss(?: function)?|function|functional|quantity|abbreviations?"
        rf"|notations?|definitions?){_END}"
    ),
)
_GIVEN = re.compile(rf"(?:\b(?:is|are)(?: then| thus| hence| now)?|[a-z],) given (?:as follows|as|by){_FOR}{_END}")
#: What has a meaning already, so that "is given by" states a fact about it.
_MEANT = re.compile(
    r"\b(?:solutions?|roots?|derivatives?|gradients?|minim\w+|maxim\w+|optim\w+|limits?|bounds?|equilibri\w+|points?"
    r"|estimates?|inverses?|identity|inequality|variances?|expectations?|means?|probabilit\w+|entrop\w+|norms?|sums?"
    r"|integrals?|series|values?|answers?|results?|divergences?|distances?|posteriors?|likelihoods?|determinants?"
    r"|eigen\w+|rates?|errors?|ratios?)\b"
)
#: What goes on to say what a formula is: if that has a meaning already, it states a fact.
_IS = re.compile(r",? ?(?:which )?(?:is|are|denotes?|be)\b")
_LET_BE = re.compile(rf"\blet\b[^$]* be{_END}")
_WHERE = re.compile(rf"(?:^|[,;] ?)(?:and )?(?:where|with)(?:,? (?:specifically|as usual|again))?{_END}")
#: A sentence with one of these does not say that its formula defines something, or asserts it.
_DOUBT = re.compile(
    r"\b(?:not|never|cannot|can't|don't|doesn't|isn't|no|nor|neither|without|instead|rather|would|could|might|may|if"
    r"|unless|whether|wrong\w*|incorrect\w*|mistak\w*|mistook|false\w*|erroneous\w*|error|contradict\w*|misprint|typo"
    r"|were|had|hardly|fails?)\b"
)
#: What is defined for a while, or by others, is no definition of the paper.
_ELSEWHERE = re.compile(
    r"\b(?:suppos\w+|imagine|contradiction|for (?:a|the) moment|temporarily|example only|refuse|nobody|no one|nonsense"
    r"|(?:others?|authors?|people|they|he|she|al\.?|some)(?: \([^)]*\))?,? (?:also |then |have |had )?"
    r"(?:define|denote|introduce|write|set|put|let)[sd]?)\b"
)
#: Words by which a formula is denied, left out or one step of a calculation, so that it may well hold nowhere.
_DENYING = re.compile(
    r"\b(?:suppos\w*|assum\w*|contradict\w*|impossib\w*|nobody|exclud\w*|exclusion|forbid\w*|rul\w+ out|avoid\w*"
    r"|only|iff|solv\w*|(?:the|this|that|a) case|limit\w*|boundar\w*|extend\w*|initial\w*|updat\w*|assign\w*|code"
    r"|increment\w*|absurd\w*|paradox\w*|diverg\w*|counter\w*|bad|invalid|naive\w*|refut\w*|deny|denied)\b"
)
#: An assumption after one of these is not the only case that a formula is about.
_ALSO = re.compile(r"\b(?:only|just|even|also|as if|whether|regardless|irrespective|not|never|merely|both|or)\b")
#: A value or a range that a letter has for a while.
_FOR_A_WHILE = re.compile(
    r"\b(?:let|take|taking|put|set|choos\w+|pick\w*|at|for|with|when|say|consider|where)\b[^.$\n]{0,30}"
    r"(?<!\$)\$(?!\$)[^$\n]*(?:[=<>]|\\(?:le|ge|leq|geq|ll|gg)(?![a-z]))[^$\n]*\$(?!\$)",
    re.IGNORECASE,
)
#: What restricts a formula from behind, so that the words before it are not all that is said of it.
_ONLY_THEN = re.compile(
    r"[.,;]? ?(?:(?:if|when|whenever|unless|provided|otherwise|only|except)\b"
    r"|(?:up to|approximately|roughly|nearly|(?:is|be) (?:false|wrong|not)|in (?:this|that|an) example)\b"
    r"|or\b(?! equivalently| in other)"
    r"|in (?:the|this|that|which) case\b"
    r"|for (?!all|every|each|any))"
)
_CONDITION = (
    re.compile(
        rf"(?:^|[ ,;])(?:if|if and only if|provided(?: that)?|such that{_FOR}|satisfying|subject to|whenever){_END}"
    ),
    re.compile(rf"(?:^|[ ,;])(?:assume|suppose|assuming|supposing)(?: further| also| now)?(?: that)?{_END}"),
    re.compile(rf"\b(?:is|are|was|under the) (?:one )?conditions?(?: that)?{_END}"),
    re.compile(rf"\bconditions? (?:for|on|that)\b[^.]* is(?: therefore| thus| then)?(?: to have| that)?{_END}"),
    re.compile(rf"\bto have \$ we need(?: to have)?{_END}"),
    re.compile(rf"\bthere exists?\b[^.]* with{_END}"),
)
_DENIED = re.compile(r"\b(?:not|never|no|nobody|neither|nor|nowhere|without|cannot|don't|doesn't)\b")
_AND_THAT = re.compile(rf"\band that{_END}")
_ASSUMING = re.compile(r"^(?:we )?(?:then )?(?:further |also |now )?(?:assume|suppose)\b")
_SET_TO_ZERO = re.compile(
    rf"\b(?:setting|by setting|when set|which when set)\b[^.]*\bzero,?(?: we (?:obtain|have|get)| yields| gives)?{_END}"
)
_ASSERTING = re.compile(
    r"(?:\bwe (?:then |therefore |also |thus |hence |finally |readily )?(?:have|obtain|get|find|see|conclude)"
    r"|\bit (?:readily |then |also |thus )?(?:follows|holds)|\b(?:note|recall|observe)|\bthis (?:gives|yields|shows)"
    r"|\bthis results (?:in|with)|\bwhich (?:gives|yields|simplifies to|results in|is equal to)|\bis equal to)"
    rf"(?: us)?(?: that)?(?: finally)?(?: the following [a-z]+)?{_END}"
)
#: Where one of these stands in the text since the last beginning, an equation may be about a special case.
_SPECIAL = re.compile(
    r"\b(?:if|when|whenever|suppose\w*|assum\w+|such that|provided|unless|setting|set to|solutions?|solv\w+|optim\w+"
    r"|maximi\w+|minimi\w+|fixed point\w*|stationar\w+|equilibri\w+|roots?|zeros?|constraints?|conditions?|under|fix"
    r"|in the case|special case|in which case|subject to|satisf\w+|not|cannot|approximat\w*|up to)\b"
)
_EQUIVALENT = (
    re.compile(
        rf"\b(?:rewrite|rewritten) (?:equation |eq\.? )?\((\w{{1,8}})\) (?:equivalently )?as(?: follows)?{_END}"
    ),
    re.compile(rf"\b(?:equation|eq\.?) \((\w{{1,8}})\) is equivalent to(?: the following(?: [a-z]+){{1,3}})?{_END}"),
)
_ASSUMED = re.compile(
    r"(?:^|[ ,;])(?:if|assuming|provided(?: that)?|for) \$,?(?: then)?,?"
    rf"(?: we(?: then)? have| it holds| one has| then)?(?: that)?{_END}"
    rf"|\bif\b[^.$]*,? (?:meaning|i\.e\.,?|that is)(?: that)?,? \$,? then{_END}"
)

_ASSUMED_BARE = re.compile(r"\bif\s+([^$\n]{1,80}?[<>=][^$\n]{1,40}?)(?:,?\s+(?:then\s+)?we\s+have)?[\s:,]*\Z")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_COMMENTED = re.compile(r"(?<!\\)%")
_WORD = re.compile(r"[A-Za-z]{2,}")


def saying_of(lead: Lead) -> Saying | None:
    """What the words before a formula say of it, or nothing."""
    words = lead.words
    if not words or lead.quoted or _ONLY_THEN.match(lead.behind):
        return None
    return _defining(lead) or _equivalent(lead) or _condition(lead) or _assumption(lead) or _asserting(lead)


def _defining(lead: Lead) -> Saying | None:
    words = lead.words
    if _DOUBT.search(words) or _ELSEWHERE.search(words) or (_IS.match(lead.behind) and _MEANT.search(lead.behind)):
        return None
    if _LET_BE.search(words) and _MEANT.search(words):
        return None
    if _WHERE.search(words):
        return Saying("where", _shown(_WHERE, lead), lead.end)
    for pattern in _DEFINING:
        if pattern.search(words):
            return Saying("definition", _shown(pattern, lead), lead.end)
    given = _GIVEN.search(words) and not _MEANT.search(words)
    return Saying("definition", _shown(_GIVEN, lead), lead.end) if given else None


def _equivalent(lead: Lead) -> Saying | None:
    for pattern in _EQUIVALENT:
        found = pattern.search(lead.words)
        if found is not None and not re.search(r"\b(?:not|if|unless)\b", lead.words):
            return Saying("equivalent", _shown(pattern, lead), lead.end, of=found[1])
    return None


def _condition(lead: Lead) -> Saying | None:
    if _DENIED.search(lead.words):
        return None
    for pattern in (*_CONDITION, _SET_TO_ZERO):
        if pattern.search(lead.words):
            return Saying("condition", _shown(pattern, lead), lead.end)
    also = _AND_THAT.search(lead.words) and _ASSUMING.search(lead.words)
    return Saying("condition", _shown(_AND_THAT, lead), lead.end) if also else None


def _assumption(lead: Lead) -> Saying | None:
    if _ALSO.search(lead.words):
        return None
    if _ASSUMED.search(lead.words) and lead.formulas:
        return Saying("assumption", _shown(_ASSUMED, lead), lead.end, assumed=lead.formulas[-1])
    bare = _assumed_in_words(lead)
    return None if bare is None else Saying("assumption", f"if {bare.text}", lead.end, assumed=bare)


def is_denied(lead: Lead) -> bool:
    """Whether the words around a formula deny it, leave it out or only try it."""
    around = f"{lead.words} {lead.behind}"
    aside = lead.quoted or _FOR_A_WHILE.search(lead.place.text) is not None
    return aside or any(pattern.search(around) for pattern in (_DOUBT, _DENYING, _ELSEWHERE))


def _asserting(lead: Lead) -> Saying | None:
    special = may_be_special(lead.paragraph) or _FOR_A_WHILE.search(lead.place.text) or _DOUBT.search(lead.words)
    if special or not _ASSERTING.search(lead.words):
        return None
    return Saying("identity", _shown(_ASSERTING, lead), lead.end)


def _assumed_in_words(lead: Lead) -> Place | None:
    """The formula after "if" where a scan lost the signs around it: nothing between "if" and "we have" is a word."""
    found = _ASSUMED_BARE.search(lead.place.text)
    if found is None or _WORD.search(_COMMAND.sub(" ", found[1])):
        return None
    start = lead.place.start + found.start(1)
    if _COMMENTED.search(lead.place.source.text[:start].rpartition("\n")[2]):
        return None
    return Place(lead.place.source, start, start + len(found[1]))


def may_be_special(text: str) -> bool:
    """Whether some text speaks of assumptions, cases or solutions, so that an equation after it may hold there only."""
    return _SPECIAL.search(text.lower()) is not None or _FOR_A_WHILE.search(text) is not None


def _shown(pattern: re.Pattern[str], lead: Lead) -> str:
    """The words that a pattern found, as they are quoted: at most the last twelve of them, with their formulas."""
    found = pattern.search(lead.words)
    words = (found.group() if found else lead.words).strip(" ,;:(").split()[-12:]
    before, formulas = " ".join(words), list(lead.formulas)
    pieces = before.split(FORMULA)
    kept = formulas[max(0, len(formulas) - len(pieces) + 1) :]
    if len(kept) != len(pieces) - 1 or "$" in lead.words[found.end() if found else 0 :]:
        return before
    said = "".join([*(f"{piece}${place.text}$" for piece, place in zip(pieces, kept, strict=False)), pieces[-1]])
    return said if len(said) <= MAX_SHOWN else before
