"""What a passage says whatever is asked: its parse, and what is taken of it once."""

import functools
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from ...kg.text.words import stems
from ...kg.types import Passage
from .fields import Fields, fields_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

T = TypeVar("T")
Given = ParamSpec("Given")


@dataclass(frozen=True, eq=False)
class Parsed:
    """A passage with its parse, kept from question to question: threads may share it.

    Args:
        doc: parse of `tidy(passage.text)`, so that its character offsets are the passage's.
    """

    passage: Passage
    doc: "Doc"
    _told: dict[str, dict[Any, Any]] = field(default_factory=dict, repr=False)

    @functools.cached_property
    def text(self) -> str:
        """The text of the parse, which is joined anew each time it is asked for."""
        return self.doc.text

    @functools.cached_property
    def tokens(self) -> "list[Token]":
        """The tokens, which are made anew each time, too."""
        return list(self.doc)

    @functools.cached_property
    def lower(self) -> list[str]:
        """The tokens in lower case."""
        return [token.lower_ for token in self.tokens]

    @functools.cached_property
    def lemmas(self) -> list[str]:
        """Their lemmas in lower case."""
        return [token.lemma_.lower() for token in self.tokens]

    @functools.cached_property
    def stemmed(self) -> list[tuple[str, ...]]:
        """The stems of each token: none of a stop word, several of "1.3" and of "sank"."""
        return [_stems(token) for token in self.tokens]

    @functools.cached_property
    def spans(self) -> "list[Span]":
        """The sentences."""
        return list(self.doc.sents)

    @functools.cached_property
    def texts(self) -> list[str]:
        """The sentences' texts, which spans join anew, too."""
        return [self.text[s.start_char : s.end_char] for s in self.spans]

    @functools.cached_property
    def starts(self) -> list[int]:
        """The first character of each sentence."""
        return [s.start_char for s in self.spans]

    @functools.cached_property
    def bounds(self) -> list[tuple[int, int]]:
        """The first token of each sentence, and one past its last."""
        return [(s.start, s.end) for s in self.spans]

    @functools.cached_property
    def said(self) -> list[frozenset[str]]:
        """The stems of each sentence."""
        return [frozenset[str]().union(*self.stemmed[a:b]) for a, b in self.bounds]

    @functools.cached_property
    def recognised(self) -> dict[tuple[int, int], str]:
        """Labels of entities by their first character and one past their last."""
        return {(e.start_char, e.end_char): e.label_ for e in self.doc.ents}

    @functools.cached_property
    def fields(self) -> dict[int, Fields]:
        """The fields of sentences that are rows or labelled lines: "name: value; name: value"."""
        found = ((n, fields_of(self.texts[n], start)) for n, start in enumerate(self.starts))
        return {n: fields for n, fields in found if fields}

    def sentence_at(self, character: int) -> int:
        """Return the number of the sentence that a character belongs to."""
        return max(0, bisect_right(self.starts, character) - 1)

    def crosses(self, start: int, end: int) -> bool:
        """Whether a stretch goes on into the next field of a row: "£95; Full day: £160"."""
        fields = self.fields.get(self.sentence_at(start), ())
        return any(start < first - len(name) - 1 and first < end for name, first, _ in fields)


def once(tell: Callable[Concatenate[Parsed, Given], T]) -> Callable[Concatenate[Parsed, Given], T]:
    """Keep what is told of a passage, or of a place in it, with the passage."""
    name = f"{tell.__module__}.{tell.__name__}"

    @functools.wraps(tell)
    def told(of: Parsed, *given: Given.args, **none: Given.kwargs) -> T:
        kept = of._told.setdefault(name, {})
        if given not in kept:
            kept[given] = tell(of, *given, **none)
        return kept[given]

    return told


def _stems(token: "Token") -> tuple[str, ...]:
    own = _of_word(token.text)
    if token.pos_ != "VERB" or not own:
        return own
    return (*own, *(stem for stem in _of_word(token.lemma_) if stem not in own))


@functools.lru_cache(maxsize=1 << 15)
def _of_word(text: str) -> tuple[str, ...]:
    return tuple(stems(text))
