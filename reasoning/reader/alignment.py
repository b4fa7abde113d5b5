"""How a place in a text meets a question: names, words, the type asked for, the part it plays.

A sentence that says the question's names and words, and in which a candidate of the fitting type
stands in the part that the question asks for ("Who founded X?": the subject of "founded", or after
"by"), answers it though no triple was extracted from it.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from ...kg.text.words import stems
from .candidates import AnswerCandidate, Mention
from .kinds import fit
from .pages import Evidence, Page
from .question import Asked, alike, part_played

if TYPE_CHECKING:
    from spacy.tokens import Token

ALIGNED = (
    "met",  # share of the question's words in the sentence, rare ones counting more
    "met_around",  # … or in the sentence before it, the title or the heading
    "names_met",  # share of the question's names in the sentence
    "names_around",
    "names_in_chain",  # … in the passage, or in one that names it
    "fit",  # 1: of the type asked for; -1: of another
    "part",  # 1: plays the part that the question asks for, -1: another
    "near_word",  # 1 / (1 + steps in the parse to what is asked about the names)
    "near_name",
    "near_focus",
    "unit",  # the counted noun follows the number
    "sure",  # met × fit: a sentence that says all, and a thing of that type
)
_LIKE = 0.7  # what a word of like meaning counts
_NAME = 2.0  # how much more a name counts than another word
_FAR = 6  # steps in the parse
_NOWHERE = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Alignment:
    """Of one mention; values in the order of ALIGNED."""

    values: tuple[float, ...]

    def __getitem__(self, name: str) -> float:
        return self.values[ALIGNED.index(name)]

    @property
    def rank(self) -> float:
        """What the best of a candidate's mentions is chosen by."""
        return (
            self["met"] + self["names_around"] + self["fit"] + 0.5 * self["part"]
            + self["near_word"] + 0.5 * self["near_focus"] + self["unit"]
        )  # fmt: skip


class Aligner:
    """Aligns mentions of one question's pages."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence, self.asked = evidence, evidence.asked
        self._pages: dict[str, _Aligned] = {}

    def mention(self, mention: Mention, text: str) -> Alignment:
        """Align one mention of a candidate of this text."""
        page = self.page(mention.page)
        words = frozenset(stems(text))
        met, around = page.met(mention.sentence, words), page.met_around(mention.sentence, words)
        names, names_around = page.names(mention.sentence), page.names_around(mention.sentence)
        fits = fit(self.asked, mention, text)
        near = page.near(mention)
        return Alignment(
            (
                met, around, names, names_around, page.names_in_chain, fits, *near,
                page.unit(mention), met * max(0.0, fits),
            )
        )  # fmt: skip

    def best(self, candidate: AnswerCandidate) -> Mention:
        """The mention of a candidate that meets the question best."""
        return max(candidate.mentions, key=lambda m: self.mention(m, candidate.text).rank)

    def page(self, page: Page) -> "_Aligned":
        """The page, prepared once."""
        if page.passage.id not in self._pages:
            self._pages[page.passage.id] = _Aligned(page, self)
        return self._pages[page.passage.id]

    @cached_property
    def weights(self) -> dict[str, float]:
        """What each of the question's words counts; they sum up to 1."""
        said = [sentence for page in self.evidence.pages for sentence in page.said]
        raw = {}
        for stem in self.asked.stems:
            like = alike(stem)
            held = sum(1 for words in said if stem in words or not like.isdisjoint(words))
            raw[stem] = math.log(1 + (len(said) + 0.5) / (held + 0.5))
            raw[stem] *= _NAME if stem in self.asked.named_stems else 1
        total = sum(raw.values()) or 1.0
        return {stem: value / total for stem, value in raw.items()}

    @cached_property
    def focus(self) -> frozenset[str]:
        """The stem of the noun asked for."""
        return frozenset(stems(self.asked.focus))

    @cached_property
    def relation(self) -> frozenset[str]:
        """The stems of what is asked about the names, with those that say the same."""
        own = self.asked.stems - self.asked.named_stems - self.focus
        return own.union(*(alike(stem) for stem in own))


