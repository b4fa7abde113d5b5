"""The passages before the reader, parsed and tied to each other and to the question."""

import functools
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...kg.text.lines import ABBREVIATED
from ...kg.text.words import bare_title, stems
from ...kg.types import Passage, Statement
from .asked.names import inside, key, overlap
from .asked.question import Asked

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

Floats = NDArray[np.float32]
Fields = tuple[tuple[str, int, int], ...]
"""(name, first character of the value, one past its last) of each."""
_FIELD = re.compile(  # "Loan no.: 17", "Dep. Port Carrow: 12:30", "Remote?: no", "…; 2024: 5"
    rf"(?:^|; ?)[*•-]? ?([^\W\d_](?:[^:;.?!]|\.(?=:|-| [a-z+&])|{ABBREVIATED}|\?(?=:)){{0,38}}?"
    r"|(?<=; )[12]\d{3}(?:[/–-]\d{2,4})?)"
    r"[^\S\n]*:[^\S\n]+"
    r"([^\n;]*[^\s;])"
)
_NAMELESS = re.compile(
    r"[*•-]? ?([^:;.?!\n]{1,60}); ?(?=(?:[^\W\d_][^:;.?!\n]{0,38}|[12]\d{3}(?:[/–-]\d{2,4})?):"
    r"[^\S\n])"
)
"""A row's first cell, whose column has no name: "Ann Lee" of "Ann Lee; Room: 4"."""


WHOM = frozenset({"name", "person", "full name", "employee", "member", "contact"})
"""Columns that name whom the rest of a row is about."""


@dataclass(frozen=True, slots=True)
class ReaderPassage:
    """A passage as it is handed to the reader.

    Args:
        statements: the triples this passage states, of any extractor.
        score: the retriever's; the reader uses the order alone, so any retriever's scale will do.
    """

    passage: Passage
    statements: Sequence[Statement]
    score: float


def fields_of(text: str, start: int) -> Fields:
    """Find the fields of a row ("City: Graz; Staff: 12") or a labelled line ("Author: Ann Lee").

    The first name, or a cell without one ("Ann Lee; Room: 4"), opens the sentence, whose first
    character is `start`; a value ends with the field or the line.
    """
    nameless = _NAMELESS.match(text)
    if not nameless and not _FIELD.match(text):
        return ()
    first = [("", start + nameless.start(1), start + nameless.end(1))] if nameless else []
    found = _FIELD.finditer(text)
    return (*first, *((m.group(1), start + m.start(2), start + m.end(2)) for m in found))


def place_of(words: str, text: str, start: int, end: int) -> int:
    """Where words first stand whole in a part of a text, as "4" does not in "240"; else -1."""
    at = text.find(words, start, end)
    while at >= 0 and words:
        before, behind = text[max(0, at - 1) : at], text[at + len(words) : at + len(words) + 1]
        if not (before.isalnum() and words[0].isalnum()) and not (
            behind.isalnum() and words[-1].isalnum()
        ):
            return at
        at = text.find(words, at + 1, end)
    return -1


def _stems(token: "Token") -> tuple[str, ...]:
    own = _of_word(token.text)
    if token.pos_ != "VERB" or not own:
        return own
    return (*own, *(stem for stem in _of_word(token.lemma_) if stem not in own))


@functools.lru_cache(maxsize=1 << 15)
def _of_word(text: str) -> tuple[str, ...]:
    return tuple(stems(text))


