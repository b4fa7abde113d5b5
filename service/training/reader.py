"""The work of `train reader`: fit, with progress."""

from collections.abc import Sequence
from pathlib import Path

from ...reasoning.fitted import Fitted
from ...reasoning.reader import Weights
from ...reasoning.training.reader import train
from ..console.progress import progress_bar
from ..hoptrail import Hoptrail
from ..settings import Settings


def train_reader(settings: Settings, files: Sequence[Path]) -> Fitted[Weights]:
    """Fit the reader's weights to question files, weighted alike."""
    hop = Hoptrail.of(settings)
    with progress_bar() as progress:
        task = progress.add_task("Reading questions", total=None)
        return train(
            files,
            hop.encoder,
            hop.pipeline,
            lambda done, total: progress.update(task, completed=done, total=total),
        )
