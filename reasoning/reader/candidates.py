"""Strings of the pages that might be the answer, with all their mentions."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...kg.extraction.triples import DATE, mention_spans
from ...kg.text.words import bare_title
from ...kg.types import Statement
from .names import key, same_name
from .pages import Evidence, Page

LABELS = (
    "PERSON", "ORG", "GPE", "LOC", "FAC", "NORP", "DATE", "CARDINAL", "QUANTITY", "WORK", "NAME",
    "EVENT", "TITLE", "CHUNK", "END", "OPTION",
)  # fmt: skip
"""Kinds of mention: spaCy's entity labels, then how else it was found; the most telling first."""

_MERGED = {
    "WORK_OF_ART": "WORK", "MONEY": "QUANTITY", "PERCENT": "QUANTITY", "TIME": "DATE",
    "ORDINAL": "CARDINAL", "LAW": "NAME", "PRODUCT": "NAME", "LANGUAGE": "NORP", "NOBLE": "PERSON",
}  # fmt: skip
_EDGES = " ,.;:()[]\"“”'’–-"
_LEADING = re.compile(
    r"^(?:the|a|an|this|that|these|those|his|her|its|their|both|also|some|such) ", re.IGNORECASE
)
MAX_LENGTH = 90  # characters of a candidate


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a candidate stands.

    Args:
        start: first character in the passage's text; end is one past the last. Both 0 for a title,
            an option or the end of a triple.
        statement: the triple whose tail (or head, when `reverse`) it is, for mentions labelled END.
    """

    page: Page
    label: str
    start: int = 0
    end: int = 0
    sentence: int = 0
    statement: Statement | None = None
    reverse: bool = False


@dataclass(frozen=True)
class AnswerCandidate:
    """A possible answer, as first spelt, with every mention."""

    text: str
    key: str
    mentions: list[Mention] = field(default_factory=list)

    @property
    def label(self) -> str:
        """The most telling label among the mentions."""
        labels = {mention.label for mention in self.mentions}
        return next(label for label in LABELS if label in labels)


def candidates(evidence: Evidence) -> list[AnswerCandidate]:
    """Collect all candidates of the pages, each key once, in order of first mention.

    Where a question lets choose from two things that have pages, there are only these two.
    """
    mentions = _of_options(evidence) or _of_pages(evidence)
    found: dict[str, AnswerCandidate] = {}
    for text, mention in mentions:
        text = text.strip(_EDGES)
        if DATE.fullmatch(text):
            text = evidence.asked.year_of(text) or text
        normal = key(text)
        if normal and len(normal) <= MAX_LENGTH:
            found.setdefault(normal, AnswerCandidate(text, normal)).mentions.append(mention)
    return list(found.values())


def _of_options(evidence: Evidence) -> list[tuple[str, Mention]]:
    """The options with every mention of theirs, or nothing unless each has a page of its own."""
    options = [(bare_title(o), evidence.page_of(o)) for o in evidence.asked.options]
    pages = [page for _, page in options if page is not None]
    if len(pages) < 2 or pages[0] is pages[1]:
        return []
    mentions = [(text, Mention(page, "OPTION")) for text, page in options if page is not None]
    for found, mention in _of_pages(evidence):
        for text, _ in options:
            if same_name(key(found), key(text)):
                mentions.append((text, mention))
    return mentions


def _of_pages(evidence: Evidence) -> Iterator[tuple[str, Mention]]:
    titles = Counter(page.title for page in evidence.pages)
    for page in evidence.pages:
        if titles[page.title] == 1:  # else it is a document's of many parts, and names no thing
            yield bare_title(page.passage.title), Mention(page, "TITLE")
        yield from _spans(page)
        yield from _ends(page)


def _spans(page: Page) -> Iterator[tuple[str, Mention]]:
    spans = set(mention_spans(page.doc, page.passage.title))
    spans |= {(e.start_char, e.end_char, e.label_) for e in page.doc.ents}
    spans |= {(c.start_char, c.end_char, "CHUNK") for c in page.doc.noun_chunks}
    spans |= {(t.idx, t.idx + len(t), "CARDINAL") for t in page.doc if t.like_num}
    whole = page.doc.text  # joined anew each time it is asked for
    for start, end, label in sorted(spans):
        known = _MERGED.get(label, label)
        text = _LEADING.sub("", whole[start:end])
        mention = Mention(
            page, known if known in LABELS else "NAME", start, end, page.sentence_at(start)
        )
        yield text, mention


def _ends(page: Page) -> Iterator[tuple[str, Mention]]:
    for statement in page.statements:
        sentence = page.sentence_of(statement)
        for text, reverse in ((statement.triple.tail, False), (statement.triple.head, True)):
            yield (
                text,
                Mention(page, "END", sentence=sentence, statement=statement, reverse=reverse),
            )
