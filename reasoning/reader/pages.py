"""The passages before the reader, parsed and tied to each other and to the question."""

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...kg.text.words import bare_title, stems
from ...kg.types import Passage, Statement
from .asked.names import inside, key, overlap
from .asked.question import Asked
from .fields import Fields
from .parsed import Parsed

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

Floats = NDArray[np.float32]


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


@dataclass(frozen=True, eq=False)
class Page:
    """A passage as one question reads it.

    Args:
        rank: 0 for the retriever's best.
        called: persons' whole names by the sentences that say a part of one, see `short_names`.
        scope: stems of the question's names that its document is of, see `scope`.
    """

    parsed: Parsed
    statements: Sequence[Statement]
    rank: int
    called: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    scope: frozenset[str] = frozenset()

    @property
    def passage(self) -> Passage:
        """The passage."""
        return self.parsed.passage

    @property
    def doc(self) -> "Doc":
        """Its parse."""
        return self.parsed.doc

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
        """The text of the parse."""
        return self.parsed.text

    @functools.cached_property
    def spans(self) -> "list[Span]":
        """The sentences."""
        return self.parsed.spans

    @functools.cached_property
    def texts(self) -> list[str]:
        """The sentences' texts."""
        return self.parsed.texts

    def sentence(self, number: int) -> str:
        """Return the text of a sentence in one line; "" where there is none."""
        return " ".join(self.texts[number].split()) if number < len(self.texts) else ""

    @functools.cached_property
    def stemmed(self) -> list[tuple[str, ...]]:
        """The stems of each token, see `Parsed`."""
        return self.parsed.stemmed

    @functools.cached_property
    def said(self) -> list[frozenset[str]]:
        """The stems of each sentence, and of whom it calls by a part of the name."""
        own = self.parsed.said
        if not self.called:
            return own
        return [
            said.union(stems(" ".join(self.called[n]))) if n in self.called else said
            for n, said in enumerate(own)
        ]

    @functools.cached_property
    def words(self) -> "frozenset[str]":
        """The stems of all sentences."""
        return frozenset().union(*self.said)

    @functools.cached_property
    def recognised(self) -> dict[tuple[int, int], str]:
        """Labels of entities by their first character and one past their last."""
        return self.parsed.recognised

    @functools.cached_property
    def starts(self) -> list[int]:
        """The first character of each sentence."""
        return self.parsed.starts

    def sentence_at(self, character: int) -> int:
        """Return the number of the sentence that a character belongs to."""
        return self.parsed.sentence_at(character)

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
    def fields(self) -> dict[int, Fields]:
        """The fields of sentences that are rows or labelled lines."""
        return self.parsed.fields

    def crosses(self, start: int, end: int) -> bool:
        """Whether a stretch goes on into the next field of a row: "£95; Full day: £160"."""
        return self.parsed.crosses(start, end)

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
