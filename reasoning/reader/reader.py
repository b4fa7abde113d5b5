"""Short answers without a language model: rules, then scored candidates, both calibrated."""

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...kg.triples import tidy
from ...kg.types import Statement
from ...models.encoder import Encoder
from .candidates import Candidate, candidates
from .confidence import NEVER_ASSERTED, signs
from .features import matrix
from .likeness import PhraseVectors, similarities
from .names import key, same_name
from .pages import Evidence, Floats, Page, ReaderPassage
from .question import take_apart
from .rules import ruling
from .rulings import Ruling
from .support import support_of
from .weights import Weights, packaged

if TYPE_CHECKING:
    from spacy.tokens import Doc

Parse = Callable[[Iterable[str]], "Iterator[Doc]"]
THRESHOLD = 0.5
"""Below this confidence the evidence counts as insufficient."""
CANDIDATES = 3


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reader makes of a question and its passages.

    Args:
        text: the best answer, even when the confidence is too low to give it; "" without any.
        confidence: calibrated probability that it is right, 0 to 1.
        candidates: up to three (answer, probability), best first: `text` and its confidence first.
        rule: which rule answered, or "" when the scorer did.
        support: statements that carry the answer, in order (for a path: its hops); may be empty.
    """

    text: str
    confidence: float
    candidates: tuple[tuple[str, float], ...]
    rule: str
    support: tuple[Statement, ...]

    @property
    def answered(self) -> bool:
        """Whether the confidence suffices to give the answer."""
        return self.confidence >= THRESHOLD


@dataclass(frozen=True)
class Reader:
    """Reads passages as far as grammar, similarity and a light scorer go.

    Args:
        parse: texts to spaCy parses, in order.
        weights: of scorer and calibrator; None takes those that come with Hoptrail, at first use.
    """

    encoder: Encoder
    parse: Parse
    weights: Weights | None = None

    def read(self, question: str, passages: Sequence[ReaderPassage]) -> Reading:
        """The best answer of the passages, given best first; the weights were fitted to five."""
        study = self.study(question, passages)
        return study.reading(self.weights if self.weights is not None else packaged())

    def study(self, question: str, passages: Sequence[ReaderPassage]) -> "Study":
        """All that the weights need to know; also what they are fitted to."""
        given = list({p.passage.id: p for p in passages}.values())
        asked_doc, *docs = self.parse([question, *(tidy(p.passage.text) for p in given)])
        pages = tuple(
            Page(p.passage, p.statements, doc, rank)
            for rank, (p, doc) in enumerate(zip(given, docs, strict=True))
        )
        evidence = Evidence(take_apart(question, asked_doc), pages)
        found = candidates(evidence)
        likeness = similarities(evidence, self.encoder, self._vectors)
        return Study(evidence, found, matrix(evidence, found, likeness), ruling(evidence))

    @functools.cached_property
    def _vectors(self) -> PhraseVectors:
        return PhraseVectors(self.encoder)


@dataclass(frozen=True)
class Study:
    """A question's evidence, its candidates with their features, and what the rules say.

    Args:
        features: (len(found), len(FEATURES)).
    """

    evidence: Evidence
    found: list[Candidate]
    features: Floats
    ruling: Ruling | None

    def scores(self, weights: Weights) -> Floats:
        """Of each candidate: (len(found),)."""
        labels = [candidate.label for candidate in self.found]
        return weights.score(self.features, self.evidence.asked.kind, labels)

    def signs(self, scores: Floats) -> Floats:
        """What the calibrator sees."""
        best = self.found[int(np.argmax(scores))].text if self.found else ""
        return signs(self.evidence.asked.kind, scores, best, self.ruling)

    def answer(self, scores: Floats) -> str:
        """The rule's answer, or else the best candidate's text."""
        if self.ruling is not None:
            return self.ruling.answer
        return self.found[int(np.argmax(scores))].text if self.found else ""

    def reading(self, weights: Weights) -> Reading:
        """What these weights make of it."""
        scores = self.scores(weights)
        text = self.answer(scores)
        if not text or not self.evidence.pages:
            return Reading("", 0.0, (), "", ())
        confidence = weights.confidence(self.signs(scores))
        rule, support = "", ()
        if self.ruling is None:
            support = support_of(self.found[int(np.argmax(scores))], self.evidence)
        else:
            rule, support = self.ruling.rule, self.ruling.support
            if rule in NEVER_ASSERTED:
                confidence = min(confidence, THRESHOLD - 0.01)
        return Reading(text, confidence, self._candidates(text, confidence, scores), rule, support)

    def _candidates(
        self, text: str, confidence: float, scores: Floats
    ) -> tuple[tuple[str, float], ...]:
        """The answer and the next best, their scores scaled to what its confidence leaves."""
        others = self._others(text, scores)
        left = 1 - confidence
        total = float(scores.sum()) or 1.0
        rest = [(other, min(confidence, left * score / total)) for other, score in others]
        return ((text, confidence), *rest[: CANDIDATES - 1])

    def _others(self, text: str, scores: Floats) -> list[tuple[str, float]]:
        asked = self.evidence.asked
        if asked.kind == "yesno":
            return [("no" if text == "yes" else "yes", float(scores.sum()))]
        if asked.kind == "choice" and text in asked.options:
            return [(other, float(scores.sum())) for other in asked.options if other != text]
        order = np.argsort(-scores, kind="stable")[: 5 * CANDIDATES]
        ranked = [(self.found[i], float(scores[i])) for i in order]
        return [(c.text, score) for c, score in ranked if not same_name(c.key, key(text))]
