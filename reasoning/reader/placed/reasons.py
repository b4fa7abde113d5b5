"""What is no reason, where a question asks for one."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Span

_WHY = re.compile(r"\b(?:why|for (?:what|which) reasons?)\b", re.IGNORECASE)
_POINTS_ON = re.compile(
    r"(?:(?:for|due to|because of|owing to) )?"
    r"(?:(?:(?:the|these) )?following|these|several|various) "
    r"(?:reasons?|causes?|factors?)(?: below)?:?",
    re.IGNORECASE,
)
_EXCEPTS = re.compile(r"(?:except|excluding|apart from|other than|unless)\b", re.IGNORECASE)
_EXCEPTED = re.compile(rf"\b{_EXCEPTS.pattern}(?: for)? (?:the )?\Z", re.IGNORECASE)
_CAUSES = frozenset({"reason", "cause", "problem", "trouble", "fault", "explanation"})


def gives_no_reason(asked: str, found: "Span | None", before: str, text: str) -> bool:
    """Whether it only says that reasons follow, what is excepted, or what something is.

    "Due to the following reasons" gives none, nor does "except for the main hall", nor "g is the
    acceleration due to gravity", which says what g is.

    Args:
        before: the text before it.
    """
    if not _WHY.search(asked):
        return False
    if _POINTS_ON.fullmatch(text) or _EXCEPTS.match(text) or _EXCEPTED.search(before):
        return True
    noun = next((t for t in found if t.dep_ == "attr"), None) if found else None
    if noun is None or noun.pos_ != "NOUN" or not re.search(r"(?i)\w due to ", text):
        return False
    subject = next((t for t in noun.head.children if t.dep_ == "nsubj"), None)
    defined = any(t.lower_ == "the" for t in noun.children)
    return defined and subject is not None and subject.lemma_.lower() not in _CAUSES
