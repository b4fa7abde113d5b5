"""Knowledge-graph prompting: a model walks the passage graph (Wang et al. 2024)."""

import time
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass

from ....kg.answers import Answer
from ....kg.types import LinkKind, Passage
from ...session.budget import OnStep
from ...session.parts import Parts
from ...session.session import LINE, Turns, check

NOTHING = "nothing"
"""What the prompt asks for when the passages suffice."""
KINDS: tuple[LinkKind, ...] = ("NEXT", "NAMES", "SHARES_KEYWORD")


@dataclass(frozen=True)
class Kgp:
    """From seeds, paths grow to the neighbours most like the evidence the model asks for (alg. 1).

    Breadth first; the passages are then read path by path. The paper's traverser is a small model
    fitted to predict the evidence, and never has enough; here it is the reader's own, prompted, and
    a path ends where it says that nothing is missing. Seeds are the retriever's, the paper's are
    TF-IDF's. A passage is visited once. Tables and pages are no nodes: what the paper does for
    questions about a document's structure is not here.

    Args:
        seeds: passages nearest to the question, where paths begin (supplement, 8.2).
        branches: neighbours that a path goes on to (8.2).
        passages: on all paths together; the walk ends there. The paper's 10 seeds with 3 neighbours
            each are 40 (8.2).
        max_calls: prompts a question may put to the model.
        max_tokens: tokens a question may take.

    Raises:
        BadRequest: there is no language model, or a count below 1.
    """

    parts: Parts
    seeds: int = 10
    branches: int = 3
    passages: int = 40
    max_calls: int | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        check("kgp", self, seeds=self.seeds, branches=self.branches, passages=self.passages)

    def answer(
        self,
        question: str,
        within: Collection[str] | None = None,
        on_step: OnStep = lambda step: None,
    ) -> Answer:
        """See Method."""
        turns = Turns.of("kgp", self, question, within, on_step)
        visited = turns.retrieve(question, min(self.seeds, self.passages))
        paths = deque([seed] for seed in visited)
        while paths and len(visited) < self.passages:
            path = paths.popleft()
            beside = self._beside(path[-1], visited, within)
            needed = turns.say("kgp/needed", path, LINE) if beside else NOTHING
            if turns.spent:
                break
            if needed.rstrip(".").casefold() in ("", NOTHING):
                continue
            limit = min(self.branches, self.passages - len(visited))
            found = self._nearest(turns, path[-1], beside, needed, limit)
            place = visited.index(path[-1]) + 1
            visited[place:place] = found
            paths += [[*path, passage] for passage in found]
        return turns.answered(turns.read(visited))

    def _beside(
        self, passage: Passage, visited: list[Passage], within: Collection[str] | None
    ) -> list[str]:
        """Ids of neighbours that are not visited yet."""
        links = self.parts.graph.neighbours([passage.id], KINDS)
        ids = {end for link in links for end in (link.source, link.target)}
        ids -= {known.id for known in visited}
        return sorted(ids if within is None else ids & set(within))

    def _nearest(
        self, turns: Turns, passage: Passage, beside: list[str], needed: str, limit: int
    ) -> list[Passage]:
        """The neighbours most like what is needed, best first."""
        started, graph = time.perf_counter(), self.parts.graph
        query = self.parts.encoder.encode_queries([needed])[0]
        scored = graph.nearest_passages(query, limit, beside)
        held = graph.passages([s.id for s in scored])
        turns.found |= {held[s.id]: s.score for s in scored}
        lines = "\n".join(f"{s.score:.3f} {held[s.id].title}" for s in scored)
        turns.run.step("neighbours", f"{passage.title}: {needed}", lines, [*held], started)
        return [held[s.id] for s in scored]
