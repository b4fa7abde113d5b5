"""Fitting the reader to questions with known answers and paragraphs (needs scikit-learn)."""

import datetime
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...kg.errors import BadRequest
from ...kg.extraction.triples import statements, tidy
from ...kg.text.titles import named_titles
from ...kg.text.words import normal_title, stable_id, terms
from ...kg.types import Passage
from ...loaders.questions.files import Question, read_questions
from ..evaluation.runs.manifest import content_hash
from ..fitted import Fitted
from ..matching import exact_match, f1, normalise_answer
from ..reader.judging.confidence import circumstances
from ..reader.judging.weights import Weights
from ..reader.pages import ReaderPassage
from ..reader.reader import Parse, Reader, Study
from .reader_fitting import Example, fit
from .reader_questions import drawn, origin, simple_questions, without_answer

if TYPE_CHECKING:
    from spacy.tokens import Doc

READ = 8  # passages the reader is given
NEAR_ENOUGH = 0.8  # token F1 from which a candidate counts as the answer
SETTINGS = ("retrieved", "gold")
SIMPLE = 2  # simple questions made of one
UNANSWERED = 4  # one of so many questions is also read without what answers it
_HARM = 2.5
"""What a question without an answer counts, beside one with: to assert something there misleads
most. Fewer of these are asserted so for as many right answers."""
_NAMED = 0.5  # added where the question names the paragraph's title
_HOP = 0.7  # of its seed a paragraph passes on to one that it names
_BACK = 0.28  # … and to one that names it
_MEAN_WEIGHT = 1.2  # k1 of BM25; a word counts once, so that k1 and b only weigh lengths
_LENGTH = 0.75  # b of BM25


@dataclass(frozen=True, slots=True)
class Source:
    """Questions of one file; each source counts alike, however many it holds."""

    name: str
    sha256: str
    questions: Sequence[Question]


Find = Callable[[str], Sequence[ReaderPassage]]
"""A question to the passages that it is read from, best first."""


def train(
    paths: Sequence[Path],
    parse: Parse,
    progress: Callable[[int, int], None] | None = None,
    find: Find | None = None,
) -> Fitted[Weights]:
    """Fit weights to files of questions.

    Args:
        paths: in any layout that `loaders.questions` reads; each file counts alike.
        parse: texts to spaCy parses, in order.
        progress: hears how many questions of how many are read.
        find: finds passages for questions that bring no paragraphs; without it they teach nothing.

    Raises:
        SourceError: a file can't be read.
        BadRequest: too few questions have an answer that their paragraphs contain.
    """
    sources = [source_of(path) for path in paths]
    return train_sources(sources, parse, progress, find)


def source_of(path: Path) -> Source:
    """Read the questions of a file, with its hash."""
    return Source(path.name, content_hash(path), list(read_questions(path)))


def train_sources(
    sources: Sequence[Source],
    parse: Parse,
    progress: Callable[[int, int], None] | None = None,
    find: Find | None = None,
) -> Fitted[Weights]:
    """Fit weights to questions already read; see `train`."""
    total = sum(len(source.questions) for source in sources)
    if not total:
        raise BadRequest("There are no questions to train the reader on.")
    examples: list[Example] = []
    done = 0
    for source in sources:
        weight = total / (len(sources) * max(1, len(source.questions)))
        for question in source.questions:
            examples += examples_of(question, parse, weight, find)
            done += 1
            if progress is not None:
                progress(done, total)
    return Fitted(fit(examples), provenance=provenance_of(sources, parse))


def examples_of(
    question: Question,
    parse: Parse,
    weight: float = 1.0,
    find: Find | None = None,
) -> Iterator[Example]:
    """Read a question from its best paragraphs and from its gold paragraphs.

    Also one of the simple questions that it holds (see `reader_questions`), and one of
    UNANSWERED of all these without what answers it. A question without paragraphs is read from the
    passages that are found for it.
    """
    if not question.paragraphs:
        if find is not None and (passages := find(question.question)):
            study = Reader(parse).study(question.question, passages)
            yield _example(question, study, _golds(question), SETTINGS[0], weight)
        return
    yield from _settings(question, SETTINGS, parse, weight)
    simple = sorted(simple_questions(question), key=lambda one: stable_id(one.id))[:SIMPLE]
    for one in simple:
        yield from _settings(one, SETTINGS[:1], parse, weight / SIMPLE)
    for one in (question, *simple):
        if question.answerable and drawn(one.id, UNANSWERED):
            yield from _settings(without_answer(one), SETTINGS[:1], parse, weight)


def _settings(
    question: Question, settings: Sequence[str], parse: Parse, weight: float
) -> Iterator[Example]:
    golds = _golds(question)
    for setting in settings:
        study = study_of(question, parse, setting)
        if study is not None:
            yield _example(question, study, golds, setting, weight)


def _golds(question: Question) -> tuple[str, ...]:
    return (question.answer, *question.aliases) if question.answerable else ()


def study_of(question: Question, parse: Parse, setting: str) -> Study | None:
    """Study a question's own paragraphs, or return None when the setting leaves none.

    The setting is "retrieved", the best READ, or "gold", the supporting ones in the same order.
    """
    once = _Once(parse)
    passages = passages_of(question, once, setting)
    return Reader(once).study(question.question, passages) if passages else None


