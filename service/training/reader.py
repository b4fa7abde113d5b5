"""The work of `train reader`: fit, with progress."""

from collections.abc import Sequence
from pathlib import Path

from ...kg.types import Statement
from ...reasoning.fitted import Fitted
from ...reasoning.reader import ReaderPassage, Weights
from ...reasoning.training.reader import READ, Find, train
from ..console.progress import progress_bar
from ..hoptrail import Hoptrail
from ..settings import Settings


def train_reader(settings: Settings, files: Sequence[Path]) -> Fitted[Weights]:
    """Fit the reader's weights to question files, weighted alike.

    Questions without paragraphs are read from what is found in the graph.
    """
    hop = Hoptrail.of(settings)
    with progress_bar() as progress:
        task = progress.add_task("Reading questions", total=None)
        return train(
            files,
            hop.pipeline,
            lambda done, total: progress.update(task, completed=done, total=total),
            finding(hop),
        )


def finding(hop: Hoptrail) -> Find:
    """Find passages as `ask` does."""

    def find(question: str) -> list[ReaderPassage]:
        hits = hop.search(question, limit=READ)
        stated: dict[str, list[Statement]] = {hit.passage.id: [] for hit in hits}
        for one in sorted(hop.store.triples_of(stated), key=_place):
            stated[one.passage_id].append(one)
        return [ReaderPassage(h.passage, stated[h.passage.id], h.score) for h in hits]

    return find


def _place(statement: Statement) -> tuple[float, str]:
    start = float("inf") if statement.start is None else statement.start
    return start, statement.triple.id
