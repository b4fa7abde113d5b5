"""The noun that a question counts: "pages" in "How many pages …?", "the number of pages"."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ....kg.text.words import stems

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_ASKS_NUMBER = re.compile(
    r"(?:(?:what|which) (?:is|was|are|were) |what['’]s )?(?:the )?(?:[a-z]+ ){0,2}(numbers?) of ",
    re.I,
)
ANYTHING = frozenset(
    stems(
        "people person persons man men woman women somebody human inhabitant resident individual"
        " staff employee worker member colleague crew head thing item unit piece part object entry"
        " element kind type sort sample copy one other time way step place point level degree"
        " number amount total percent percentage share half"
        " second minute hour day night week month year decade century date weekday"
        " metre meter kilometre kilometer mile foot feet inch yard millimetre millimeter centimetre"
        " centimeter gram kilogram kilo pound ton tonne litre liter gallon pint ounce hectare acre"
        " km cm mm kg mg ml volt watt ampere amp hertz pixel bit byte kilobyte megabyte gigabyte"
        " kb mb gb tb"
        " euro dollar cent penny pence franc crown"
        " seat session evening morning afternoon case instance attempt try mark set group"
    )
)
"""Counts no particular thing, or measures one: what else is counted may be the same."""


_SAME = tuple(
    frozenset(stems(line))
    for line in (
        "computer machine pc laptop device node host server",
        "child children kid youngster junior pupil student boy girl apprentice trainee",
        "visitor guest tourist stranger customer client buyer shopper passenger traveller adult",
        "folder directory subdirectory file",
        "message mail email posting post article letter",
        "picture image drawing photo photograph",
        "country state nation",
        "version release edition",
        "change commit edit revision",
        "fault violation error mistake defect",
        "company firm business supplier shop farm",
        "shipment consignment parcel delivery order",
        "musician player singer",
        "label tag",
        "form shape",
        "meal helping portion serving",
        "barrel cask keg",
        "hole well borehole",
        "layer coat",
        "document work text book volume title publication",
        "hen chicken",
        "payment instalment",
        "licence license seat key",
        "situation scenario case",
        "floor storey story level",
        "account profile user",
        "character char letter digit byte symbol",
        "line row",
        "page sheet leaf",
        "column field",
        "trip journey tour voyage crossing sailing run",
        "house home flat apartment dwelling household",
    )
)
"""Nouns for what may be the same thing, where it is counted."""


def may_be(stem: str) -> frozenset[str]:
    """Return the stems of what may be counted where one noun is asked about, itself among them."""
    return frozenset({stem}).union(*(same for same in _SAME if stem in same))


def counted(doc: "Doc") -> frozenset[str]:
    """Find the stems of the noun that a question counts, and of nouns before it; none of most."""
    noun = _noun(doc)
    if noun is None or not ANYTHING.isdisjoint(stems(f"{noun.text} {noun.lemma_}")):
        return frozenset()
    return frozenset(stems(" ".join(t.text for t in (noun, *_before(noun)))))


def _before(noun: "Token") -> Iterator["Token"]:
    return (t for t in noun.children if t.dep_ in ("compound", "nmod", "amod") and t.pos_ != "ADJ")


def _noun(doc: "Doc") -> "Token | None":
    for token in doc[:-1]:
        if token.lower_ == "how" and token.nbor().lower_ == "many":
            return _behind(token.nbor())
    asked = _ASKS_NUMBER.match(doc.text)
    number = doc.char_span(*asked.span(1)) if asked else None
    return number_of(number[0]) if number else None


def _behind(many: "Token") -> "Token | None":
    """The last of the nouns right behind "many"."""
    if many.dep_ == "amod" and many.head.pos_ == "NOUN" and many.head.i > many.i:
        return many.head
    noun = None
    for token in many.doc[many.i + 1 :]:
        if token.pos_ not in ("NOUN", "ADJ"):
            break
        noun = token if token.pos_ == "NOUN" else noun
    return noun


def number_of(token: "Token") -> "Token | None":
    """What "number of …" counts."""
    of = (t for t in token.children if t.lower_ == "of")
    return next(
        (t for tie in of for t in tie.children if t.dep_ == "pobj" and t.pos_ == "NOUN"), None
    )
