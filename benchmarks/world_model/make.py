"""A small language model of our own, trained on the made-up world of tests/world.

python benchmarks/world_model/make.py [--out FOLDER] [--worlds 24] [--steps 1800]
    [--size large] [--begin world-model-q8_0.gguf] [--threads 2]

Data (what Hoptrail's methods ask in training worlds, and what the symbolic reader says to that),
vocabulary, training, GGUF files (F16, Q8_0), then loss and share of exact replies by task on
held-out worlds. Interrupted, the same command goes on. A GPU is used where there is one. With
--begin a file that was made before learns on, with the vocabulary that it has.

Names of training worlds are made up anew for each and are no test world's; nor is any sentence or
question put as there (templates.py). What was made with which settings: manifest.json.
"""

import argparse
import gc
import hashlib
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

import data
import gguf_file
import torch
import vocabulary
from circuits import put_in
from copying import exercises
from network import SHAPES, Network
from recording import Record
from tokenizers import Tokenizer
from training import Schedule, held_out, train

FIRST, HELD_OUT = 1000, (900, 901)
"""Seeds of training worlds, from the first on, and of held-out ones."""
SPELT_BY = 6  # worlds that the vocabulary is learned from
EXERCISES = 6000


def main() -> None:
    """Make everything that is not there yet."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, default=Path("build/world_model"))
    options.add_argument("--worlds", type=int, default=24)
    options.add_argument("--steps", type=int, default=Schedule.steps)
    options.add_argument("--size", choices=SHAPES, default="small", help="large: 28M, for a GPU")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--begin", type=Path, help="a GGUF file that learns on")
    given = options.parse_args()
    out: Path = given.out
    seeds = range(FIRST, FIRST + given.worlds)
    paths = list(
        _told("world", data.made(out / "worlds", seeds, processes=given.threads), given.worlds)
    )
    how = Schedule(steps=given.steps)
    alone = list(exercises(how.seed, EXERCISES))
    torch.manual_seed(how.seed)
    if given.begin:
        how = replace(how, copying=0, easy=0)
        network, tokenizer = gguf_file.read(given.begin)
    else:
        network, tokenizer = Network(SHAPES[given.size]), _vocabulary(out, paths, alone)
        put_in(network)
    batches = data.batched(map(data.told, paths), tokenizer)
    practice = data.batched([alone], tokenizer)
    gc.freeze()  # millions of rows, which nothing frees
    train(network, batches, practice, how, out, given.threads)
    f16 = gguf_file.write(network, tokenizer, out / "world-model-f16.gguf")
    q8 = gguf_file.quantised(f16, out / "world-model-q8_0.gguf")
    held = data.batched(map(data.read, data.made(out / "worlds", HELD_OUT)), tokenizer)
    tasks = held_out(network, held)
    for task, (loss, exact, count) in tasks.items():
        print(f"{loss:7.3f} {exact:7.1%} {count:5}  {task}")
    manifest = {
        "data": {
            "seeds": [FIRST, FIRST + given.worlds - 1],
            "exercises": EXERCISES,
            "records": sum(len(row.ends) for of in batches.values() for b in of for row in b.rows),
        },
        "shape": asdict(network.shape),
        "parameters": sum(parameter.numel() for parameter in network.parameters()),
        "training": asdict(how) | ({"begun with": _described(given.begin)} if given.begin else {}),
        "held out": {
            "seeds": HELD_OUT,
            "by task": {
                task: {"loss": round(loss, 4), "exact": round(exact, 4), "replies": count}
                for task, (loss, exact, count) in tasks.items()
            },
        },
        "files": {path.name: _described(path) for path in (f16, q8)},
        "made with": {"torch": torch.__version__},
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False)
    (out / "manifest.json").write_text(text + "\n", encoding="utf-8")
    print(f"{q8}: {os.path.getsize(q8)} bytes")


def _vocabulary(out: Path, worlds: Sequence[Path], alone: Sequence[Record]) -> Tokenizer:
    """The folder's, learned once."""
    spelt = out / "vocabulary.json"
    if not spelt.exists():
        told = chain.from_iterable(map(data.read, worlds[:SPELT_BY]))
        vocabulary.learned(data.texts(chain(told, alone))).save(str(spelt))
    return vocabulary.opened(spelt)


def _told(what, things, count):  # noqa: ANN001, ANN202 - a generator goes through
    for number, thing in enumerate(things, 1):
        print(f"{what} {number}/{count}", flush=True)
        yield thing


def _described(path: Path) -> dict[str, object]:
    content = path.read_bytes()
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


if __name__ == "__main__":
    main()
