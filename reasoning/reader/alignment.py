"""How a place in a text meets a question: names, words, the type asked for, the part it plays.

A sentence that says the question's names and words, and in which a candidate of the fitting type
stands in the part that the question asks for ("Who founded X?": the subject of "founded", or after
"by"), answers it though no triple was extracted from it.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from ...kg.text.words import stems
from .alike import alike
from .candidates import AnswerCandidate, Mention
from .kinds import fit, number_word
from .pages import Evidence, Fields, Page
from .question import Asked, part_played

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
    "stated",  # how far a sentence states it: names, relation, type and part together
)
_LIKE = 0.7  # what a word of like meaning counts
_NAME = 2.0  # how much more a name counts than another word
_AROUND = 0.9  # what counts that is said only together with the sentence before and what is above
_NO_PART = 0.9  # … of a candidate that the parse ties to nothing asked about
_OTHER_PART = 0.5  # … that did what was done to what is asked for, or the other way round
_RELATED = 0.5  # how much of "stated" hangs on what is asked about the names
_NEAR = 0.15  # … on standing beside that
_NOT_DONE = 0.6  # what counts of a sentence without the verb that is asked about
_NO_UNIT = 0.6  # what counts of a number of other things
_ANY = 0.3  # what counts as the fit of anything, where the question asks for nothing particular
_CODE = re.compile(r"\w[./_@-]\w|^[./-]\w")
_BEFORE = 3  # sentences that a pronoun may mean something of
_OPENING = 8  # words of a sentence in which its subject stands
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
        names, names_around = page.names(mention.sentence), page.names_around(mention.sentence)
        near = page.near(mention)
        fits = fit(self.asked, mention, text)
        if near[3] >= 1 and abs(fits) < 1 and self.asked.focus:  # "the app Nightjar"
            fits = 1.0 if self._tells(text) else min(fits, -0.5)
        typed = self.asked.typed if fits > 0 else frozenset[str]()
        met = page.met(mention.sentence, words, typed)
        around = page.met_around(mention.sentence, words, typed)
        stated = self._stated(
            page, mention, words, (met * names, around * names_around), fits, near
        )
        return Alignment(
            (
                met, around, names, names_around, page.names_in_chain, fits, *near,
                page.unit(mention), met * max(0.0, fits), stated,
            )
        )  # fmt: skip

    def _stated(
        self,
        page: "_Aligned",
        mention: Mention,
        words: frozenset[str],
        said: tuple[float, float],
        fits: float,
        near: tuple[float, float, float, float],
    ) -> float:
        """How far one sentence states a candidate to be what is asked for, 0 to 1.

        Args:
            said: share of names and words that the sentence says, alone and with its surroundings.
        """
        if words <= self.asked.stems:
            return 0.0
        able = fits
        if self.asked.kind == "other" and not fits:
            able = 2 * _ANY if near[0] > 0 else _ANY
        part, word = near[:2]
        in_field = part > 0 and mention.sentence in page.page.fields
        related = 1.0 if in_field else page.related(mention.sentence, words)
        return (
            max(said[0], _AROUND * said[1])
            * math.sqrt(max(0.0, able))
            * (1 if part > 0 else _NO_PART if not part else _OTHER_PART)
            * (1 - _RELATED + _RELATED * related)
            * (1 - _NEAR + _NEAR * word)
            * (1 if in_field or not self.asked.unit or page.unit(mention) else _NO_UNIT)
            * (1 if in_field or page.does(mention.sentence) else _NOT_DONE)
        )

    def _tells(self, text: str) -> bool:
        """Whether a phrase with the noun asked for holds a name, a number or a code besides.

        "the app Nightjar" tells which app it is; "two main apps" does not.
        """
        rest = (
            w
            for w in text.split()
            if not self.asked.stems.issuperset(stems(w)) and not number_word(w)
        )
        return any(any(c.isupper() or c.isdigit() for c in w) or _CODE.search(w) for w in rest)

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

    def met(self, sentence: int, without: frozenset[str], typed: frozenset[str]) -> float:
        """Share of the question's words that a sentence says.

        Args:
            without: the candidate's own words.
            typed: words of the question that the candidate's type says.
        """
        said = self.page.said[sentence] - (without - self.of.asked.stems)
        return self._share(said | typed)

    def met_around(self, sentence: int, without: frozenset[str], typed: frozenset[str]) -> float:
        """The same of the sentence, the one before, title and heading."""
        said = self.around(sentence) - (without - self.of.asked.stems)
        return self._share(said | typed)

    def related(self, sentence: int, without: frozenset[str]) -> float:
        """Share of what is asked about the names that a sentence says; 1 where that is nothing."""
        asked = self.of.asked
        wanted = asked.stems - asked.named_stems - asked.typed - self.of.focus
        said = self.page.said[sentence] - without
        total = sum(self.of.weights[stem] for stem in sorted(wanted))
        held = (s for s in sorted(wanted) if s in said or not said.isdisjoint(alike(s)))
        return sum(self.of.weights[stem] for stem in held) / total if total else 1.0

    def does(self, sentence: int) -> bool:
        """Whether a sentence says the verb that is asked about, or one that says the same."""
        said, doing = self.page.said[sentence], self.of.asked.doing - self.of.asked.typed
        return all(v in said or not said.isdisjoint(alike(v)) for v in doing)

    def around(self, sentence: int) -> frozenset[str]:
        """The words of a sentence, the one before (of a pronoun: some before), and above."""
        said = self.page.said
        first = max(0, sentence - (_BEFORE if self._by_pronoun(sentence) else 1))
        return self.above.union(*said[first : sentence + 1])

    def _by_pronoun(self, sentence: int) -> bool:
        """Whether a sentence is about "he", "it", "the company": what was named before it."""
        opening = self.page.spans[sentence][:_OPENING]
        return any(
            t.dep_ in ("nsubj", "nsubjpass", "poss")
            and (t.pos_ == "PRON" or any(d.lower_ in ("the", "this") for d in t.children))
            for t in opening
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
        return named(self.of.asked, self.around(sentence))

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
            fields = self.page.fields.get(mention.sentence)
            in_field = _in_field(mention, fields, self.of) if fields else None
            self._near[place] = in_field or self._nearness(mention)
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
        whole = self.page.passage.text
        behind = re.match(r"(?:[^\S\n]*[\w-]+){0,3}", whole[mention.end : mention.end + 40])
        said = whole[mention.start : mention.end] + (behind.group() if behind else "")
        return float(not unit.isdisjoint(stems(said)))

    def _part(self, token: "Token") -> float:
        """Whether it is to a word asked about what the question word is to it."""
        played = part_played(token)
        if played is None or not self.of.asked.part:
            return 0.0
        part, governor = played
        if self.of.relation.isdisjoint(self.page.stemmed[governor.i]):
            return 0.0
        if part == self.of.asked.part:
            return 1.0
        return 0.0 if "adjunct" in (part, self.of.asked.part) else -1.0


def _in_field(
    mention: Mention, fields: Fields, of: Aligner
) -> tuple[float, float, float, float] | None:
    """(part, near_word, near_name, near_focus) in a row, by the names of its fields.

    A value is what is asked for if its field's name says it: "Staff: 12" for "How many people
    work in …?".
    """
    wanted = of.relation | of.focus | of.asked.typed
    said = [not wanted.isdisjoint(stems(name)) for name, _, _ in fields]
    for (name, start, end), says in zip(fields, said, strict=True):
        if start <= mention.start and mention.end <= end:
            whole = mention.end - mention.start >= end - start
            part = (1.0 if whole else 0.0) if says else -1.0 if any(said) else 0.0
            focus = float(says and not of.focus.isdisjoint(stems(name)))
            return part, float(says), 1.0, focus
    return -1.0, 0.0, 0.0, 0.0


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
