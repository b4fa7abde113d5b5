"""Short answers without a language model: rules, else candidates, scored and judged."""

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...kg.extraction.triples import tidy
from ...kg.types import Passage, Statement
from ...models.span_reader import SENTENCES, SpanReader
from .asked.plainly import plainly
from .asked.question import take_apart
from .beside import with_others
from .candidates import AnswerCandidate, candidates
from .foreign import as_asked, is_stated, language_asked, sentence_read, unread
from .full_names import in_full
from .judging.confidence import (
    NEVER_ASSERTED,
    SURE,
    circumstances,
    covered_by,
    least_confidence,
    only_shown,
    signs,
)
from .judging.instead import instead
from .judging.judged import Judgement, as_scored, judge
from .judging.lacking import EMPTY, THRESHOLD, WITHHELD, lacking
from .judging.weights import Weights, packaged
from .kinds import area_asked
from .notes import Notes
from .pages import Evidence, Floats, Page, ReaderPassage
from .parsed import Parsed
from .placed.alignment import Aligner
from .placed.durations import in_plural
from .placed.features import aligned_of, matrix
from .placed.listed import all_done, all_of, extreme_of
from .placed.past import came_to
from .placed.place import Place
from .ruled import ruling
from .rules.columns import Value, in_column, left_empty, value_asked
from .rules.replies import Reply, reply_of
from .rules.rows import alike_rows
from .rules.rulings import Ruling
from .scope import told_of_all
from .short_names import told_in_full
from .spans import read
from .support import support_of
from .trimmed import bound
from .whole_dates import whole_date

if TYPE_CHECKING:
    from spacy.tokens import Doc

Parse = Callable[[Iterable[str]], "Iterator[Doc]"]
_TOSS = 0.5  # as likely at most is a guess at yes or no


@dataclass(frozen=True, slots=True)
class Reading:
    """The answer that the reader gives from passages, with what speaks for it.

    Args:
        text: the best answer, even when the confidence is too low to give it; "" without any.
        confidence: calibrated probability that it is right, 0 to 1.
        candidates: up to three (answer, probability), best first: `text` and its confidence first.
        rule: which rule answered, "sentence" where one states it, or "" when the scorer did.
        support: statements that carry the answer, in order (for a path: its hops); may be empty.
        passage_id: of the passage that the answer, or the best guess, was read in; "" for none.
        sentence: where it stands there.
        missing: why the answer is not given, in words for people; "" where it is.
        withheld: it is kept back though it is likely enough, for the reason that is missing; then
            the confidence is WITHHELD at most, which measures nothing.
    """

    text: str
    confidence: float
    candidates: tuple[tuple[str, float], ...]
    rule: str
    support: tuple[Statement, ...]
    passage_id: str = ""
    sentence: str = ""
    missing: str = ""
    withheld: bool = False

    @property
    def answered(self) -> bool:
        """Whether the confidence suffices to give the answer."""
        return self.confidence >= THRESHOLD


@dataclass(frozen=True)
class Reader:
    """Reads passages as far as grammar, the span reader and a light scorer go.

    Args:
        parse: texts to spaCy parses, in order.
        weights: fitted ones; None takes those that come with Hoptrail, at first use.
        notes: keeps what reading takes of a passage; None makes it anew for every question.
        spans: scores stretches of whole passages.
        sentences: … of single sentences.
    """

    parse: Parse
    weights: Weights | None = None
    notes: Notes | None = None
    spans: SpanReader = field(default_factory=SpanReader)
    sentences: SpanReader = field(default_factory=lambda: SpanReader(SENTENCES))

    def read(self, question: str, passages: Sequence[ReaderPassage]) -> Reading:
        """Answer from passages, given best first; the weights were fitted to five."""
        study = self.study(question, passages)
        return study.reading(self.weights if self.weights is not None else packaged())

    def load(self) -> None:
        """Load what the first question else waits for."""
        if self.weights is None:
            packaged()
        self.spans.load()
        self.sentences.load()

    def study(self, question: str, passages: Sequence[ReaderPassage]) -> "Study":
        """Collect all that the weights need to know; also what they are fitted to."""
        given = list({p.passage.id: p for p in passages}.values())
        language = language_asked(question, given)
        question = plainly(question, (p.passage.text for p in given))
        asked_doc = next(iter(self.parse([question])))
        parsed = self._parsed([p.passage for p in given])
        pages = tuple(
            Page(one, p.statements, rank)
            for rank, (p, one) in enumerate(zip(given, parsed, strict=True))
        )
        asked = as_asked(take_apart(question, asked_doc), language)
        evidence = Evidence(asked, told_in_full(asked, told_of_all(asked, pages)))
        spans = read(self.spans, self.sentences, asked, evidence.pages)
        value = value_asked(evidence)
        found = candidates(evidence, spans, value)
        aligner = Aligner(evidence)
        return Study(aligner, found, matrix(aligner, found, spans), ruling(evidence), value)

    def _parsed(self, passages: Sequence[Passage]) -> list[Parsed]:
        if self.notes is not None:
            return self.notes.parsed(passages)
        docs = self.parse(tidy(passage.text) for passage in passages)
        return list(map(Parsed, passages, docs))