@dataclass(frozen=True, eq=False)
class Page:
    """A passage with its parse.

    Args:
        doc: parse of `tidy(passage.text)`, so that its character offsets are the passage's.
        rank: 0 for the retriever's best.
        called: persons' whole names by the sentences that say a part of one, see `short_names`.
        scope: stems of the question's names that its document is of, see `scope`.
    """

    passage: Passage
    statements: Sequence[Statement]
    doc: "Doc"
    rank: int
    called: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    scope: frozenset[str] = frozenset()

    @functools.cached_property
    def id(self) -> str:
        """The passage's, which makes it anew each time it is asked for."""
        return self.passage.id

    @functools.cached_property
    def title(self) -> str:
        """The key of the bare title."""
        return key(bare_title(self.passage.title))

    @functools.cached_property
    def full_title(self) -> str:
        """The key of the title with the parenthesis that tells homonyms apart."""
        return key(self.passage.title)

    @functools.cached_property
    def key(self) -> str:
        """The key of the text."""
        return key(self.passage.text)

    @functools.cached_property
    def text(self) -> str:
        """The text of the parse, which is joined anew each time it is asked for."""
        return self.doc.text

    @functools.cached_property
    def spans(self) -> "list[Span]":
        """The sentences."""
        return list(self.doc.sents)

    @functools.cached_property
    def texts(self) -> list[str]:
        """The sentences' texts, which spans join anew, too."""
        return [self.text[s.start_char : s.end_char] for s in self.spans]

    def sentence(self, number: int) -> str:
        """Return the text of a sentence in one line; "" where there is none."""
        return " ".join(self.texts[number].split()) if number < len(self.texts) else ""

    @functools.cached_property
    def stemmed(self) -> list[tuple[str, ...]]:
        """The stems of each token: none of a stop word, several of "1.3" and of "sank"."""
        return [_stems(token) for token in self.doc]

    @functools.cached_property
    def said(self) -> "list[frozenset[str]]":
        """The stems of each sentence."""
        called = {n: frozenset(stems(" ".join(names))) for n, names in self.called.items()}
        return [
            called.get(n, frozenset()).union(*self.stemmed[s.start : s.end])
            for n, s in enumerate(self.spans)
        ]

    @functools.cached_property
    def words(self) -> "frozenset[str]":
        """The stems of all sentences."""
        return frozenset().union(*self.said)

    @functools.cached_property
    def recognised(self) -> dict[tuple[int, int], str]:
        """Labels of entities by their first character and one past their last."""
        return {(e.start_char, e.end_char): e.label_ for e in self.doc.ents}

    @functools.cached_property
    def starts(self) -> list[int]:
        """The first character of each sentence."""
        return [s.start_char for s in self.spans]

    def sentence_at(self, character: int) -> int:
        """Return the number of the sentence that a character belongs to."""
        return max(0, bisect_right(self.starts, character) - 1)

    def sentence_of(self, statement: Statement) -> int:
        """Return the number of the sentence that states a triple.

        Where the span is not known, of the tail's first mention.
        """
        start = statement.start
        if start is None:
            text = self.passage.text
            start = max(0, place_of(statement.triple.tail, text, 0, len(text)))
        return self.sentence_at(start)

    @functools.cached_property
    def fields(self) -> "dict[int, Fields]":
        """The fields of sentences that are rows or labelled lines: "name: value; name: value"."""
        found = ((n, fields_of(self.texts[n], start)) for n, start in enumerate(self.starts))
        return {n: fields for n, fields in found if fields}

    def crosses(self, start: int, end: int) -> bool:
        """Whether a stretch goes on into the next field of a row: "£95; Full day: £160"."""
        fields = self.fields.get(self.sentence_at(start), ())
        return any(start < first - len(name) - 1 and first < end for name, first, _ in fields)

    def is_apart(self, sentence: int) -> bool:
        """Whether a line ends before a sentence: another item, unless a colon leads to it."""
        before = self.texts[sentence - 1]
        between = self.text[
            self.starts[sentence - 1] + len(before.rstrip()) : self.starts[sentence]
        ]
        return "\n" in between and not before.rstrip().endswith(":")

    def is_line(self, sentence: int) -> bool:
        """Whether a sentence is a line of its own, as an item of a list is."""
        behind = sentence + 1 < len(self.spans)
        before = sentence > 0
        return (before or behind) and not (
            (before and not self.is_apart(sentence)) or (behind and not self.is_apart(sentence + 1))
        )

    def record(self, sentence: int) -> range:
        """The sentences of a row's record: a row alone, labelled lines with their neighbours."""
        first = last = sentence
        if len(self.fields[sentence]) == 1:
            while len(self.fields.get(first - 1, ())) == 1:
                first -= 1
            while len(self.fields.get(last + 1, ())) == 1:
                last += 1
        return range(first, last + 1)

    @functools.cached_property
    def heads(self) -> "dict[int, frozenset[str]]":
        """The stems of what the triples of each sentence are about, pronouns resolved."""
        found: dict[int, frozenset[str]] = {}
        for statement in self.statements:
            of = self.sentence_of(statement)
            found[of] = found.get(of, frozenset()).union(stems(statement.triple.head))
        return found


@dataclass(frozen=True)
class Evidence:
    """A question and the pages to answer it from, best first."""

    asked: Asked
    pages: tuple[Page, ...]

    @functools.cached_property
    def named(self) -> tuple[Page, ...]:
        """Pages whose titles the question names, the longest title first.

        Among homonyms the one that the question names in full is first.
        """
        asked = self.asked.key
        found = [p for p in self.pages if len(p.title) > 2 and inside(p.title, asked)]
        return tuple(sorted(found, key=lambda p: (-len(p.title), not inside(p.full_title, asked))))

    @functools.cached_property
    def linked(self) -> tuple[Page, ...]:
        """Pages whose titles another page's text contains."""
        return tuple(
            page
            for page in self.pages
            if len(page.title) > 2
            and any(inside(page.title, other.key) for other in self.pages if other is not page)
        )

    def naming(self, page: Page) -> tuple[Page, ...]:
        """Other pages whose texts contain this one's title."""
        if len(page.title) <= 2:
            return ()
        return tuple(p for p in self.pages if p is not page and inside(page.title, p.key))

    def without(self, pages: Iterable[Page]) -> str:
        """The question without the titles of some pages."""
        text = self.asked.text
        for page in pages:
            text = re.sub(re.escape(bare_title(page.passage.title)), " ", text, flags=re.IGNORECASE)
        return " ".join(text.split())

    def page_of(self, name: str, other_than: Page | None = None) -> Page | None:
        """Find the page about a name by the words of its title, the closest first, or None."""
        wanted = key(name)
        best, closest = None, 0.6
        for page in self.pages:
            if page is other_than:
                continue
            likeness = max(overlap(page.title, wanted), overlap(page.full_title, wanted))
            if likeness > closest or (likeness == closest and best is None):
                best, closest = page, likeness
        return best