def passages_of(question: Question, parse: Parse, setting: str) -> list[ReaderPassage]:
    """Return a question's own paragraphs as the reader takes them; see `study_of`."""
    order = rank(question.question, [(p.title, p.text) for p in question.paragraphs])
    chosen = order[:READ]
    if setting == "gold":
        chosen = [(i, score) for i, score in order if question.paragraphs[i].is_supporting]
    passages = [passage_of(question, i) for i, _ in chosen]
    docs = parse(tidy(passage.text) for passage in passages)
    return [
        ReaderPassage(passage, statements(passage.id, doc, passage.title), score)
        for passage, doc, (_, score) in zip(passages, docs, chosen, strict=True)
    ]


def passage_of(question: Question, number: int) -> Passage:
    """Make a passage of one of a question's own paragraphs."""
    paragraph = question.paragraphs[number]
    return Passage(stable_id(question.id, number), 0, paragraph.title, paragraph.text)


class _Once:
    """A parser that keeps what it parsed: triples and candidates come from the same parse."""

    def __init__(self, parse: Parse) -> None:
        self._parse = parse
        self._docs: dict[str, Doc] = {}

    def __call__(self, texts: Iterable[str]) -> Iterator["Doc"]:
        wanted = list(texts)
        new = list(dict.fromkeys(text for text in wanted if text not in self._docs))
        self._docs.update(zip(new, self._parse(new), strict=True))
        return (self._docs[text] for text in wanted)


def _example(
    question: Question, study: Study, golds: tuple[str, ...], setting: str, weight: float
) -> Example:
    right = [is_right(candidate.text, golds) for candidate in study.found]
    ruled = study.ruling is not None and is_right(study.ruling.answer, golds)
    return Example(
        question=origin(question),
        asked=study.evidence.asked,
        texts=[candidate.text for candidate in study.found],
        labels=[candidate.label for candidate in study.found],
        features=study.features,
        around=circumstances(study.evidence),
        ruling=study.ruling and replace(study.ruling, read=None),  # other processes take no page
        right=np.array(right, dtype=bool),
        ruled_right=ruled,
        verdict=normalise_answer(question.answer) in ("yes", "no"),
        retrieved=setting == "retrieved",
        weight=weight if question.answerable else _HARM * weight,
    )


def is_right(text: str, golds: Sequence[str]) -> bool:
    """Tell whether an answer counts as right: equal, or nearly (a middle name more or less)."""
    return bool(exact_match(text, golds)) or f1(text, golds) >= NEAR_ENOUGH


def provenance_of(sources: Sequence[Source], parse: Parse) -> dict[str, object]:
    """Say what weights were fitted to."""
    return {
        "files": [
            {"name": s.name, "sha256": s.sha256, "questions": len(s.questions)} for s in sources
        ],
        "pipeline": str(getattr(parse, "fingerprint", "unknown")),
        "version": metadata.version("hoptrail"),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }


def rank(question: str, paragraphs: Sequence[tuple[str, str]]) -> list[tuple[int, float]]:
    """Rank (title, text) pairs: (index, score), best first, ties in the given order."""
    if not paragraphs:
        return []
    titles = [normal_title(title) for title, _ in paragraphs]
    texts = [question, *(text for _, text in paragraphs)]
    asked, *naming = named_titles(texts, lambda grams: set(titles).intersection(grams))
    stems = [frozenset(terms(f"{title} {text}")) for title, text in paragraphs]
    weights = _idf(terms(question), stems)
    seeds = _full_text(weights, stems) + _NAMED * np.array([t in asked for t in titles])
    scores = seeds.copy()
    for i, names in enumerate(naming):
        for j in (j for j, title in enumerate(titles) if title in names and title != titles[i]):
            gain = sum(weights.get(stem, 0.0) for stem in stems[j] - stems[i])
            scores[j] = max(scores[j], seeds[j] + _HOP * seeds[i] * (1 + gain))
            scores[i] = max(scores[i], seeds[i] + _BACK * seeds[j])
    order = np.argsort(-scores, kind="stable")
    return [(int(i), float(scores[i])) for i in order]


def _idf(wanted: Sequence[str], stems: Sequence[frozenset[str]]) -> dict[str, float]:
    """Inverse document frequencies of the question's stems, scaled to a sum of 1."""
    counts = Counter(stem for of_one in stems for stem in of_one)
    raw = {s: math.log(1 + (len(stems) - counts[s] + 0.5) / (counts[s] + 0.5)) for s in wanted}
    total = sum(raw.values()) or 1.0
    return {stem: value / total for stem, value in raw.items()}


def _full_text(weights: dict[str, float], stems: Sequence[frozenset[str]]) -> NDArray[np.float64]:
    """BM25 with every word counted once, scaled so that the best paragraph has 1."""
    lengths = np.array([len(s) for s in stems], dtype=np.float64)
    damping = 1 - _LENGTH + _LENGTH * lengths / max(1.0, lengths.mean())
    overlap = np.array([sum(weights.get(stem, 0.0) for stem in of_one) for of_one in stems])
    scores = overlap * (1 + _MEAN_WEIGHT) / (1 + _MEAN_WEIGHT * damping)
    return scores / (scores.max() or 1.0)
