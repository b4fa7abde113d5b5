"""Reading an answer from chains: the model's, over triples or passages (TRACE §3.4)."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from ....kg.answers import Chain, Citation
from ....kg.types import Passage, Triple
from ....models.language import BudgetSpent
from ...prompts.showing import passage_text, triple_lines
from ...session.assembling import assemble
from ...session.replies import told
from ...session.session import ANSWER, Session

T = TypeVar("T", Triple, Passage)


def read_triples(session: Session, chains: Sequence[Chain]) -> str:
    """Read the answer from the chains' triples (TRACE-Triple); "" for none.

    Each triple is shown once, the best chain's first. Evidence that does not fit into the context
    or the budget is left out from its end; decoding is greedy (Appendix C.4).
    """
    template = session.parts.template("trace/read_triples")
    shown = list(dict.fromkeys(step.triple for chain in chains for step in chain.triples))

    def prompt(triples: Sequence[Triple]) -> str:
        return template.render(triples=triple_lines(triples), question=session.asked)

    return _read(session, "read triples", shown, prompt)


def read_passages(session: Session, passages: Sequence[Passage]) -> str:
    """Read the answer from passages in this order (TRACE-Doc); "" for none; see `read_triples`."""
    template = session.parts.template("shared/read_passages")

    def prompt(shown: Sequence[Passage]) -> str:
        return template.render(passages=passage_text(shown), question=session.asked)

    return _read(session, "read passages", passages, prompt)


def _read(
    session: Session, name: str, evidence: Sequence[T], prompt: Callable[[Sequence[T]], str]
) -> str:
    started = time.perf_counter()
    ids = [piece.id for piece in evidence]
    session.model.release()
    text, count = assemble(session.model, evidence, prompt, ANSWER.max_tokens)
    try:
        [said] = session.model.generate([text], ANSWER)
    except BudgetSpent as spent:
        session.steps.add("budget", "", f"The evidence is not read: {spent}.", ids, started)
        return ""
    answer = said.text.strip()
    session.steps.add(name, text, answer, ids[:count], started)
    return told(answer)


def cited(
    found: Mapping[Passage, float],
    beyond: Sequence[Passage],
    chains: Sequence[Chain],
    goal: str = "",
) -> tuple[Citation, ...]:
    """Order passages by the votes of the chains' triples (TRACE-Doc, §3.4), then by retrieval.

    Those without a vote are left out, as in the paper, unless they hold the answer or nothing was
    voted for.

    Args:
        found: what was retrieved, with its scores.
        beyond: passages that were not retrieved, but reached from a chain.
        goal: the answer; "" when only votes count.
    """
    votes = Counter(
        passage_id for chain in chains for step in chain.triples for passage_id in step.passage_ids
    )
    every = [*found.items(), *((passage, 0.0) for passage in beyond)]
    kept = [
        Citation(p.id, p.title, p.text, votes[p.id], score, p.heading, p.page)
        for p, score in every
        if votes[p.id] or not votes or (goal and goal in p.text)
    ]
    return tuple(sorted(kept, key=lambda citation: -citation.votes))
