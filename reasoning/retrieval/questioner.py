"""Sub-questions, their answers and the self-critique of RGNN-Ret from a language model.

Source: GNN-Ret §3.3 and appendix I.6; the prompts are prompts/rgnn_*.txt.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...kg.types import Passage
from ...models.language import LanguageModel
from ..prompts import Template
from ..prompts.showing import examples, passage_text
from .rgnn_ret import Hop

UNKNOWN = "unknown"
"""What the prompt asks for when the passages do not tell."""
_QUESTION_TOKENS = 48
_ANSWER_TOKENS = 64
_ENOUGH = ("A", "B")
"""The options of the self-critique: yes first."""


@dataclass(frozen=True)
class ModelQuestioner:
    """See Questioner; decoding is greedy, so the same model asks the same again.

    Args:
        prompts: folder of one's own prompts; None takes HOPTRAIL_PROMPTS, where that is set.

    Every method raises what `LanguageModel.generate` raises, and BadRequest for a prompt of one's
    own that can't be read or filled.
    """

    model: LanguageModel
    prompts: Path | None = None

    def ask(self, question: str, hops: Sequence[Hop]) -> str:
        """The next sub-question; "" when the model has none, or none that is new."""
        lines = (f"{hop.question} {hop.answer or UNKNOWN}" for hop in hops)
        prompt = self._ask.render(
            examples=examples(self._ask.demonstrations),
            question=question,
            answered="\n".join(lines) or "nothing yet",
        )
        asked = self._said(prompt, _QUESTION_TOKENS)
        known = {hop.question.casefold() for hop in hops}
        return "" if asked.casefold() in known else asked

    def answer(self, subquestion: str, passages: Sequence[Passage]) -> str:
        """A sentence; "" when the passages do not tell.

        Passages that do not fit into the model's context are left out from the end.
        """
        for count in range(len(passages), 0, -1):
            shown = passage_text(passages[:count])
            prompt = self._answer.render(passages=shown, question=subquestion)
            if count == 1 or self._fits(prompt):
                said = self._said(prompt, _ANSWER_TOKENS)
                return "" if said.rstrip(".").casefold() == UNKNOWN else said
        return ""

    def suffices(self, question: str, hops: Sequence[Hop]) -> bool:
        """Whether the model finds "enough" likelier, given the answers without their questions."""
        answers = "\n".join(hop.answer for hop in hops if hop.answer)
        if not answers:
            return False
        prompt = self._suffices.render(question=question, answers=answers)
        prefix, heading, verdict = prompt.rpartition("\n## ")
        choices = self.model.choose(prefix, [heading + verdict], _ENOUGH)
        yes, no = choices.log_probabilities[0]
        return bool(yes > no)

    def _said(self, prompt: str, tokens: int) -> str:
        [said] = self.model.generate([prompt], stop=["\n"], max_tokens=tokens)
        return said.text.strip()

    def _fits(self, prompt: str) -> bool:
        return self.model.count_tokens(prompt) + _ANSWER_TOKENS <= self.model.context_length

    @functools.cached_property
    def _ask(self) -> Template:
        return Template.named("rgnn_ask", self.prompts)

    @functools.cached_property
    def _answer(self) -> Template:
        return Template.named("rgnn_answer", self.prompts)

    @functools.cached_property
    def _suffices(self) -> Template:
        return Template.named("rgnn_suffices", self.prompts)
