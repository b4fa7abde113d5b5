"""RGNN-Ret: GNN-Ret for each sub-question of a chain, each step remembering the ones before.

Source: GNN-Ret §3.3; the roles of the prompts: appendix I.6. The retriever `RgnnRet` asks the
sub-questions itself; a method that has its own (IRCoT's sentences, ITER-RETGEN's answers;
appendix G) takes a `Recurrence` for each question.
"""

import contextlib
import functools
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from typing import ClassVar, Protocol

from ...kg.errors import BadRequest
from ...kg.store import Graph
from ...kg.types import Passage, Scored
from ...models.encoder import Encoder
from ...models.language import BudgetSpent, Decoding, LanguageModel, reserved
from ..prompts import Template
from ..prompts.showing import SECTIONS, examples, passage_text
from ..replies.answers import concludes
from ..replies.sentences import question as asks
from ..replies.sentences import says_nothing, statement, thoughts
from ..replies.unknown import UNKNOWN
from .copies import first_of_each
from .gnn_ret import Distances, GnnRet

_QUESTION_TOKENS = 96
_ANSWER_TOKENS = 128
_ENOUGH = ("A", "B")
"""The options of the self-critique: yes first."""


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """A sub-question, the passages it was answered from, and the answer."""

    question: str
    found: tuple[Scored, ...]
    answer: str


class Questioner(Protocol):
    """Takes a question apart, step by step: a language model, or a script in tests."""

    def ask(self, question: str, answered: Sequence[SubQuestion]) -> str:
        """Ask the next sub-question, given those answered so far; "" when there is none."""
        ...

    def answer(self, subquestion: str, passages: Sequence[Passage]) -> str:
        """Answer a sub-question from passages, best first."""
        ...

    def suffices(self, question: str, answered: Sequence[SubQuestion]) -> bool:
        """Judge whether the answers so far are enough for the question's (self-critique)."""
        ...


@dataclass
class Recurrence:
    """The memory of one question: h_t = β (GNN's distance at step t) + (1 - β) h_t-1, equation 4.

    Args:
        beta: weight of the step itself.
        within: only these passages.
    """

    gnn: GnnRet
    beta: float = 0.9  # §4.1
    within: Collection[str] | None = None
    _steps: list[Distances] = field(default_factory=list)

    def search(self, question: str, limit: int) -> list[Scored]:
        """Rank passages for the next step, ties by id; the score is 1 - distance.

        Ranked are those among the nearest of any step so far, by all steps' distances.
        """
        vector = self.gnn.encoder.encode_queries([question])[0]
        step = self.gnn.integrated(vector, self.within)
        step.smallest(limit)  # brings into view at least as many as are asked for
        self._steps.append(step)
        ids = sorted(set().union(*(one.known for one in self._steps)))
        distances = self._steps[0].of(ids)
        for step in self._steps[1:]:
            own = step.of(ids)
            distances = {i: self.beta * own[i] + (1 - self.beta) * distances[i] for i in ids}
        best = sorted(ids, key=lambda id_: (distances[id_], id_))
        ranked = first_of_each(self.gnn.graph, [Scored(id_, 1 - distances[id_]) for id_ in best])
        return ranked[: max(limit, 0)]


