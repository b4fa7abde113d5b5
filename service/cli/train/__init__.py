"""The commands that fit: train reader, spans, gnn-ret, ranker, knowtrace; train forget."""

import click

from .forget import forget
from .gnn_ret import gnn_ret
from .knowtrace import train_knowtrace
from .ranker import train_ranker
from .reader import reader, spans


@click.group(commands=[reader, spans, gnn_ret, train_ranker, train_knowtrace, forget])
def train() -> None:
    """Fit parameters on your own labelled questions."""