@dataclass(frozen=True)
class Study:
    """A question's evidence, its candidates with their features, and what the rules say.

    Args:
        features: (len(found), len(FEATURES)).
        value: where a row's value stands that is asked for, if one does.
    """

    aligner: Aligner
    found: list[AnswerCandidate]
    features: Floats
    ruling: Ruling | None
    value: Value | None

    @property
    def evidence(self) -> Evidence:
        """The question and its pages."""
        return self.aligner.evidence

    @functools.cached_property
    def around(self) -> Floats:
        """How much of the question the pages speak of, see `confidence.circumstances`."""
        return circumstances(self.evidence)

    @functools.cached_property
    def in_column(self) -> int | None:
        """Number of the candidate that a row gives in the column asked for, if one does."""
        return in_column(self.value, self.found) if self.ruling is None else None

    @functools.cached_property
    def reply(self) -> Reply | None:
        """Where a page answers the question after asking it, if one does."""
        return reply_of(self.evidence)

    def logits(self, weights: Weights) -> Floats:
        """Score each candidate by these weights: logits (len(found),)."""
        labels = [candidate.label for candidate in self.found]
        return weights.logits(self.features, self.evidence.asked.kind, labels)

    def judgement(self, weights: Weights) -> Judgement | None:
        """Judge the best candidates by these weights; None without any.

        What a row states in the column that is asked for comes before what a sentence elsewhere
        says: the span reader, which decides else, takes "The lift in Graz was repaired on 3 May"
        for the day when the office there opened.
        """
        if not self.found:
            return None
        texts, logits = [candidate.text for candidate in self.found], self.logits(weights)
        if self.ruling is not None:
            return as_scored(logits)
        asked = self.evidence.asked
        judged = judge(weights.trees, asked, texts, logits, self.features, self.around)
        if self.in_column is not None:
            return judged.preferring(self.in_column)
        said = judged.said
        if said is not None and self._in_a_row(said) and not self._in_a_row(judged.best):
            return judged.preferring(said)
        return instead(self, judged)

    def misplaced(self, candidate: int) -> bool:
        """Whether a candidate is not stated where it stands, or elsewhere than the page's reply."""
        found, reply = self.found[candidate], self.reply
        if reply and not any(reply.holds(m.page, m.sentence) for m in found.mentions if m.end):
            return True
        place = self.aligner.place(found)
        return place is not None and place.misplaced

    def _in_a_row(self, candidate: int) -> bool:
        """Whether a candidate stands in a table's row."""
        place = self.aligner.place(self.found[candidate])
        return place is not None and place.mention.sentence in place.page.page.fields

    def reading(self, weights: Weights) -> Reading:
        """Choose the answer by these weights, and say how sure it is."""
        if not self.evidence.pages or not (self.found or self.ruling):
            return Reading("", 0.0, (), "", (), missing="no passage was found")
        judged = self.judgement(weights)
        best = self.found[judged.best] if judged is not None else None
        said = judged is not None and judged.said == judged.best
        aligned = aligned_of(self.features, None if judged is None else judged.best)
        place = self.aligner.place(best) if best is not None else None
        foreign = self._foreign(place)
        sure, withheld = self._sure(weights, judged, aligned, place, foreign)
        if self.ruling is None:
            text, rule = best.text if best is not None else "", "sentence" if said else ""
            support = support_of(best, self.evidence, place) if best is not None else ()
        else:
            text, rule, support = self.ruling.answer, self.ruling.rule, self.ruling.support
        text = (place is not None and self._an_end(place)) or self._in_full(text, place)
        page, sentence = self._place(place)
        own = best if self.ruling is None else None
        missing = ""
        if sure < THRESHOLD:
            if self.ruling is None and (field := left_empty(self.evidence)):
                page, start, _ = field
                read = page.id, page.sentence(page.sentence_at(start))
                return Reading("", 0.0, (), "", (), *read, missing=EMPTY)
            known = aligned if self.found else None
            told = self.evidence, self.ruling, known, place, sure
            missing = lacking(*told, foreign=foreign, withheld=withheld)
        return Reading(
            text,
            sure,
            with_others(text, sure, self.evidence.asked, self.found, judged, own),
            rule,
            support,
            page.id if page is not None else "",
            sentence,
            missing,
            withheld,
        )

    def _sure(
        self,
        weights: Weights,
        judged: Judgement | None,
        aligned: Floats,
        place: Place | None,
        foreign: str,
    ) -> tuple[float, bool]:
        """How sure the answer is, and whether it is kept back though that would suffice."""
        best = self.found[judged.best].text if judged is not None else ""
        said = judged is not None and judged.said == judged.best
        confidence = self._confidence(weights, judged)
        if judged is not None and place is not None and (asked_end := self._an_end(place)):
            confidence = max(confidence, self._likely(judged, place, asked_end))
        if self.in_column is not None:
            confidence = max(confidence, SURE)
        if self.ruling is not None and self.ruling.rule in NEVER_ASSERTED:
            return min(confidence, _TOSS), False
        sure = confidence >= SURE
        covered = covered_by(self.evidence)
        guessed = self.in_column is None and only_shown(
            self.evidence, covered, self.ruling, best, aligned, place, said, sure
        )
        withheld = bool(guessed or foreign) and confidence >= THRESHOLD
        if guessed or foreign:
            confidence = min(confidence, WITHHELD)
        else:
            least = least_confidence(self.ruling, self.evidence.asked, best)
            confidence = max(confidence, least)
        return confidence, withheld

    def _foreign(self, place: Place | None) -> str:
        """Say which language keeps the answer from being given, if one does."""
        read = place.mention if place is not None else None
        if self.in_column is not None or is_stated(self.evidence.asked, self.ruling, read):
            return ""
        return unread(self.evidence.asked, self._place(place)[0] or self.evidence.pages[0])

    def _in_full(self, text: str, place: Place | None) -> str:
        """An answer with what belongs to it: the rest of a list, or of a person's name."""
        asked = self.evidence.asked
        if self.ruling is not None and self.ruling.support:
            page, sentence = self._stated()
            start = page.text.find(text, page.starts[sentence])
            if page.spans and start >= 0:
                text = all_of(asked, page.spans[sentence], start, start + len(text)) or text
        elif self.ruling is None and place is not None and place.mention.end:
            mention = place.mention
            if several := alike_rows(self.evidence, mention):
                return ", ".join(several)
            sentence = mention.page.spans[mention.sentence]
            text = all_of(asked, sentence, mention.start, mention.end) or text
            text = all_done(asked, sentence, mention.start, mention.end) or text
            text = extreme_of(asked.text, text) or text
            text = came_to(asked.text, mention.page, mention, text) or in_plural(asked, text)
            text = bound(text, mention.page.text, mention.start)
        text = whole_date(text, asked, self._place(place)[1], self.evidence.pages)
        return area_asked(asked, in_full(text, self.evidence, self.found))

    def _an_end(self, place: Place) -> str:
        """The end of a range that is asked for, wherever in it the best candidate stands; or ""."""
        return (place.end_asked or "") if self.ruling is None else ""

    def _likely(self, judged: Judgement, place: Place, end: str) -> float:
        """How likely the candidates are together that stand in a range whose end is asked for."""
        chance = 0.0
        for one, likely in judged.chances.items():
            other, read = self.aligner.place(self.found[one]), place.mention
            if other is not None and other.end_asked == end:
                beside = other.mention.page is read.page and other.mention.sentence == read.sentence
                chance += likely if beside else 0.0
        return min(SURE, chance)

    def _stated(self) -> tuple[Page, int]:
        """Page and sentence of a rule's last step."""
        assert self.ruling is not None
        last = self.ruling.support[-1]
        page = next(p for p in self.evidence.pages if p.passage.id == last.passage_id)
        return page, page.sentence_of(last)

    def _confidence(self, weights: Weights, judged: Judgement | None) -> float:
        """How sure the answer is: a rule's by the calibrator, else as the best is judged."""
        if self.ruling is None:
            assert judged is not None  # or there were no candidates either
            return judged.chances[judged.best]
        texts = [candidate.text for candidate in self.found]
        logits = self.logits(weights)
        return weights.confidence(
            signs(self.around, self.evidence.asked, texts, logits, self.ruling)
        )

    def _place(self, read: Place | None) -> tuple[Page | None, str]:
        """The page and the sentence that the answer was read in: of a rule, its last step's.

        Of a question that the page asks, what stands behind it.
        """
        if self.ruling is not None and self.ruling.support:
            page, number = self._stated()
            return page, page.sentence(number)
        if self.ruling is not None and self.ruling.read is not None:
            page, number = self.ruling.read
            return page, page.sentence(number)
        if read is None:
            return None, ""
        page, number = read.mention.page, read.mention.sentence
        if page.passage.language and read.mention.end:
            return page, sentence_read(page, read.mention)
        behind = read.asked and page.sentence(number + 1)
        return page, behind or page.sentence(number)
