"""Features of a candidate for the scorer: its mentions, its words and the question in numbers."""

import re

import numpy as np

from ....kg.extraction.triples import DATE
from ....kg.text.words import terms
from ..asked.names import inside, key
from ..asked.question import KINDS
from ..candidates import LABELS, AnswerCandidate, Mention
from ..pages import Floats, Page
from ..spans import SPANS, Spans
from .alignment import ALIGNED, Aligner

MENTION_FEATURES = (
    "linked",  # another page's text contains the title
    "named",  # the question names the title
    "beyond",  # linked and not named: where a second hop leads
    "near_words",  # share of the question's words, or their like, within WINDOW words
    "sentence_words",  # share of the question's words in the sentence
    "focus_near",  # the noun asked for stands within three words before or in it
    "relation",  # of a triple it ends: words asked for in the relation
    "relation_named",  # … and the head is named in the question
    "relation_beyond",  # … and the head is a page beyond
    "head_named",
    "head_beyond",
    "reverse",  # it is the head: words asked for in the relation
    "reverse_named",  # … and the tail is in the question
)
"""The largest over the mentions."""
LEAST_FEATURES = ("rank", "position")
"""The smallest: of the page, of the sentence in it."""
TEXT_FEATURES = (
    "in_question",  # share of its words that the question has
    "whole_in_question",
    "words",
    "mentions",  # log(1 + n)
    "is_title",
    "is_chunk",
    "is_end",
    "digit",
    "date",
    "capital",
    "year",
    "focus_word",  # contains the noun asked for
    "spread",  # share of the pages that contain it
)
FEATURES = MENTION_FEATURES + LEAST_FEATURES + TEXT_FEATURES + SPANS + ALIGNED
"""ALIGNED are those of the one mention that meets the question best."""
WINDOW = 8  # words to either side
LATEST_SENTENCE = 6  # later ones count as this


def matrix(aligner: Aligner, found: list[AnswerCandidate], spans: Spans) -> Floats:
    """Describe each candidate: float32 (len(found), len(FEATURES)), in the order of FEATURES."""
    view = _View(aligner, spans)
    rows = [view.row(candidate) for candidate in found]
    return np.array(rows, dtype=np.float32).reshape(len(found), len(FEATURES))


def aligned_of(features: Floats, row: int | None) -> Floats:
    """Return a candidate's values of ALIGNED: (len(ALIGNED),), zeros for none."""
    if row is None:
        return np.zeros(len(ALIGNED), dtype=np.float32)
    return features[row, -len(ALIGNED) :]


def crossing(kind: str, label: str) -> int:
    """Return the column of (kind of question, label of candidate) among KINDS × LABELS."""
    return KINDS.index(kind) * len(LABELS) + LABELS.index(label)


