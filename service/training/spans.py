"""The work of `train spans`: fit, with progress, and write the adapter."""

import datetime
import json
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

from ...reasoning.training.reader import source_of
from ..console.progress import progress_bar
from ..settings import Settings


def train_spans(
    settings: Settings, files: Sequence[Path], steps: int, out: Path
) -> dict[str, object]:
    """Fit an adapter to question files and write it; return where it comes from.

    Raises:
        SourceError: a file can't be read.
        BadRequest: no question's answer stands in its paragraphs.
    """
    from safetensors.torch import save_file

    from ...reasoning.training.spans import Schedule, train

    sources = [source_of(path) for path in files]
    asked = [question for source in sources for question in source.questions]
    with progress_bar() as progress:
        task = progress.add_task("Training", total=steps)

        def told(done: int, total: int, loss: float) -> None:
            progress.update(task, completed=done, description=f"Training (loss {loss:.2f})")

        adapter = train(asked, Schedule(steps=steps), told)
    provenance = {
        "files": [
            {"name": s.name, "sha256": s.sha256, "questions": len(s.questions)} for s in sources
        ],
        "steps": steps,
        "version": metadata.version("hoptrail"),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }
    part = out.with_name(out.name + ".part")
    save_file(adapter, part, {"provenance": json.dumps(provenance)})
    part.replace(out)
    return provenance