@dataclass(frozen=True)
class RgnnRet:
    """Asks sub-questions until their answers suffice, and ranks all they found.

    Args:
        questioner: asks, answers and judges.
        gnn: the network of every step; paper's settings when None.
        beta: see Recurrence; fitted by `training.gnn_ret`.
        passages: how many a sub-question is answered from.
        steps: at most, when the questioner never has enough.

    Raises:
        BadRequest: a setting is out of its range.
    """

    graph: Graph
    encoder: Encoder
    questioner: Questioner
    gnn: GnnRet | None = None
    beta: float = 0.9  # §4.1
    passages: int = 5
    steps: int = 5
    name: ClassVar[str] = "rgnn"

    def __post_init__(self) -> None:
        if not 0 <= self.beta <= 1:
            raise BadRequest(f"The beta of RGNN-Ret lies between 0 and 1: {self.beta}.")
        if min(self.passages, self.steps) < 1:
            raise BadRequest("RGNN-Ret needs at least one step and one passage a step.")

    def search(
        self, question: str, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        """Rank the steps' passages in turn, the best of each first; see Retriever.

        Each step needs its own passage, and distances to different sub-questions compare badly. The
        score is 1 / turn. When nothing was asked, the question itself is.
        """
        answered = self.follow(question, limit, within)
        steps = [step.found for step in answered]
        if not steps:
            steps = [tuple(self.recurrence(within).search(question, limit))]
        turns = (scored.id for turn in zip_longest(*steps) for scored in turn if scored)
        ranked = list(dict.fromkeys(turns))[: max(limit, 0)]
        return [Scored(id_, 1 / turn) for turn, id_ in enumerate(ranked, 1)]

    def follow(
        self, question: str, limit: int = 0, within: Collection[str] | None = None
    ) -> list[SubQuestion]:
        """Follow the sub-questions; each finds `limit` passages, `passages` at least."""
        recurrence, answered = self.recurrence(within), list[SubQuestion]()
        with contextlib.suppress(BudgetSpent):  # what was found until then is ranked
            for _ in range(self.steps):
                asked = self.questioner.ask(question, answered)
                if not asked.strip():
                    break
                found = recurrence.search(asked, max(limit, self.passages))
                read = self.graph.passages([scored.id for scored in found[: self.passages]])
                answer = self.questioner.answer(asked, list(read.values()))
                answered.append(SubQuestion(asked, tuple(found), answer))
                if self.questioner.suffices(question, answered):
                    break
        return answered

    def recurrence(self, within: Collection[str] | None = None) -> Recurrence:
        """Make a fresh memory, for one question."""
        return Recurrence(self.network, self.beta, within)

    @property
    def network(self) -> GnnRet:
        """The GNN-Ret of every step: the one given, or the paper's."""
        return self.gnn or GnnRet(self.graph, self.encoder)

    def asking(self, model: LanguageModel) -> "RgnnRet":
        """Put the questions to this model instead, such as a question's own metered one.

        A questioner that is no ModelQuestioner, such as a script, stays.
        """
        if not isinstance(self.questioner, ModelQuestioner):
            return self
        return replace(self, questioner=replace(self.questioner, model=model))


@dataclass(frozen=True)
class ModelQuestioner:
    """Takes a question apart by a language model, greedily: it asks the same again.

    Args:
        prompts: folder of one's own prompts; None takes HOPTRAIL_PROMPTS, where that is set.

    Every method raises what `LanguageModel.generate` raises, and BadRequest for a prompt of one's
    own that can't be read or filled.
    """

    model: LanguageModel
    prompts: Path | None = None

    def ask(self, question: str, answered: Sequence[SubQuestion]) -> str:
        """Ask the next sub-question; "" when the model has none, or none that is new."""
        lines = (f"{one.question} {one.answer or UNKNOWN}" for one in answered)
        prompt = self._ask.render(
            examples=examples(self._ask.demonstrations),
            question=question,
            answered="\n".join(lines) or "nothing yet",
        )
        said = self._said(prompt, _QUESTION_TOKENS)
        ends = says_nothing(said) or concludes(said)
        first = "" if ends else next(iter(thoughts(said)), "")
        asked = asks(said) or first
        known = {one.question.casefold() for one in answered}
        return "" if asked.casefold() in known else asked

    def answer(self, subquestion: str, passages: Sequence[Passage]) -> str:
        """Answer a sub-question in a sentence; "" when the passages do not tell.

        Passages that do not fit into the model's context are left out from the end.
        """
        for count in range(len(passages), 0, -1):
            shown = passage_text(passages[:count])
            prompt = self._answer.render(passages=shown, question=subquestion)
            if count == 1 or self._fits(prompt):
                return statement(self._said(prompt, _ANSWER_TOKENS))
        return ""

    def suffices(self, question: str, answered: Sequence[SubQuestion]) -> bool:
        """Judge by the answers alone whether the model finds "enough" likelier."""
        answers = "\n".join(one.answer for one in answered if one.answer)
        if not answers:
            return False
        prompt = self._suffices.render(question=question, answers=answers)
        prefix, heading, verdict = prompt.rpartition("\n## ")
        choices = self.model.choose(prefix, [heading + verdict], _ENOUGH)
        yes, no = choices.log_probabilities[0]
        return bool(yes > no)

    def _said(self, prompt: str, tokens: int) -> str:
        [said] = self.model.generate([prompt], Decoding(stop=SECTIONS, max_tokens=tokens))
        return said.text.strip()

    def _fits(self, prompt: str) -> bool:
        room = self.model.context_length - reserved(self.model)
        return self.model.count_tokens(prompt) + _ANSWER_TOKENS <= room

    @functools.cached_property
    def _ask(self) -> Template:
        return Template.named("rgnn_ret/ask", self.prompts)

    @functools.cached_property
    def _answer(self) -> Template:
        return Template.named("rgnn_ret/answer", self.prompts)

    @functools.cached_property
    def _suffices(self) -> Template:
        return Template.named("rgnn_ret/suffices", self.prompts)
