"""Results of all questions: figures with intervals, costs, differences from another run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ....kg.errors import BadRequest
from ..metrics.abstention import Abstention, Selective, abstention, selective
from ..metrics.evidence import Twin, pair_scores
from ..metrics.intervals import (
    Interval,
    McNemar,
    bootstrap,
    bootstrap_f1,
    bootstrap_ratio,
    mcnemar,
    paired,
    require_same_questions,
)
from .manifest import differences
from .outcome import Outcome

RIGHT_F1 = 0.8
"""An answer is right, for the precision of what is answered, from this F1 on or when it matches."""
COMPARED = ("exact_match", "f1", "accuracy")
FIGURES = (
    *COMPARED,
    "supporting_recall",
    "all_supporting",
    "all_supporting_at_5",
    "document_error",
)
BY_SENTENCE = (
    "facts_em",
    "facts_f1",
    "joint_em",
    "joint_f1",
    "fever_score",
    "evidence_precision",
    "evidence_recall",
)
"""Figures of sentences cited."""
BY_TRIPLE = ("triples_em", "triples_f1")
"""Figures of triples cited."""
BY_PAIR = {"pairs_answer_f1": "f1", "pairs_support_f1": "paragraphs_f1"}
"""Figures over MuSiQue's pairs, and what they are of."""
FILTERED = ("filtered_tokens", "traced_tokens")
"""Of questions answered exactly by a method that traces a graph: see `trajectory.filtered`."""
COSTS = ("calls", "tokens_in", "tokens_out", "seconds")


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of a method from another, on the same questions.

    Args:
        figures: paired differences, by name: see `COMPARED`.
        tests: McNemar's, of the two figures that are right or wrong.
        manifest: in what the other's was another, in words, but for the method.
    """

    figures: Mapping[str, Interval]
    tests: Mapping[str, McNemar]
    manifest: Sequence[str] = ()


@dataclass(frozen=True)
class AnswerResult:
    """The outcomes of one method over one set of questions.

    Args:
        method: its name and settings as they were asked for ("trace:beams=1").
        each: every question, in the order of the file; n ≥ 1.
        manifest: what it takes to measure the same again.
    """

    dataset: str
    method: str
    each: Sequence[Outcome]
    manifest: Mapping[str, Any]

    @property
    def questions(self) -> int:
        """How many questions were asked."""
        return len(self.each)

    @property
    def failed(self) -> list[Outcome]:
        """The questions that could not be answered; they count as wrong."""
        return [one for one in self.each if one.failed is not None]

    def values(self, figure: str) -> list[float]:
        """Return one figure of every question that has it."""
        found = (one.figure(figure) for one in self.each)
        return [value for value in found if value is not None]

    @cached_property
    def figures(self) -> dict[str, Interval]:
        """The mean of each figure there is, with its 95 % interval, by name.

        A method that cites no sentence, or none whose number is known, in any answer has no figures
        of sentences, one that cites no triple none of triples.
        """
        names = [*FIGURES, "paragraphs_f1"]
        if any(number >= 0 for one in self.each for _, number in one.cited_facts):
            names += BY_SENTENCE
        if any(one.cited_triples for one in self.each):
            names += BY_TRIPLE
        values = {figure: self.values(figure) for figure in names}
        values |= {figure: self._of_pairs(of) for figure, of in BY_PAIR.items()}
        found = {figure: bootstrap(given) for figure, given in values.items() if given}
        if "evidence_precision" in found:
            found["evidence_f1"] = bootstrap_f1(
                values["evidence_precision"], values["evidence_recall"]
            )
        lost, every = (self.values(name) for name in FILTERED)
        if every:
            found["filtered_to_all"] = bootstrap_ratio(lost, every)
        return found

    def _of_pairs(self, figure: str) -> list[float]:
        return pair_scores(
            Twin(one.pair, one.answerable, one.abstained, one.figure(figure) or 0.0)
            for one in self.each
            if one.pair
        )

    @cached_property
    def costs(self) -> dict[str, float]:
        """The means a question: calls, tokens_in, tokens_out, seconds."""
        return {cost: sum(self.values(cost)) / len(self.each) for cost in COSTS}

    @property
    def tokens(self) -> float:
        """The mean of tokens read and written, a question."""
        return self.costs["tokens_in"] + self.costs["tokens_out"]

    @property
    def answered(self) -> Selective:
        """The share of questions answered, and of these answered rightly."""
        said = [not one.abstained and one.failed is None for one in self.each]
        right = [one.exact_match > 0 or one.f1 >= RIGHT_F1 for one in self.each]
        return selective([float(a) for a in said], right)

    @property
    def abstention(self) -> Abstention:
        """The worth of abstaining."""
        return abstention(
            [one.abstained for one in self.each], [one.answerable for one in self.each]
        )

    def unlike(self, other: "AnswerResult") -> str:
        """Say why two runs over the same questions can't be compared; "" when they can.

        They need the same data, setting and gold answers; another model or graph is what is
        compared.
        """
        ours, theirs = (
            {"data": r.manifest["data"]["sha256"], "within": r.manifest["within"]}
            for r in (other, self)
        )
        if different := differences(ours, theirs):
            return "; ".join(different)
        changed = (
            one.id
            for one, its in zip(self.each, other.each, strict=True)
            if (set(one.golds), one.answerable) != (set(its.golds), its.answerable)
        )
        first = next(changed, None)
        return "" if first is None else f"the gold answers to {first!r} differ"

    def against(self, other: "AnswerResult") -> Difference:
        """Compare with another method, paired by question.

        Raises:
            BadRequest: the other was measured on other questions, or not in the same way.
        """
        require_same_questions([one.id for one in self.each], [one.id for one in other.each])
        if different := self.unlike(other):
            raise BadRequest(
                f"{self.method} and {other.method} can't be compared: {different}. Measure both "
                "alike."
            )
        figures = {name: paired(self.values(name), other.values(name)) for name in COMPARED}
        tests = {
            name: mcnemar(self.values(name), other.values(name))
            for name in ("exact_match", "accuracy")
        }
        return Difference(figures, tests, self._unlike_settings(other))

    def _unlike_settings(self, other: "AnswerResult") -> list[str]:
        """Settings of two methods differ anyhow, those of one do not go without saying."""
        same = self.manifest.get("method") == other.manifest.get("method")
        passed_over = {"dataset", "method"} if same else {"dataset", "method", "settings"}
        mine, its = (
            {name: value for name, value in run.manifest.items() if name not in passed_over}
            for run in (self, other)
        )
        return differences(its, mine)
