"""The work of `train spans`: fit, with progress, and write the weights."""

import datetime
import functools
import json
from collections.abc import Sequence
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from rich.progress import Progress, TaskID

from ...loaders.questions.question import Paragraph, Question
from ...reasoning.evaluation.runs.manifest import content_hash
from ...reasoning.training.reader import Find, source_of
from ..console.progress import progress_bar
from ..hoptrail import Hoptrail
from ..settings import Settings
from .reader import finding

if TYPE_CHECKING:
    from ...reasoning.training.spans import OnStep, Schedule


def train_spans(
    settings: Settings,
    files: Sequence[Path],
    how: "Schedule",
    out: Path,
    begin: Path | None = None,
    teacher: Path | None = None,
) -> dict[str, object]:
    """Fit weights to question files and write them; return where they come from.

    Questions without paragraphs are read from what is found in the graph.

    Args:
        begin: weights to go on from.
        teacher: a folder of a larger network, which learns first and then teaches.

    Raises:
        SourceError: a file can't be read.
        ModelMissing: `begin` or `teacher` can't be read.
        BadRequest: no question's answer stands in its paragraphs, or `begin` is another
            encoder's or an older version's, or the teacher has other words, or the loss becomes
            no number.
    """
    from ...models.span_reader import SpanReader
    from ...models.span_weights import read_weights, write_weights
    from ...reasoning.training.lures import lured
    from ...reasoning.training.spans import taught, teaching, train

    sources = [source_of(path) for path in files]
    known = read_weights(begin) if begin is not None else None
    find = finding(Hoptrail.of(settings))
    asked = [with_found(question, find) for source in sources for question in source.questions]
    with progress_bar() as progress:
        if how.drawing.lured:
            reading = progress.add_task("Reading for lures", total=None)
            asked = lured(asked, SpanReader(), functools.partial(_read, progress, reading))

        def telling(what: str) -> "OnStep":
            task = progress.add_task(what, total=how.steps)
            return lambda done, _, loss: progress.update(
                task, completed=done, description=f"{what} (loss {loss:.2f})"
            )

        larger = None
        if teacher is not None:
            larger = taught(asked, teaching(how), teacher, telling("Training the teacher"))
        weights = train(asked, how, telling("Training"), known, larger)
    provenance = {
        "files": [
            {"name": s.name, "sha256": s.sha256, "questions": len(s.questions)} for s in sources
        ],
        "steps": how.steps,
        **({"begun": content_hash(begin)} if begin is not None else {}),
        **({"teacher": teacher.name} if teacher is not None else {}),
        "version": metadata.version("hoptrail"),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }
    write_weights(weights, out, {"provenance": json.dumps(provenance)})
    return provenance


def _read(progress: Progress, task: TaskID, done: int, total: int) -> None:
    progress.update(task, completed=done, total=total)


def with_found(question: Question, find: Find) -> Question:
    """Give a question without paragraphs those found for it: which have its answer support it."""
    if question.paragraphs:
        return question
    golds = [said for said in (question.answer, *question.aliases) if said]
    found = (one.passage for one in find(question.question))
    paragraphs = tuple(
        Paragraph(
            ", ".join(filter(None, (passage.title, passage.heading))),
            passage.text,
            is_supporting=any(said in passage.text for said in golds),
        )
        for passage in found
    )
    return replace(question, paragraphs=paragraphs)
