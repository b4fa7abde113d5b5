"""A page as one question sees it: what its sentences say of the question, and what is near it."""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from ....kg.text.words import stems
from ..asked.alike import alike
from ..asked.parts import IS, apart, in_parenthesis_of, parts_played, told_kind
from ..candidates import Mention
from ..fields import WHOM, Fields
from ..pages import Page
from .asked_words import AskedWords, named
from .ties import span_at, steps_from

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_LIKE = 0.7  # what a word of like meaning counts
_AROUND = 0.9  # what counts that is said only together with the sentence before and what is above
_BEFORE_ONLY = 0.75  # … only with the sentence before, which may be about another thing
_BEFORE = 3  # sentences that a pronoun may mean something of
_OPENING = 8  # words of a sentence in which its subject stands
_ITEM = re.compile(r"(?:[^,;]|,(?=\d))+")  # of a list in a sentence
_WHO = WHOM.union(
    "speaker author owner captain editor teacher tutor lead chair secretary host driver".split()
)
"""Columns whose value is who does it, whatever the verb; of their rows it is not the head."""
_NOWHERE = (0.0, 0.0, 0.0, 0.0)
T = TypeVar("T")
Numbers = ParamSpec("Numbers")


def _kept(
    tell: "Callable[Concatenate[AlignedPage, Numbers], T]",
) -> "Callable[Concatenate[AlignedPage, Numbers], T]":
    """Keep what is told of a sentence or a place: a dozen mentions of it ask for the same."""
    name = tell.__name__

    @functools.wraps(tell)
    def told(page: "AlignedPage", *of: Numbers.args, **none: Numbers.kwargs) -> T:
        kept = page._told.setdefault(name, {})
        if of not in kept:
            kept[of] = tell(page, *of, **none)
        return kept[of]

    return told


