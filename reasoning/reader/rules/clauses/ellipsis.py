"""Clauses that leave out what was just said: "Hens are permitted, cockerels are not"."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

Clause = tuple[Sequence["Token"], int]
"""Tokens of a clause, and how often it is denied beyond its own words."""
ON_CONDITION = re.compile(
    r"\b(?:if|unless|when\w*|while|until|till|provided|as long as|in case|once|except\w*|only)\b",
    re.IGNORECASE,
)
SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl"})
DENIES = frozenset("not n't n’t never no cannot".split())
_ENDS = frozenset("is are was were can may must do does did has have".split())
_FEWEST = 6  # tokens of a sentence with a clause that leaves out what another says
_MOST = 6  # words of whoever "Sheep need not be." is about
_AS_WELL = frozenset({"so", "neither", "nor"})
_NOT = DENIES | {"neither", "nor"}
_TRAILING = _NOT | _AS_WELL | {"be", "been", "either", "too"}
HELPS = {
    form: verb
    for verb, forms in {
        "be": "am is are was were",
        "do": "do does did",
        "have": "has have had",
        "can": "can ca could",
        "may": "may",
        "must": "must need",
        "will": "will wo",
    }.items()
    for form in forms.split()
}
_GOES_BACK = re.compile(r"\s*(?:but|however|except\w*|only|unless|though|although)\b", re.I)
_BY_HOW_MUCH = re.compile(
    r" by (?:(?:at least|at most|up to|about|over|more than) )?(?:an? |[\w.,]+ ?)"
    r"(?:[mck]?m|(?:centi|kilo)?met(?:re|er)s?|feet|foot|yards?|miles?|inch(?:es)?|days?|weeks?"
    r"|hours?|%|per ?cent)\Z"
)
"""Says nothing of what is denied: who need not keep off by a metre need not keep off."""


def filled_in(sentence: "Span") -> list[Clause]:
    """The clauses of a sentence with what it leaves out; none where it leaves out nothing."""
    tokens = [t for t in sentence if not t.is_space]
    while tokens and tokens[-1].is_punct and tokens[-1].text != "?":
        tokens.pop()
    return _of_another_clause(tokens) or _of_sentence_before(sentence, tokens)


def _of_another_clause(tokens: "Sequence[Token]") -> list[Clause]:
    """Both clauses of "Hens are permitted, cockerels are not"."""
    if len(tokens) < _FEWEST or tokens[-1].lower_ not in DENIES or tokens[-2].lower_ not in _ENDS:
        return []
    joins = [n for n, t in enumerate(tokens[:-2]) if t.text in (",", ";") or t.lower_ == "but"]
    verb = tokens[-2].lemma_.lower()
    at = next((n for n, t in enumerate(tokens) if t.lemma_.lower() == verb), 0)
    if not joins or not 0 < at < joins[0] or any(t.lower_ in DENIES for t in tokens[: joins[0]]):
        return []
    first, other = tokens[: joins[0]], tokens[joins[-1] + 1 : -2]
    if joins[-1] - joins[0] > 1 or not other or any(t.pos_ == "VERB" for t in other):
        return []
    return [(first, 0), ([*other, tokens[-2], *first[at + 1 :]], 1)]


def _of_sentence_before(sentence: "Span", tokens: "list[Token]") -> list[Clause]:
    """What "Goats need not be" says behind "Horses must be shod"."""
    brief, before = _brief(tokens), _before(sentence)
    if brief is None or before is None or _GOES_BACK.match(sentence.doc[sentence.end :].text):
        return []
    about, own, denied = brief
    helps, rest = _predicate(before, HELPS[own.lower_])
    if denied and (found := _BY_HOW_MUCH.search(" ".join(t.lower_ for t in rest))):
        rest = rest[: -len(found.group().split())]
    if not rest or any(t.lower_ in DENIES or t.lower_ == "longer" for t in rest):
        return []
    said = helps if helps is not None and own.lower_ == "need" else own  # "need" asks for "must"
    return [([*about, said, *rest], denied)]


def _brief(tokens: "list[Token]") -> "tuple[list[Token], Token, int] | None":
    """Subject, auxiliary verb and denials of a sentence that is no more than these."""
    if tokens and tokens[0].lower_ in ("but", "and"):
        tokens = tokens[1:]
    if len(tokens) > 2 and tokens[0].lower_ in _AS_WELL:  # "So do members"
        tokens = [*tokens[2:], tokens[1], tokens[0]]
    end = len(tokens)
    while end and tokens[end - 1].lower_ in _TRAILING:
        end -= 1
    about, denied = tokens[: max(0, end - 1)], sum(t.lower_ in _NOT for t in tokens[end:])
    named = any(t.pos_ in ("NOUN", "PROPN") for t in about) and len(about) <= _MOST
    plain = all(t.pos_ not in ("VERB", "AUX", "PUNCT") for t in about)
    if not named or not plain or denied > 1 or tokens[end - 1].lower_ not in HELPS:
        return None
    return about, tokens[end - 1], denied


def _before(sentence: "Span") -> "Span | None":
    """The sentence before, where it says one thing of one subject and sets no condition."""
    start = sentence.start
    if not start or sentence.doc[start].sent.start != start:
        return None
    before = sentence.doc[start - 1].sent
    plain = not ON_CONDITION.search(before.text) and ";" not in before.text
    ends = before.text.rstrip().endswith(".") and "\n\n" not in sentence.doc[start - 1].text
    one = sum(t.dep_ in SUBJECTS for t in before) == 1
    return before if plain and ends and one else None


def _predicate(before: "Span", verb: str) -> "tuple[Token | None, list[Token]]":
    """The auxiliary verb of a sentence, if it has that one, and what stands behind it."""
    subject = next(t for t in before if t.dep_ in SUBJECTS)
    behind = [t for t in before if t.i > subject.i and not t.is_space]
    while behind and behind[-1].is_punct:
        behind.pop()
    at = next((n for n, t in enumerate(behind) if HELPS.get(t.lower_) == verb), -1)
    helped = any(t.dep_ in ("aux", "auxpass") for t in before.root.children)
    if at < 0 and verb == "do" and not helped and before.root.pos_ == "VERB":
        return None, [t for t in behind if t.i >= before.root.i]
    if at < 0:
        return None, []
    rest = behind[at + 1 :]
    while rest and rest[0].lower_ in DENIES:
        rest = rest[1:]
    return behind[at], rest
