"""Which other candidates are worth naming beside an answer: other ones, and whole."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...kg.text.words import bare_title
from .asked.names import inside, key, same_name
from .asked.question import Asked
from .candidates import AnswerCandidate, Mention
from .judging.judged import Judgement

if TYPE_CHECKING:
    from spacy.tokens import Token

CANDIDATES = 3
_HANGING = frozenset({"CCONJ", "DET"})
_BEFORE = frozenset({"IN", "TO"})  # tags of prepositions, not of "turned off"


def with_others(
    text: str,
    confidence: float,
    asked: Asked,
    found: Sequence[AnswerCandidate],
    judged: Judgement | None,
    own: AnswerCandidate | None,
) -> tuple[tuple[str, float], ...]:
    """Give the answer and the next best, as likely as each is judged, best first; together 1.

    Args:
        own: the candidate that the answer is, if it is one.
    """
    others = _others(text, asked, found, judged, own)
    left = min(1.0, (1 - confidence) / (sum(chance for _, chance in others) or 1.0))
    rest = [(other, min(confidence, left * chance)) for other, chance in others]
    rest.sort(key=lambda one: -one[1])
    return ((text, confidence), *rest[: CANDIDATES - 1])


def _others(
    text: str,
    asked: Asked,
    found: Sequence[AnswerCandidate],
    judged: Judgement | None,
    own: AnswerCandidate | None,
) -> list[tuple[str, float]]:
    """(answer, how likely it is judged to be right), those that are as likely in their order."""
    if asked.kind == "yesno":
        return [("no" if text == "yes" else "yes", 1.0)]
    options = [bare_title(option) for option in asked.options]
    if text in options:
        return [(other, 1.0) for other in options if other != text]
    mentions = own.mentions if own is not None else _of(text, found)
    known = [AnswerCandidate(text, key(text) or text, mentions)]
    others: list[tuple[str, float]] = []
    chances = judged.chances if judged is not None else {}
    for i, chance in sorted(chances.items(), key=lambda one: -one[1]):
        other = found[i]
        if other is own or other.text == text or not _is_whole(other):
            continue
        if not any(same_name(other.key, one.key) or _is_part(other, one) for one in known):
            known.append(other)
            others.append((other.text, chance))
    return others


def _of(text: str, found: Sequence[AnswerCandidate]) -> list[Mention]:
    return [m for one in found if one.key == key(text) for m in one.mentions]


def _is_part(one: AnswerCandidate, other: AnswerCandidate) -> bool:
    """Whether a sentence says both at once: "£540" in "£540 plus VAT"."""
    if not (inside(one.key, other.key) or inside(other.key, one.key)):
        return False
    places = {(id(m.page), m.sentence) for m in one.mentions}
    return any((id(m.page), m.sentence) in places for m in other.mentions)


def _is_whole(one: AnswerCandidate) -> bool:
    """Whether a candidate is more than a piece of a word, of a phrase or of a row, somewhere."""
    return any(not m.end or not _is_piece(m) for m in one.mentions)


def _is_piece(mention: Mention) -> bool:
    text, start, end = mention.page.text, mention.start, mention.end
    if text[start - 1 : start + 1].isalnum() and start:
        return True  # "ley" of "Hatherley"
    if text[end - 1 : end + 1].isalnum() and end < len(text):
        return True
    fields = mention.page.fields.get(mention.sentence, ())
    if fields and not any(first <= start < end <= last for _, first, last in fields):
        return True  # a column's name, or more than one value
    return _is_hanging(mention)


def _is_hanging(mention: Mention) -> bool:
    """Whether it is words that say nothing alone ("through"), or ends before its phrase does."""
    words = list(_words(mention))
    if not words:
        return False
    if all(token.is_stop and token.pos_ not in ("NUM", "PROPN") for token in words):
        return True
    last = words[-1]
    before = last.pos_ == "ADP" and last.tag_ in _BEFORE
    return words[0].pos_ == "CCONJ" or last.pos_ in _HANGING or before


def _words(mention: Mention) -> "Iterator[Token]":
    span = mention.page.doc.char_span(mention.start, mention.end, alignment_mode="contract")
    return (token for token in span or () if not token.is_punct)