@dataclass
class _Aligned:
    """A page with what all its mentions share."""

    page: Page
    of: Aligner
    _near: dict[tuple[int, int], tuple[float, float, float, float]] = field(default_factory=dict)
    _said: dict[int, tuple[list[int], list[int], list[int]]] = field(default_factory=dict)

    @cached_property
    def above(self) -> frozenset[str]:
        """Title and heading."""
        passage = self.page.passage
        return frozenset(stems(f"{passage.title} {passage.heading}"))

    def met(self, sentence: int, without: frozenset[str]) -> float:
        """Share of the question's words that a sentence says."""
        return self._share(self.page.said[sentence] - (without - self.of.asked.stems))

    def met_around(self, sentence: int, without: frozenset[str]) -> float:
        """The same of the sentence, the one before, title and heading."""
        before = self.page.said[sentence - 1] if sentence else frozenset[str]()
        return self._share(
            (self.page.said[sentence] | before | self.above) - (without - self.of.asked.stems)
        )

    def _share(self, words: frozenset[str]) -> float:
        share = 0.0
        for stem, weight in self.of.weights.items():
            if stem in words:
                share += weight
            elif not words.isdisjoint(alike(stem)):
                share += _LIKE * weight
        return share

    def names(self, sentence: int) -> float:
        """Share of the question's names that a sentence says; 1 without any."""
        return named(self.of.asked, self.page.said[sentence])

    def names_around(self, sentence: int) -> float:
        """The same of the sentence, the one before, title and heading."""
        before = self.page.said[sentence - 1] if sentence else frozenset[str]()
        return named(self.of.asked, self.page.said[sentence] | before | self.above)

    @cached_property
    def names_in_chain(self) -> float:
        """Share of the names that this page and those that name it say."""
        words = set(self.above).union(*self.page.said)
        for other in self.of.evidence.naming(self.page):
            words.update(stems(f"{other.passage.title} {other.passage.heading}"), *other.said)
        return named(self.of.asked, words)

    def near(self, mention: Mention) -> tuple[float, float, float, float]:
        """(part, near_word, near_name, near_focus) of a mention in the text."""
        if not mention.end:
            return _NOWHERE
        place = mention.start, mention.end
        if place not in self._near:
            self._near[place] = self._nearness(mention)
        return self._near[place]

    def _nearness(self, mention: Mention) -> tuple[float, float, float, float]:
        span = self.page.doc.char_span(mention.start, mention.end, alignment_mode="expand")
        if span is None or not len(span):
            return _NOWHERE
        steps = _steps(span.root)
        inside = range(span.start, span.end)
        words, names, focus = self._goals(mention.sentence)
        return (
            self._part(span.root),
            _nearest(steps, [i for i in words if i not in inside]),
            _nearest(steps, [i for i in names if i not in inside]),
            _nearest(steps, focus),
        )

    def _goals(self, sentence: int) -> tuple[list[int], list[int], list[int]]:
        """Tokens of a sentence that say what is asked, a name, the noun asked for."""
        if sentence not in self._said:
            span, aligner = self.page.spans[sentence], self.of
            wanted = aligner.relation, aligner.asked.named_stems, aligner.focus
            found: tuple[list[int], list[int], list[int]] = ([], [], [])
            for i in range(span.start, span.end):
                for goals, stemmed in zip(found, wanted, strict=True):
                    if not stemmed.isdisjoint(self.page.stemmed[i]):
                        goals.append(i)
            self._said[sentence] = found
        return self._said[sentence]

    def unit(self, mention: Mention) -> float:
        """Whether the counted noun stands in or right behind a number."""
        unit = frozenset(stems(self.of.asked.unit))
        if not unit or not mention.end:
            return 0.0
        after = self.page.passage.text[mention.start : mention.end + 30]
        return float(not unit.isdisjoint(stems(after)))

    def _part(self, token: "Token") -> float:
        """Whether it is to a word asked about what the question word is to it."""
        played = part_played(token)
        if played is None or not self.of.asked.part:
            return 0.0
        part, governor = played
        if self.of.relation.isdisjoint(self.page.stemmed[governor.i]):
            return 0.0
        return 1.0 if part == self.of.asked.part else -1.0


def unsaid_names(evidence: Evidence) -> list[str]:
    """Return the question's names of which no page says all words."""
    words: set[str] = set()
    for page in evidence.pages:
        words.update(stems(f"{page.passage.title} {page.passage.heading}"), *page.said)
    asked = evidence.asked
    return [said for said, name in zip(asked.called, asked.names, strict=True) if not name <= words]


def named(asked: Asked, words: Iterable[str]) -> float:
    """Share of the question's names that are said in full; 1 without any."""
    names = asked.names
    if not names:
        return 1.0
    held = frozenset(words)
    return sum(len(name & held) / len(name) for name in names) / len(names)


def _steps(token: "Token") -> dict[int, int]:
    """Steps in the parse from a token to all within reach."""
    found, edge = {token.i: 0}, [token]
    for step in range(1, _FAR):
        after = []
        for one in edge:
            for other in (one.head, *one.children):
                if other.i not in found:
                    found[other.i] = step
                    after.append(other)
        edge = after
    return found


def _nearest(steps: dict[int, int], tokens: list[int]) -> float:
    """1 / steps to the nearest of these tokens, 0 out of reach."""
    near = [steps[i] for i in tokens if i in steps]
    return 1 / max(1, min(near)) if near else 0.0
