"""Reading an answer from chains: the model's, over triples or passages (TRACE §3.4)."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ....kg.answers import Chain, Citation
from ....kg.types import Passage, Triple
from ...prompts import Template
from ...prompts.showing import passage_text, triple_lines
from ...session.budget import Budget, BudgetSpent, Metered, Run
from ...session.session import ANSWER_TOKENS, assemble, told

T = TypeVar("T")


@dataclass(frozen=True)
class ModelReader:
    """Reads as TRACE-Triple or TRACE-Doc do: one prompt, greedy decoding (Appendix C.4).

    Evidence that does not fit into the context or the budget is left out from its end.

    Args:
        triples: the prompt that shows triples.
        passages: the prompt that shows passages.
    """

    model: Metered
    triples: Template
    passages: Template

    def read_triples(self, question: str, chains: Sequence[Chain], run: Run) -> str:
        """The answer from the chains' triples, each once, the best chain's first; "" for none."""
        shown = list(dict.fromkeys(step.triple for chain in chains for step in chain.triples))

        def prompt(triples: Sequence[Triple]) -> str:
            return self.triples.render(triples=triple_lines(triples), question=question)

        return self._read("read triples", shown, prompt, [t.id for t in shown], run)

    def read_passages(self, question: str, passages: Sequence[Passage], run: Run) -> str:
        """The answer from passages in this order; "" for none."""

        def prompt(shown: Sequence[Passage]) -> str:
            return self.passages.render(passages=passage_text(shown), question=question)

        return self._read("read passages", passages, prompt, [p.id for p in passages], run)

    def _read(
        self,
        name: str,
        evidence: Sequence[T],
        prompt: Callable[[Sequence[T]], str],
        ids: Sequence[str],
        run: Run,
    ) -> str:
        started = time.perf_counter()
        self.model.reserved = Budget(0, 0)
        text, count = assemble(self.model, evidence, prompt, ANSWER_TOKENS)
        try:
            [said] = self.model.generate([text], stop=["\n"], max_tokens=ANSWER_TOKENS)
        except BudgetSpent as spent:
            run.step("budget", "", f"The evidence is not read: {spent}.", ids, started)
            return ""
        answer = said.text.strip()
        run.step(name, text, answer, ids[:count], started)
        return told(answer)


def cited(
    found: Sequence[tuple[Passage, float]],
    beyond: Sequence[Passage],
    chains: Sequence[Chain],
    goal: str = "",
) -> tuple[Citation, ...]:
    """Passages by the votes of the chains' triples (TRACE-Doc, §3.4), then by retrieval.

    Those without a vote are left out, as in the paper, unless they hold the answer or nothing was
    voted for.

    Args:
        beyond: passages that were not retrieved, but reached from a chain.
        goal: the answer; "" when only votes count.
    """
    votes = Counter(
        passage_id for chain in chains for step in chain.triples for passage_id in step.passage_ids
    )
    every = [*found, *((passage, 0.0) for passage in beyond)]
    kept = [
        Citation(p.id, p.title, p.text, votes[p.id], score, p.heading, p.page)
        for p, score in every
        if votes[p.id] or not votes or (goal and goal in p.text)
    ]
    return tuple(sorted(kept, key=lambda citation: -citation.votes))
