"""Whether a town, a release or a telephone number is found where another type is asked for."""

import re

from ....kg.text.words import stems
from ...countries import country_of
from ..asked.question import Asked
from ..candidates import Mention
from ..kinds import HOUSES, RELEASE

_LANDS = frozenset({"country", "nation"})
_LARGE = re.compile(
    r"(?i)\b(?:empire|kingdom|republic|union|states|emirates|islands?|federation|britain|america"
    r"|africa|korea|congo|holland|prussia|bohemia|yugoslavia|czechoslovakia|persia|burma|siam"
    r"|ceylon|rhodesia|zaire|palestine|kosovo|taiwan|tibet|catalonia|greenland|hong kong)\b"
    r"|\bU\.?[SK]"
)
"""Countries that are no more, or that not all call so, and names that say what they are."""
_BEHIND_A_NAME = re.compile(r"(?:[A-Z][\w+-]*|[Vv]ersion|[Rr]elease) \Z")
_ASKS_RELEASE = re.compile(r"(?i)\b(?:version|release|edition|section|chapter|number)s?\b")
_TELEPHONE = re.compile(r"(?:\+\d|0)\d{2,}(?:[ /-]\(?\d{2,}\)?){1,4}")
_ASKS_TELEPHONE = re.compile(
    r"(?i)phone|number|mobile|\b(?:call|contact|dial|fax|helpline|hotline|line|reach|ring|speak|tel"
    r"|text|whatsapp)"
)
_ASKS_PART = re.compile(
    r"(?i)\b(?:what|which) (?:part|area|corner|district|province|region|side) of (?:the|its|this)\b"
)
_ASKS_SEASON = re.compile(r"(?i)\b(?:what|which) seasons? of\b")
_SEASON = re.compile(
    r"(?i)\d|\b(?:first|second|third|\w+th|last|final|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|spring|summer|autumn|fall|winter|dry|rainy|wet)\b"
)
_SHORT = 20  # characters


def of_another_type(asked: Asked, mention: Mention, text: str) -> bool:
    """Whether it is a town where a country, a language or the museum in it is asked for.

    Or a country where a part of it is ("In what part of the country …?"), an episode for a season.

    Or which Dia it is in "with Dia 0.98", where no release is asked for, or a telephone number,
    where a code is.
    """
    if not mention.end:
        return False
    if RELEASE.fullmatch(text) and _BEHIND_A_NAME.search(_before(mention)):
        return not _ASKS_RELEASE.search(asked.text)
    if _TELEPHONE.fullmatch(text) and not _ASKS_TELEPHONE.search(asked.text):
        return True
    if frozenset(stems(asked.focus)) <= frozenset(stems(text)):
        return False
    label = mention.page.recognised.get((mention.start, mention.end), mention.label)
    if _ASKS_SEASON.search(asked.text) and not _SEASON.search(text):
        return True  # an episode
    if _ASKS_PART.search(asked.text) and country_of(text) is not None:
        return True
    if asked.focus in _LANDS:
        return label == "GPE" and country_of(text) is None and not _LARGE.search(text)
    if asked.focus == "language":
        return label == "GPE"
    return asked.focus in HOUSES and label == "GPE" and _before(mention).endswith(" in ")


def _before(mention: Mention) -> str:
    return mention.page.text[max(0, mention.start - _SHORT) : mention.start]
