"""How far the trained model can be relied on, on prompts of held-out worlds.

python benchmarks/world_model/checks.py FOLDER [MODEL] [--each 6] [--server openai:URL#name]
    [--plot FILE]

FOLDER is what make.py wrote into. Printed are, over so many prompts of each task: exact replies;
how sure the model was of replies and of options, against how often they were right (tables of
reliability, which --plot draws, expected calibration error); whether a prompt read after one that
begins alike gets the reply that it gets after a wholly other one; the same from Q8_0 as from F16;
and, with --server, from a server of the same file as in this process.
"""

import argparse
import itertools
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

import data
import numpy as np
from make import HELD_OUT
from recording import Record

from hoptrail.models.language import Completion, Decoding, LanguageModel
from hoptrail.models.llama.model import LlamaCpp
from hoptrail.models.opening import open_model

Judged = tuple[float, bool]
"""How sure the model was, and whether it was right."""
BINS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.97, 1.0)
LONG = Decoding(max_tokens=400)
OTHER = "Say nothing."
OPTIONS = 120  # choices, at least
SHOWN = 60  # characters of replies that differ


def everything(folder: Path) -> list[Record]:
    """All records of the held-out worlds."""
    paths = data.made(folder / "worlds", HELD_OUT)
    return [record for path in paths for record in data.read(path)]


def sample(folder: Path, each: int) -> list[Record]:
    """So many records of each task, spread over the held-out worlds."""
    every = sorted(everything(folder), key=lambda record: record.task)
    chosen = []
    for _, group in itertools.groupby(every, key=lambda record: record.task):
        of = list(group)
        chosen += of[:: max(1, len(of) // each)][:each]
    return chosen


def said(model: LanguageModel, records: Sequence[Record]) -> list[Completion]:
    """What the model replies to each."""
    return [model.generate([record.prompt], LONG)[0] for record in records]


def options(model: LanguageModel, records: Sequence[Record]) -> Iterator[Judged]:
    """The probability of the option that is taken, and whether it is as good as any."""
    for record in records:
        letters, shares = zip(*record.said, strict=True)
        [row] = model.choose(record.prompt, [""], letters).log_probabilities
        best = int(row.argmax())
        yield float(np.exp(row[best])), shares[best] >= max(shares) - 1e-9


class Bin(NamedTuple):
    """Those between two bounds: how many, how sure of them, and how often right, on average."""

    low: float
    high: float
    count: int
    sure: float
    right: float


def binned(judged: Sequence[Judged]) -> Iterator[Bin]:
    """The bins that are not empty."""
    for low, high in itertools.pairwise(BINS):
        inside = [one for one in judged if low < one[0] <= high or low == one[0] == 0]
        if inside:
            sure = sum(one[0] for one in inside) / len(inside)
            yield Bin(low, high, len(inside), sure, sum(one[1] for one in inside) / len(inside))


def reliability(judged: Sequence[Judged]) -> Iterator[str]:
    """A line for each bin, then the expected calibration error (Guo et al. 2017)."""
    error = 0.0
    for low, high, count, sure, right in binned(judged):
        error += abs(sure - right) * count / len(judged)
        yield f"  {low:4.2f} to {high:4.2f} {count:5} {sure:6.2f} {right:6.2f}"
    yield f"  expected calibration error {error:.3f} over {len(judged)}"


def drawn(path: Path, judged: Mapping[str, Sequence[Judged]]) -> None:
    """Draw how often they were right against how sure the model was (needs hoptrail[plot])."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.2, 4), layout="constrained")
    axes = figure.add_subplot(xlabel="sure", ylabel="right", xlim=(0, 1), ylim=(0, 1))
    axes.plot((0, 1), (0, 1), color="0.8")
    for name, of in judged.items():
        bins = list(binned(of))
        axes.plot([b.sure for b in bins], [b.right for b in bins], "o-", label=f"{name}, {len(of)}")
    axes.legend(frameon=False)
    figure.savefig(path)


def same(one: Sequence[Completion], other: Sequence[Completion]) -> str:
    """How many replies are alike, how far the log-probabilities of those lie apart, the others."""
    alike = [(a, b) for a, b in zip(one, other, strict=True) if a.text == b.text]
    logs = [(a.log_probability, b.log_probability) for a, b in alike]
    apart = [abs(a - b) for a, b in logs if a is not None and b is not None]
    most = max(apart, default=0.0)
    lines = [f"{len(alike)} of {len(one)} alike; log-probabilities at most {most:.2g} apart"]
    for a, b in zip(one, other, strict=True):
        if a.text != b.text:
            pairs = enumerate(zip(a.text, b.text, strict=False))
            parts = next((n for n, (x, y) in pairs if x != y), min(len(a.text), len(b.text)))
            at = max(0, parts - 20)
            lines.append(f"  {a.text[at : at + SHOWN]!r} | {b.text[at : at + SHOWN]!r}")
    return "\n".join(lines)


def main() -> None:
    """Print all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("model", nargs="?", type=Path)
    parser.add_argument("--each", type=int, default=6)
    parser.add_argument("--server")
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    small = given.model or given.folder / "world-model-q8_0.gguf"
    records = sample(given.folder, given.each)
    told = [record for record in records if len(record.said) == 1]
    model = LlamaCpp(small, context=4096)
    replies = said(model, told)
    right = [a.text.strip() == r.said[0][0].strip() for a, r in zip(replies, told, strict=True)]
    for task, group in itertools.groupby(zip(told, right, strict=True), key=lambda o: o[0].task):
        hits = [hit for _, hit in group]
        print(f"{sum(hits):3} of {len(hits):3}  {task}")
    print(f"replies: {sum(right)} of {len(right)} exact; sure of them, and right:")
    judged = list(zip([a.confidence() or 0.0 for a in replies], right, strict=True))
    print("\n".join(reliability(judged)))
    print("options:")
    every = [record for record in everything(given.folder) if len(record.said) > 1]
    chosen = every[:: max(1, len(every) // OPTIONS)]
    letters = list(options(model, chosen))
    print("\n".join(reliability(letters)))
    if given.plot:
        drawn(given.plot, {"replies": judged, "options": letters})
    again = [model.generate([OTHER, record.prompt], LONG)[1] for record in told]
    print("after another prompt:", same(replies, again))
    large = LlamaCpp(given.folder / "world-model-f16.gguf", context=4096)
    print("F16:", same(replies, said(large, told)))
    if given.server:
        served = open_model(given.server)
        assert served is not None
        print("served:", same(replies, said(served, told)))


if __name__ == "__main__":
    main()