@dataclass
class AlignedPage:
    """A page with what all its mentions share."""

    page: Page
    of: AskedWords
    _near: dict[tuple[int, int], tuple[float, float, float, float]] = field(default_factory=dict)
    _told: dict[str, dict[Any, Any]] = field(default_factory=dict)

    @cached_property
    def above(self) -> frozenset[str]:
        """Title, heading, and what the document is of."""
        passage = self.page.passage
        return self.page.scope.union(stems(f"{passage.title} {passage.heading}"))

    def met(self, sentence: int, without: frozenset[str], typed: frozenset[str]) -> float:
        """Share of the question's words that a sentence says.

        Args:
            without: the candidate's own words.
            typed: words of the question that the candidate's type says.
        """
        return self._met(sentence, self._hidden(without), typed)

    @_kept
    def _met(self, sentence: int, hidden: frozenset[str], typed: frozenset[str]) -> float:
        return self._share((self.page.said[sentence] - hidden) | typed)

    def _hidden(self, words: frozenset[str]) -> frozenset[str]:
        """Those of a candidate's own words that would count as like the question's."""
        return self.of.like.intersection(words) - self.of.asked.stems

    def met_around(self, sentence: int, without: frozenset[str], typed: frozenset[str]) -> float:
        """The same of the sentence, the one before, title and heading."""
        return self._met_around(sentence, self._hidden(without), typed)

    @_kept
    def _met_around(self, sentence: int, hidden: frozenset[str], typed: frozenset[str]) -> float:
        return self._share((self.around(sentence) - hidden) | typed)

    def related(self, sentence: int, without: frozenset[str]) -> float:
        """Share of what is asked about the names that it says, or what is above; 1 of nothing."""
        said = (self.meant(sentence) | self.above) - without
        total = sum(weight for _, _, weight in self.of.wanted)
        held = (w for s, like, w in self.of.wanted if s in said or not said.isdisjoint(like))
        return sum(held) / total if total else 1.0

    @_kept
    def meant(self, sentence: int) -> frozenset[str]:
        """The words of a sentence and of what a pronoun in it may mean."""
        return self.around(sentence) if self._by_pronoun(sentence) else self.page.said[sentence]

    @_kept
    def things(self, sentence: int) -> bool:
        """Whether the things asked about are said around: a row says few verbs, but those.

        Not "the museum", where most pages speak of it.
        """
        return self._unsaid(sentence) <= self.of.everywhere

    @_kept
    def told_elsewhere(self, sentence: int) -> bool:
        """Whether another sentence of the page says a thing asked about, and this one does not."""
        return not self._unsaid(sentence).isdisjoint(self.page.words)

    @_kept
    def _unsaid(self, sentence: int) -> frozenset[str]:
        """The things asked about that neither a sentence nor what is around it says."""
        said, asked = self.around(sentence), self.of.asked
        wanted = asked.things - asked.typed - self.of.focus
        return frozenset(stem for stem in wanted if said.isdisjoint(alike(stem)))

    @_kept
    def does(self, sentence: int) -> bool:
        """Whether a sentence says the verb that is asked about, or one that says the same."""
        said, doing = self.page.said[sentence], self.of.asked.doing - self.of.asked.typed
        return all(v in said or not said.isdisjoint(alike(v)) for v in doing)

    @_kept
    def around(self, sentence: int) -> frozenset[str]:
        """The words of a sentence, of the one before (of a pronoun: some before), and above.

        Also of what its triples are about. A row stands for itself; labelled lines that follow each
        other are one record.
        """
        said = self.page.said
        if sentence in self.page.fields:
            return self._about(sentence).union(*(said[n] for n in self.page.record(sentence)))
        if self._by_pronoun(sentence):
            first = max(0, sentence - _BEFORE)
        else:
            first = sentence - (sentence > 0 and not self.page.is_apart(sentence))
        return self._about(sentence).union(*said[first : sentence + 1])

    @_kept
    def _about(self, sentence: int) -> frozenset[str]:
        """Title, heading and what a sentence's triples are about."""
        return self.above | self.page.heads.get(sentence, frozenset())

    @_kept
    def held_around(self, sentence: int) -> float:
        """What counts that is said with the surroundings of a sentence."""
        if sentence in self.page.fields or self._by_pronoun(sentence):
            return _AROUND
        own = named(self.of.asked, self._about(sentence) | self.page.said[sentence])
        if own < self.names_around(sentence) or self._about_another(sentence):
            return _BEFORE_ONLY
        return _AROUND

    @_kept
    def _about_another(self, sentence: int) -> bool:
        """Whether a sentence has a named subject that the question does not name."""
        span, called = self.page.spans[sentence], self.of.asked.named_stems
        subjects = (t for t in span.root.children if t.dep_ in ("nsubj", "nsubjpass"))
        other = (called.isdisjoint(self.page.stemmed[t.i]) for t in subjects if t.pos_ == "PROPN")
        return bool(called) and any(other)

    def apart(self, mention: Mention) -> bool:
        """Whether its clause is another than that of all names that its sentence says."""
        if not mention.end or mention.sentence in self.page.fields:
            return False
        names = self._goals(mention.sentence)[1]
        span = self.span(mention.start, mention.end)
        return span is not None and bool(names) and self._apart(span.root.i, mention.sentence)

    @_kept
    def _apart(self, place: int, sentence: int) -> bool:
        """Whether a token's clause is."""
        token, called = self.page.doc[place], self.of.asked.named_stems
        of = in_parenthesis_of(token)
        if of is not None and not called.issuperset(self.page.stemmed[of.i]):
            return True
        return all(apart(token, self.page.doc[i]) for i in self._goals(sentence)[1])

    def span(self, start: int, end: int) -> "Span | None":
        """The tokens that characters lie in."""
        return span_at(self.page.parsed, start, end)

    def listed_for_another(self, mention: Mention) -> bool:
        """Whether another figure of the sentence stands with the things asked about, this not.

        "Adults pay 140, students 90": the 140 are not what students pay.
        """
        first = self.page.starts[mention.sentence]
        own, elsewhere = frozenset[str](), frozenset[str]()
        for start, end, figure, said in self._items(mention.sentence):
            if first + start < mention.end and mention.start < first + end:
                own |= said
            elif figure:
                elsewhere |= said
        return not own and bool(elsewhere)

    @_kept
    def _items(self, sentence: int) -> list[tuple[int, int, bool, frozenset[str]]]:
        """Items of a sentence with figures: (first character, one past its last, figure, things).

        The last two are whether it has a figure, and which of the things asked about it says.
        """
        text = self.page.texts[sentence]
        if sentence in self.page.fields or not any(map(str.isdigit, text)):
            return []
        return [
            (
                *item.span(),
                any(map(str.isdigit, item.group())),
                self.of.asked.things.intersection(stems(item.group())),
            )
            for item in _ITEM.finditer(text)
        ]

    @_kept
    def _by_pronoun(self, sentence: int) -> bool:
        """Whether a sentence is about "he", "it", "the company": what was named before it."""
        opening = self.page.spans[sentence][:_OPENING]
        return any(
            t.dep_ in ("nsubj", "nsubjpass", "poss")
            and (t.pos_ == "PRON" or (t.pos_ == "NOUN" and _defined(t)))
            for t in opening
        )

    def _share(self, words: frozenset[str]) -> float:
        share = 0.0
        for stem, like, weight in self.of.shares:
            if stem in words:
                share += weight
            elif not words.isdisjoint(like):
                share += _LIKE * weight
        return share

    @_kept
    def names(self, sentence: int) -> float:
        """Share of the question's names that a sentence says; 1 without any."""
        return named(self.of.asked, self.page.said[sentence])

    @_kept
    def names_around(self, sentence: int) -> float:
        """The same of the sentence, the one before, title and heading."""
        return named(self.of.asked, self.around(sentence))

    @cached_property
    def words_in_chain(self) -> frozenset[str]:
        """What this page and those that name it say."""
        pages = self.of.evidence.naming(self.page)
        above = (stems(f"{one.passage.title} {one.passage.heading}") for one in pages)
        return (self.above | self.page.words).union(*above, *(one.words for one in pages))

    @cached_property
    def names_in_chain(self) -> float:
        """Share of the names that are said there."""
        return named(self.of.asked, self.words_in_chain)

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
        span = self.span(mention.start, mention.end)
        if span is None or not len(span):
            return _NOWHERE
        steps = steps_from(self.page.parsed, span.root.i)
        inside = range(span.start, span.end)
        words, names, focus = self._goals(mention.sentence)
        return (
            self._part(span.root),
            _nearest(steps, [i for i in words if i not in inside]),
            _nearest(steps, [i for i in names if i not in inside]),
            self._near_focus(span, steps, focus),
        )

    def called(self, mention: Mention) -> bool:
        """Whether its sentence says of which kind one word is: "blhc is a tool that …"."""
        span = self.span(mention.start, mention.end)
        focus = self._goals(mention.sentence)[2]
        return (
            span is not None
            and span.root.tag_ not in ("DT", "NNS", "PRP")
            and not any(t.pos_ in ("DET", "ADJ") for t in span)
            and any(t.i in focus for t in told_kind(span.root))
        )

    def _near_focus(self, span: "Span", steps: dict[int, int], focus: list[int]) -> float:
        """1 beside the noun asked for ("the utility dpkg-source"), or with it first or last."""
        doc, edges = self.page.doc, (span.start, span.end - 1)
        telling = [
            i for i in focus if i in edges or (not span.start <= i < span.end and doc[i].is_lower)
        ]
        beside = span.start - 1 in telling or span.end in telling
        beside = beside or any(t.i in telling for t in told_kind(span.root))
        return 1.0 if beside else _nearest(steps, telling)

    @_kept
    def _goals(self, sentence: int) -> tuple[list[int], list[int], list[int]]:
        """Tokens of a sentence that say what is asked, a name, the noun asked for."""
        span, words = self.page.spans[sentence], self.of
        wanted = words.relation, words.asked.named_stems, words.focus
        found: tuple[list[int], list[int], list[int]] = ([], [], [])
        for i in range(span.start, span.end):
            for goals, stemmed in zip(found, wanted, strict=True):
                if not stemmed.isdisjoint(self.page.stemmed[i]):
                    goals.append(i)
        return found

    def unit(self, mention: Mention) -> float:
        """Whether the counted noun stands in or right behind a number."""
        unit = self.of.unit
        if not unit or not mention.end:
            return 0.0
        whole = self.page.passage.text
        behind = re.match(r"(?:[^\S\n]*[\w-]+){0,3}", whole[mention.end : mention.end + 40])
        said = whole[mention.start : mention.end] + (behind.group() if behind else "")
        return float(not unit.isdisjoint(stems(said)))

    def _part(self, token: "Token") -> float:
        """Whether it is to a word asked about what the question word is to it."""
        found = 0.0
        for part, governor in parts_played(token) if self.of.asked.part else ():
            of = self.of.relation | self.of.focus if part == IS else self.of.relation
            if of.isdisjoint(self.page.stemmed[governor.i]):
                continue
            does = self.of.asked.part == "subject" and self.of.asked.kind == "person"
            does = does and governor.pos_ == "NOUN"  # "his successor is"
            if part == self.of.asked.part or (part == IS and (does or not self.of.asked.doing)):
                return 1.0
            if "adjunct" not in (part, self.of.asked.part):
                found = -1.0
        return found