class _View:
    """One question's evidence with what all its candidates share."""

    def __init__(self, aligner: Aligner, spans: Spans) -> None:
        self.aligner, self.spans = aligner, spans
        self.evidence = evidence = aligner.evidence
        self.asked = evidence.asked
        self.question_words = frozenset(self.asked.key.split())
        self.pages = {page.id: _PageView(page, self) for page in evidence.pages}
        self.named = {page.title for page in evidence.named}
        self.beyond = {page.title for page in evidence.linked if page not in evidence.named}
        self.relations: dict[str, float] = {}

    def row(self, candidate: AnswerCandidate) -> list[float]:
        """Features of one candidate."""
        facts = [self._mention(mention) for mention in candidate.mentions]
        rows = [[fact.get(name, 0.0) for name in MENTION_FEATURES] for fact in facts]
        most = rows[0] if len(rows) == 1 else list(map(max, *rows))
        least = [min([fact[name] for fact in facts]) for name in LEAST_FEATURES]
        aligned = (self.aligner.mention(mention, candidate.text) for mention in candidate.mentions)
        best = max(aligned, key=lambda one: one.rank)
        spans = self.spans.signs([(m.page, m.start, m.end) for m in candidate.mentions])
        return most + least + self._text(candidate) + spans + list(best.values)

    def share(self, stems: set[str], of: frozenset[str]) -> float:
        """Of the question's words; words alike count too, so it may pass 1."""
        return len(stems & of) / (1 + len(self.asked.stems))

    def _mention(self, mention: Mention) -> dict[str, float]:
        page = self.pages[mention.page.id]
        facts = page.sentence(mention.sentence)
        if mention.statement is not None:
            facts.update(self._triple(mention))
        elif mention.end:
            facts.update(page.surroundings(mention))
        return facts

    def _triple(self, mention: Mention) -> dict[str, float]:
        assert mention.statement is not None
        triple = mention.statement.triple
        asked = self._words_asked(triple.relation)
        if mention.reverse:
            tail = key(triple.tail)
            return {
                "reverse": asked,
                "reverse_named": asked * (len(tail) > 3 and inside(tail, self.asked.key)),
            }
        head = key(triple.head)
        named = float(head in self.named or (len(head) > 3 and inside(head, self.asked.key)))
        beyond = float(head in self.beyond)
        return {
            "relation": asked,
            "relation_named": asked * named,
            "relation_beyond": asked * beyond,
            "head_named": named,
            "head_beyond": beyond,
        }

    def _words_asked(self, relation: str) -> float:
        if relation not in self.relations:
            self.relations[relation] = float(len(self.asked.wanted.intersection(terms(relation))))
        return self.relations[relation]

    def _text(self, candidate: AnswerCandidate) -> list[float]:
        words = candidate.key.split()
        labels = {mention.label for mention in candidate.mentions}
        focus = self.asked.focus[:5]
        pages = self.evidence.pages
        return [
            sum(word in self.question_words for word in words) / len(words),
            float(inside(candidate.key, self.asked.key)),
            float(len(words)),
            float(np.log1p(len(candidate.mentions))),
            float("TITLE" in labels),
            float("CHUNK" in labels),
            float("END" in labels),
            float(any(c.isdigit() for c in candidate.text)),
            float(bool(DATE.fullmatch(candidate.text))),
            float(candidate.text[:1].isupper()),
            float(bool(re.fullmatch(r"\d{4}", candidate.text))),
            float(bool(focus) and any(word.startswith(focus) for word in words)),
            sum(inside(candidate.key, page.key) for page in pages) / len(pages),
        ]


class _PageView:
    """One page's share of the features."""

    def __init__(self, page: Page, view: _View) -> None:
        self.page, self.view = page, view
        self.stems = page.stemmed
        self.lemmas, self.bounds = page.parsed.lemmas, page.parsed.bounds
        self.around: dict[tuple[int, int, int], dict[str, float]] = {}
        self.linked = page in view.evidence.linked
        self.named = page in view.evidence.named

    def sentence(self, number: int) -> dict[str, float]:
        """What holds for all mentions of one sentence."""
        return {
            "linked": float(self.linked),
            "named": float(self.named),
            "beyond": float(self.linked and not self.named),
            "rank": float(self.page.rank),
            "position": float(min(number, LATEST_SENTENCE)),
        }

    def surroundings(self, mention: Mention) -> dict[str, float]:
        """Words around one mention in its text."""
        place = mention.start, mention.end, mention.sentence
        if place not in self.around:
            self.around[place] = self._surroundings(mention)
        return self.around[place]

    def _surroundings(self, mention: Mention) -> dict[str, float]:
        asked = self.view.asked
        span = self.view.aligner.page(self.page).span(mention.start, mention.end)
        if span is None:
            return {}
        start, end = span.start, span.end
        near: set[str] = set().union(
            *self.stems[max(0, start - WINDOW) : start], *self.stems[end : end + WINDOW]
        )
        first, last = self.bounds[mention.sentence]
        rest: set[str] = set().union(*self.stems[first:start], *self.stems[end:last])
        around = self.lemmas[max(0, start - 3) : end + 2]
        return {
            "near_words": self.view.share(near, asked.wanted),
            "sentence_words": self.view.share(rest, asked.stems),
            "focus_near": float(bool(asked.focus) and asked.focus in around),
        }
