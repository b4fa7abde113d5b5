"""Knowledge-graph prompting: a model walks the passage graph (Wang et al. 2024)."""

import time
from dataclasses import dataclass
from typing import ClassVar

from ....kg.answers import Answer
from ....kg.types import LinkKind, Passage
from ...registry import Count, Passages
from ...replies.sentences import needed
from ...session.session import Filling, Session

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
    """

    name: ClassVar[str] = "kgp"
    seeds: Passages = 10
    branches: Count = 3
    passages: Passages = 40

    def answer(self, session: Session) -> Answer:
        visited = session.retrieve(session.question, min(self.seeds, self.passages))
        paths = [[seed] for seed in visited]
        while paths and len(visited) < self.passages and not session.spent:
            count = self._certain(session, paths, visited)
            paths = paths[count:] + self._grown(session, paths[:count], visited)
        return session.answered(session.read(visited))

    def _certain(self, session: Session, paths: list[list[Passage]], visited: list[Passage]) -> int:
        """How many paths, from the first on, are asked about whatever the others bring.

        They go side by side: as many as the room for passages takes, each with neighbours that none
        of those before it has.
        """
        taken, asked = set[str](), 0
        for count, path in enumerate(paths):
            beside = set(_beside(session, path[-1], visited))
            full = len(visited) + asked * self.branches >= self.passages
            if beside and (full or beside <= taken):
                return count
            taken |= beside
            asked += bool(beside)
        return len(paths)

    def _grown(
        self, session: Session, paths: list[list[Passage]], visited: list[Passage]
    ) -> list[list[Passage]]:
        """The paths that go on, each by a passage, which is put behind the one it comes from."""
        paths = [path for path in paths if _beside(session, path[-1], visited)]
        said = session.ask_each("kgp/needed", [Filling(path) for path in paths])
        grown: list[list[Passage]] = []
        for path, evidence in zip(paths, said, strict=True):
            if missing := needed(evidence.text) if evidence else "":
                beside = _beside(session, path[-1], visited)
                limit = min(self.branches, self.passages - len(visited))
                found = _nearest(session, path[-1], beside, missing, limit)
                place = visited.index(path[-1]) + 1
                visited[place:place] = found
                grown += [[*path, passage] for passage in found]
        return grown


def _beside(session: Session, passage: Passage, visited: list[Passage]) -> list[str]:
    """Ids of neighbours that are not visited yet."""
    links = session.graph.neighbours([passage.id], KINDS)
    ids = {end for link in links for end in (link.source, link.target)}
    ids -= {known.id for known in visited}
    return sorted(ids if session.within is None else ids & set(session.within))


def _nearest(
    session: Session, passage: Passage, beside: list[str], needed: str, limit: int
) -> list[Passage]:
    """The neighbours most like what is needed, best first."""
    started, graph = time.perf_counter(), session.graph
    query = session.encoder.encode_queries([needed])[0]
    scored = graph.nearest_passages(query, limit, beside)
    held = graph.passages([s.id for s in scored])
    session.found |= {held[s.id]: s.score for s in scored}
    lines = "\n".join(f"{s.score:.3f} {held[s.id].title}" for s in scored)
    session.steps.add("neighbours", f"{passage.title}: {needed}", lines, [*held.values()], started)
    return [held[s.id] for s in scored]
