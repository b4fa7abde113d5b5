"""Keywords of a passage: the names it mentions, which become its entities."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..text.language import ENGLISH, stop_words
from ..text.titles import bare, may_link, unnumbered
from ..text.words import bare_title, normal_form, normal_title
from ..types import Mention
from .mentions import ASIDE, DATE, MONTH
from .prose import judged
from .topics import Part

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

NUMBERS = frozenset({"CARDINAL", "ORDINAL", "PERCENT", "QUANTITY", "TIME", "MONEY"})
MIN_NAME, MAX_NAME = 3, 120  # characters; what is longer is no name

_CAPITAL = "A-Z" + "".join(chr(c) for c in range(0xC0, 0x590) if chr(c).isupper())
_WORD = rf"[{_CAPITAL}][\w'’.-]*"
_LINK = "(?:of|the|de|van|von|and|la|le|du|al|bin)"
_CAPITALISED = re.compile(rf"\b{_WORD}(?:\s+(?:{_LINK}\s+)?{_WORD})*")
_WITHOUT_PARSE = re.compile(rf"\b{_WORD}(?:\s+(?:(?:{_LINK}|&)\s+)?{_WORD})*")
_SENTENCE_END = re.compile(r"(?<=[.!?:;])\s+|\n")
_ARTICLE = re.compile(r"^(?:the|a|an)\s+(?=\S)", re.IGNORECASE)
_CUT = re.compile(r"(?: (?:in|of|at|on|for|and|the|to))+$")
_POSSESSIVE = re.compile(r"['’]s?$")
_IN_TIME = re.compile(rf"{DATE.pattern}|\b\d{{4}}s?\b|centur")
_NOT_A_NAME = re.compile(
    r"[=<>{}|\\$]|://|^[\W\d_]*$(?<!\d{4})|^-"
    rf"|^(?:{MONTH}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)s?$"
)
_EDGES = " .,'\"’‘“”-–—()[]:;!?"
_ABBREVIATED = re.compile(r"(?:\b\w\.)+\w\.?$|\b(?:Jr|Sr|Inc|Ltd|Co|Bros)\.$")


def keywords(
    passage_id: str,
    doc: "Doc",
    title: str,
    parts: Sequence[Part] = (),
    language: str = ENGLISH,
) -> list[Mention]:
    """Find one mention of each thing a passage names, the title first, then as they appear.

    Names are spaCy's entities except numbers and durations, the capitalised part of noun chunks
    around a proper noun, and the title without its parenthesis. Code has none, and what any
    document may have ("Chapter 1") is none.

    Args:
        passage_id: of the passage.
        doc: parse of the passage's text.
        title: of the passage; may be empty.
        parts: of the passage; what heads one is named by it only if that is what it is about.
        language: of the text; of another than English names are its runs of capitalised words, as
            the pipeline knows no other.
    """
    names = (name for name in map(clean_name, _names(doc, language)) if len(name) <= MAX_NAME)
    found: dict[str, str] = {}
    own = [" ".join(bare_title(about).split()) for about in (title, *(p.topic for p in parts))]
    heads = _headings(doc.text, parts).difference(own)
    for name in (*own, *names):
        if name not in heads:
            found.setdefault(normal_form(name), name)
    return [
        Mention(passage_id, name)
        for key, name in found.items()
        if len(key) >= MIN_NAME
        and may_link(normal_title(name))
        and not (_NOT_A_NAME.search(name) or ASIDE.fullmatch(name))
    ]


def _headings(text: str, parts: Sequence[Part]) -> set[str]:
    """The lines between parts, without their numbers."""
    if not parts:
        return set()
    ends = [0, *(part.end for part in parts)]
    between = (text[end : part.start] for end, part in zip(ends, parts, strict=False))
    lines = [line.strip() for gap in between for line in gap.split("\n")]
    return {clean_name(without(line)) for line in lines for without in (str, unnumbered, bare)}


def clean_name(name: str) -> str:
    """Write a name as it looks on its own: no article, possessive or punctuation around it.

    The full stop of "Jr." and of "U.S." stays.
    """
    name = _ARTICLE.sub("", " ".join(name.split()).lstrip(_EDGES))
    name = _POSSESSIVE.sub("", _CUT.sub("", name).rstrip(' ,"“”-–—([:;!?'))
    bare = name.rstrip(_EDGES)
    stop = name[: len(bare) + 1]
    return stop if stop.endswith(".") and _ABBREVIATED.search(stop) else bare


def _names(doc: "Doc", language: str) -> Iterator[str]:
    if language not in (ENGLISH, doc.lang_):
        return _capitalised(doc.text, language)
    code = {sentence.start for sentence, is_code, _ in judged(doc) if is_code}
    entities = [e for e in doc.ents if e.sent.start not in code]
    spans = [(e.start_char, e.text) for e in entities if _is_named(e)]
    whole = {character for e in entities for character in range(e.start_char, e.end_char)}
    for chunk in doc.noun_chunks:
        read = chunk.root.pos_ == "PROPN" and chunk.sent.start not in code
        if read and (run := _CAPITALISED.search(chunk.text)):
            start, end = (chunk.start_char + at for at in run.span())
            if not whole.issuperset(range(start, end)):  # "Technology" of an institute's name
                spans.append((start, run.group()))
    return (name for _, name in sorted(spans, key=lambda span: span[0]))


def _is_named(entity: "Span") -> bool:
    if entity.label_ == "DATE":  # "today", "four weeks" and "August" are any year's
        return _IN_TIME.search(entity.text) is not None
    named = entity.root.pos_ == "PROPN" or not entity.text.islower()
    return named and entity.label_ not in NUMBERS


def _capitalised(text: str, language: str) -> Iterator[str]:
    """Runs of capitalised words without the stop words that begin a sentence or end a run."""
    stop = stop_words(language)
    runs = (run for part in _SENTENCE_END.split(text) for run in _WITHOUT_PARSE.findall(part))
    for words in map(str.split, runs):
        while words and words[0].lower() in stop:
            del words[0]
        while words and words[-1].lower() in stop:
            del words[-1]
        if words:
            yield " ".join(words)
