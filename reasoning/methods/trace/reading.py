"""Reading an answer from chains, and the passages that they vote for (TRACE §3.4)."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from ....kg.answers import Chain, Citation
from ....kg.types import Passage
from ...replies.answers import told
from ...session.session import ANSWER, Session

READ_TRIPLES = "trace/read_triples"


def read_triples(session: Session, chains: Sequence[Chain]) -> str:
    """Read the answer from the chains' triples (TRACE-Triple); "" for none.

    Each triple is shown once, the best chain's first; decoding is greedy (Appendix C.4).
    """
    shown = list(dict.fromkeys(step.triple for chain in chains for step in chain.triples))
    return told(session.say(READ_TRIPLES, shown, ANSWER, last=True))


def cited(
    found: Mapping[Passage, float],
    beyond: Sequence[Passage],
    chains: Sequence[Chain],
    goals: Sequence[str] = (),
    told: Collection[str] = (),
    first: str = "",
) -> tuple[Citation, ...]:
    """Order passages by the votes of the chains' triples (TRACE-Doc, §3.4), then by retrieval.

    Before them all comes the one that the answer was read in.

    Those without a vote are left out, as in the paper, unless they hold the answer; where nothing
    was voted for and none does, all are given.

    Args:
        found: what was retrieved, with its scores.
        beyond: passages that were not retrieved, but reached from a chain.
        goals: the answer, and what else it may be; none when only votes count.
        told: ids of passages that something was read in on the way to the answer.
        first: id of the one that it was read in, "" for none.
    """
    votes = Counter(
        passage_id for chain in chains for step in chain.triples for passage_id in step.passage_ids
    )
    every = [
        Citation(p.id, p.title, p.text, votes[p.id], score, p.heading, p.page)
        for p, score in [*found.items(), *((passage, 0.0) for passage in beyond)]
    ]
    held = re.compile(
        "|".join(rf"(?<!\w){re.escape(goal)}(?!\w)" for goal in goals if goal) or "$^"
    )
    telling = [
        one
        for one in every
        if one.votes or one.passage_id in (first, *told) or held.search(one.text)
    ]
    return tuple(sorted(telling or every, key=lambda one: (one.passage_id != first, -one.votes)))
