"""The work of `train ranker`: fit, measure on held-out questions, keep with the graph."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from rich.progress import Progress

from ...kg.errors import BadRequest
from ...loaders.questions.files import Question
from ...reasoning.fitted import Fitted
from ...reasoning.retrieval.hop import Hop
from ...reasoning.retrieval.ranker import RANKER, RankerParameters
from ...reasoning.training.ranker import CUT, Example, Training, Worth, examples, fit, steps
from ..console.progress import progress_bar
from ..evaluation.graphs import question_sets, temporary_graph
from ..evaluation.tables import Table, difference
from ..graph.parameters import keep, require_passages, source
from ..hoptrail import Hoptrail
from ..settings import Settings


@dataclass(frozen=True, slots=True)
class TrainedRanker:
    """A fitted ranker, and what it is worth on each file's questions.

    Args:
        without: how many questions of a file were left out, as the graph holds no supporting
            paragraph of theirs; only files with some.
    """

    fitted: Fitted[RankerParameters]
    worth: Sequence[Worth]
    without: Mapping[str, int]


def train_ranker(
    settings: Settings,
    files: Sequence[Path],
    training: Training,
    *,
    fixed_graph: bool,
    out: Path | None = None,
) -> TrainedRanker:
    """Fit a ranker of all files, kept with the graph of the settings, or in `out` alone.

    Args:
        fixed_graph: fit over the graph of the settings, which holds the questions' paragraphs,
            instead of a temporary one for each file.
        out: a file for the same JSON.

    Raises:
        BadRequest: nothing to keep it in, a file without questions, or too few of them.
        EmptyGraph: the graph holds nothing.
        EncoderMismatch: the graph was made with another encoder.
        SourceError: a record can't be read.
    """
    if not fixed_graph and out is None:
        raise BadRequest(
            "Nothing would keep the ranker: name the graph that holds the paragraphs "
            "(hoptrail --graph WHERE train …), or a file (--out FILE)."
        )
    training.chosen  # noqa: B018 - refuses trees that can't be fitted before the work
    tools, sets = Hoptrail.of(settings), question_sets(files)
    seen: dict[str, list[Example]] = {}
    with tools:
        if fixed_graph:
            require_passages(tools.store)
        for name, (file, questions) in sets.items():
            graph = nullcontext(tools) if fixed_graph else temporary_graph(tools, [file])
            with graph as hop, progress_bar() as progress:
                seen[name] = _look(hop, questions, name, progress)
        used = {name: found for name, found in seen.items() if found}
        sources = [source(sets[name][0]) | {"questions": len(used[name])} for name in used]
        with progress_bar() as progress:
            task = progress.add_task("Fitting, and measuring", total=steps(training, len(used)))
            retriever, every = Hop(tools.store, tools.encoder), list(chain(*used.values()))
            fitted, worth = fit(every, retriever, training, sources, lambda: progress.advance(task))
        if fixed_graph:
            keep(tools.store, tools.encoder.fingerprint, RANKER, fitted)
    if out:
        RANKER.save(fitted, out)
    without = {name: len(sets[name][1]) - len(found) for name, found in seen.items()}
    return TrainedRanker(fitted, worth, {name: count for name, count in without.items() if count})


def load_ranker(settings: Settings, file: Path) -> None:
    """Keep with the graph what `train ranker --out FILE` wrote.

    Raises:
        BadRequest: the file holds something else.
        EmptyGraph: the graph holds nothing.
        EncoderMismatch: it was fitted with another encoder than the graph's.
    """
    fitted = RANKER.load(file)
    with Hoptrail.of(settings.existing()) as hop:
        require_passages(hop.store)
        RANKER.check(fitted, hop.check_encoder().fingerprint, str(file))
        keep(hop.store, hop.encoder.fingerprint, RANKER, fitted)


def ranker_record(found: TrainedRanker) -> dict[str, Any]:
    """Return plain values: provenance, recall on held-out questions, how many were left out."""
    return {
        "provenance": found.fitted.provenance,
        "held_out": list(map(asdict, found.worth)),
        "left_out": dict(found.without),
    }


def ranker_table(worth: Sequence[Worth]) -> Iterator[str]:
    """Yield lines: recall of held-out questions, in %, file by file."""
    header = ["questions of", "", f"hop, recall@{CUT}", "ranker", "gain, 95 %"]
    rows = [_row(one) for one in worth]
    if len(worth) > 1:
        header.append("gain, fitted to the other files only")
    yield from Table(tuple(header), rows).lines()


def verdict(found: TrainedRanker) -> Iterator[str]:
    """Yield sentences that say what the figures mean, and what they do not."""
    for name, count in found.without.items():
        yield f"{name}: {count:,} questions left out; no supporting paragraph is in the graph."
    yield (
        "Measured on questions that the ranker was not fitted to. It holds for questions of this "
        "kind over documents of this kind: on others, measure before you use it."
    )
    for one in found.worth:
        name = one.source
        if one.gain.low <= 0:
            yield f"{name}: no gain over hop that {one.questions:,} questions can show."
        if one.without is not None and one.without.low <= 0:
            how = "loses there" if one.without.high < 0 else "gains nothing there for sure"
            yield f"{name}: does not transfer; what is fitted to the other files {how}."


def _row(one: Worth) -> list[str]:
    shares = [f"{100 * share:.1f}" for share in (one.hop, one.ranker)]
    row = [one.source, f"{one.questions:,}", *shares, " ".join(difference(one.gain))]
    return [*row, " ".join(difference(one.without))] if one.without is not None else row


def _look(
    hop: Hoptrail, questions: Sequence[Question], name: str, progress: Progress
) -> list[Example]:
    task = progress.add_task(f"{name}: looking", total=len(questions))
    encoder = hop.check_encoder()
    return examples(hop.store, encoder, questions, name, lambda: progress.advance(task))
