"""Saved runs side by side: the same questions in one order, each run under its own name."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from ....kg.errors import BadRequest
from ..metrics.intervals import require_same_questions
from .results import AnswerResult
from .saved_runs import SavedRun

Trait = Callable[[SavedRun], str]


def side_by_side(runs: Sequence[SavedRun]) -> list[AnswerResult]:
    """Line up results: those of the same data are one dataset, in order of the first run.

    A result's method is the run's label: see `labels`.

    Raises:
        BadRequest: runs of a dataset can't be compared, or what was named shares no questions.
    """
    first = dict[str, SavedRun]()
    results = []
    for run, label in zip(runs, labels(runs), strict=True):
        base = first.setdefault(_data(run), run)
        alike = _aligned(run, base) if run is not base else run.result
        results.append(replace(alike, dataset=_in_a_line(base.result.dataset), method=label))
    _require_distinct(list(first.values()))
    _require_shared(runs)
    return results


def labels(runs: Sequence[SavedRun]) -> list[str]:
    """Label each result by its method, and by what tells several of one method apart.

    That is as little as does: model, retriever, encoder, version, two of these, the folder.
    """
    found = [run.result.method for run in runs]
    for method in dict.fromkeys(found):
        those = [at for at, run in enumerate(runs) if run.result.method == method]
        alike = [runs[at] for at in those]
        if not _distinct([(_data(run),) for run in alike]):
            for at, apart in zip(those, _apart(alike), strict=True):
                found[at] = ", ".join((method, *apart))
    return list(map(_in_a_line, found))


def _in_a_line(name: str) -> str:
    """Files may have any name."""
    return " ".join(name.split())


def _apart(runs: Sequence[SavedRun]) -> list[tuple[str, ...]]:
    for traits in _choices():
        apart = [tuple(trait(run) for trait in traits) for run in runs]
        if _distinct([(_data(run), *one) for run, one in zip(runs, apart, strict=True)]):
            return apart
    return [(str(run.lines),) for run in runs]


def _choices() -> Iterator[tuple[Trait, ...]]:
    for size in (1, 2):
        yield from itertools.combinations((_model, _retriever, _encoder, _version), size)
    yield from ((_folder,), (_whole_folder,), (_stem,))


def _model(run: SavedRun) -> str:
    """Its name without folder and ending."""
    model = run.result.manifest["model"]
    return PurePath(model["name"]).name.removesuffix(".gguf") if model else "no model"


def _retriever(run: SavedRun) -> str:
    return run.result.manifest["retriever"]


def _encoder(run: SavedRun) -> str:
    return str((run.result.manifest["graph"].get("encoder") or {}).get("name"))


def _version(run: SavedRun) -> str:
    return str(run.result.manifest.get("hoptrail"))


def _folder(run: SavedRun) -> str:
    return run.lines.resolve().parent.name


def _whole_folder(run: SavedRun) -> str:
    return str(run.lines.parent)


def _stem(run: SavedRun) -> str:
    return run.lines.stem


def _distinct(keys: Sequence[Any]) -> bool:
    return len(set(keys)) == len(keys)


def _data(run: SavedRun) -> str:
    return run.result.manifest["data"]["sha256"]


def _aligned(run: SavedRun, base: SavedRun) -> AnswerResult:
    """With the questions in the order of the other's."""
    by_id = {one.id: one for one in run.result.each}
    ids = [one.id for one in base.result.each]
    if by_id.keys() != set(ids):
        require_same_questions(list(by_id), ids)
    result = replace(run.result, each=[by_id[id_] for id_ in ids])
    if different := result.unlike(base.result):
        raise BadRequest(
            f"{run.lines} can't be compared with {base.lines}: {different}. Measure both alike."
        )
    return result


def _require_distinct(firsts: Sequence[SavedRun]) -> None:
    """Refuse two files of one name: the questions changed between the runs, or are others."""
    for one, other in itertools.combinations(firsts, 2):
        if one.result.dataset == other.result.dataset:
            raise BadRequest(
                f"{one.lines} and {other.lines} can't be compared: {one.result.dataset} held "
                "other data then, or is another file of that name. Measure both on one file."
            )


def _require_shared(runs: Sequence[SavedRun]) -> None:
    """Refuse what was named to be compared and shares no questions with anything else."""
    data = {run.place: set[str]() for run in runs}
    for run in runs:
        data[run.place].add(_data(run))
    for place, of_this in data.items():
        others = {other: more for other, more in data.items() if other != place}
        if others and not any(of_this & more for more in others.values()):
            raise BadRequest(
                f"Only runs over the same question file can be compared, and {place} shares none "
                f"with {', '.join(map(str, others))}. Compare it with runs over its own."
            )
