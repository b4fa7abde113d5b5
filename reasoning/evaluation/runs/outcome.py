"""The outcome of one question: how right its answer is, what its reader saw, what it cost."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from ....kg.answers import Answer
from ....kg.store import Graph
from ....loaders.questions.fever import OPEN
from ....loaders.questions.files import Fact, Paragraph, Question
from ..metrics.citing import Cited, cited, figures
from ..metrics.evidence import Triple
from ..metrics.gold import Gold
from ..metrics.labels import label
from ..metrics.scoring import score

ALL_SUPPORTING_AT = 5
"""k of all_supporting@k, as for retrieval."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one question, as one line of a run; shares are 0 to 1.

    Args:
        golds: the answer and its aliases; empty where there is none.
        answer: the best guess where the method abstained.
        abstained: also where it said FEVER's "NOT ENOUGH INFO".
        confidence: see `Answer`.
        exact_match: by the dataset's measures, as f1 and accuracy: see `scoring.score`.
        supporting_recall: share of the supporting documents that the prompts showed; None where
            the file names none, as the next two.
        all_supporting: all of them were shown.
        all_supporting_at_5: among the first five documents shown.
        document_error: share of the documents shown that do not support the answer; None also
            when none was shown.
        shown: documents that the prompts showed.
        cited_documents: what the answer or the best guess rests on, by id or, where `Gold` has
            titles, by title; nothing where there is neither, as the next two.
        cited_facts: sentences; -1 where a sentence's number is not known.
        cited_triples: of the chains.
        evidence: how good these are, by name: see `citing.figures`; of an exact answer from a graph
            that was traced for it also filtered_tokens and traced_tokens.
        pair: see `Question`.
        failed: why there is no answer; None when there is one.
    """

    id: str
    question: str
    golds: tuple[str, ...]
    answerable: bool
    answer: str = ""
    abstained: bool = False
    confidence: float | None = None
    exact_match: float = 0.0
    f1: float = 0.0
    accuracy: float = 0.0
    supporting_recall: float | None = None
    all_supporting: float | None = None
    all_supporting_at_5: float | None = None
    document_error: float | None = None
    shown: int = 0
    cited_documents: tuple[str, ...] = ()
    cited_facts: tuple[Fact, ...] = ()
    cited_triples: tuple[Triple, ...] = ()
    evidence: Mapping[str, float] = field(default_factory=dict)
    pair: str = ""
    calls: float = 0
    tokens_in: float = 0
    tokens_out: float = 0
    seconds: float = 0.0
    failed: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the fields, in their order."""
        return asdict(self)

    @staticmethod
    def of_json(data: Mapping[str, Any]) -> "Outcome":
        """Read the outcome that `as_json` gave.

        Raises:
            ValueError: a field is missing, or there are others.
        """
        if set(data) != {field.name for field in fields(Outcome)}:
            raise ValueError("it has not the fields that this version writes")
        lists = {name: tuple(data[name]) for name in ("golds", "cited_documents")}
        for name in ("cited_facts", "cited_triples"):
            lists[name] = tuple(map(tuple, data[name]))
        return Outcome(**{**data, **lists})

    def figure(self, name: str) -> float | None:
        """Return one figure, those of `evidence` too; None where the question has it not."""
        return self.evidence.get(name, getattr(self, name, None))


def outcome(
    question: Question,
    answer: Answer,
    graph: Graph,
    seconds: float,
    paragraphs: Mapping[str, Paragraph],
) -> Outcome:
    """Judge an answer.

    The best guess counts where the method abstained from a question that has an answer, so that
    EM and F1 compare with those of methods that never abstain; what it cites counts with it.

    Args:
        graph: that it was answered from.
        seconds: that it took.
        paragraphs: see `citing.divided`.
    """
    guess = answer.text or (answer.candidates[0][0] if answer.candidates else "")
    gave_up = answer.abstained and not (guess and question.answerable)
    found = score(question, guess, gave_up)
    gold = Gold.of(question, graph)
    shown = gold.among(graph.passages(answer.shown).values())
    cites = Cited() if gave_up else cited(answer, gold, graph, paragraphs)
    usage = answer.usage
    evidence = figures(question, "" if gave_up else guess, gave_up, cites, gold)
    if found.exact_match == 1 and not gave_up and "traced_tokens" in usage:
        evidence |= {name: usage[name] for name in ("filtered_tokens", "traced_tokens")}
    return Outcome(
        question.id,
        question.question,
        _golds(question),
        question.answerable,
        answer=guess,
        abstained=answer.abstained or (question.dataset == "fever" and label(guess) == OPEN),
        confidence=answer.confidence,
        exact_match=found.exact_match,
        f1=found.f1,
        accuracy=found.accuracy,
        supporting_recall=gold.recall(shown),
        all_supporting=gold.all_found(shown),
        all_supporting_at_5=gold.all_found(shown, ALL_SUPPORTING_AT),
        document_error=gold.error_rate(shown),
        shown=len(shown),
        cited_documents=cites.documents,
        cited_facts=cites.facts,
        cited_triples=cites.triples,
        evidence=evidence,
        pair=question.pair,
        calls=usage.get("calls", 0),
        tokens_in=usage.get("tokens_in", 0),
        tokens_out=usage.get("tokens_out", 0),
        seconds=round(seconds, 6),
    )


def failure(question: Question, reason: str, graph: Graph, seconds: float) -> Outcome:
    """Count a question that could not be answered as wrong, and nothing as shown or cited."""
    gold = Gold.of(question, graph)
    return Outcome(
        question.id,
        question.question,
        _golds(question),
        question.answerable,
        supporting_recall=gold.recall(()),
        all_supporting=gold.all_found(()),
        all_supporting_at_5=gold.all_found((), ALL_SUPPORTING_AT),
        evidence=figures(question, "", False, Cited(), gold),
        pair=question.pair,
        seconds=round(seconds, 6),
        failed=reason,
    )


def _golds(question: Question) -> tuple[str, ...]:
    told = (question.answer, *question.aliases, *question.spans)
    return tuple(dict.fromkeys(filter(None, told))) if question.answerable else ()