def _in_field(
    mention: Mention, fields: Fields, of: AskedWords
) -> tuple[float, float, float, float] | None:
    """(part, near_word, near_name, near_focus) in a row, by the names of its fields.

    A value is what is asked for if its field's name says it: "Staff: 12" for "How many people
    work in …?".
    """
    kind = of.focus | of.asked.typed
    kind = kind.union(*map(alike, kind))
    said = [not kind.isdisjoint(stems(name)) for name, _, _ in fields]
    if not any(said):
        said = [not of.relation.isdisjoint(stems(name)) for name, _, _ in fields]
    if not any(said) and of.asked.kind == "person":  # "Who teaches singing?": whom the row is about
        said = [name.casefold() in _WHO for name, _, _ in fields]
    for (name, start, end), says in zip(fields, said, strict=True):
        if start <= mention.start and mention.end <= end:
            whole = mention.end - mention.start >= end - start
            part = (1.0 if whole else 0.0) if says else -1.0 if any(said) else 0.0
            focus = float(says and not of.focus.isdisjoint(stems(name)))
            return part, float(says), 1.0, focus
    return -1.0, 0.0, 0.0, 0.0


def _defined(noun: "Token") -> bool:
    return any(child.lower_ in ("the", "this") for child in noun.children)


def _nearest(steps: dict[int, int], tokens: list[int]) -> float:
    """1 / steps to the nearest of these tokens, 0 out of reach."""
    near = [steps[i] for i in tokens if i in steps]
    return 1 / max(1, min(near)) if near else 0.0
