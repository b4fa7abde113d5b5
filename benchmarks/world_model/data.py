"""Records of worlds as files, one a world, and these as batches."""

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from recording import Record, called, records
from renaming import renamed
from rows import Batch, Told, batches
from shortening import shortened
from templates import TRAINING
from tokenizers import Tokenizer
from vocabulary import tokenised
from widening import shown, widened
from world import Language

WIDENED = 10  # questions more to what a prompt shows
ROW, SIZE, LONGEST = 320, 1700, 900
"""Tokens of a row and of a batch; records with more after their beginning are left out."""
UNKNOWN = 0.25
"""Share that is kept of the records that end in "unknown": more than half of what is asked of few
passages, and a network that is not sure of a name learns to say nothing else.
"""
LEARNED_FROM = 1000  # records of a task, for the vocabulary


def made(
    folder: Path, seeds: Iterable[int], language: Language = TRAINING, processes: int = 2
) -> Iterator[Path]:
    """Write the files that are not there yet; give them in order, as they are ready."""
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(_made, ((folder / f"{seed}.jsonl", seed, language) for seed in seeds))


def _made(asked: tuple[Path, int, Language]) -> Path:
    path, seed, language = asked
    if not path.exists():
        part = path.with_suffix(".part")
        with part.open("w", encoding="utf-8") as file:
            for one in _all_records(seed, language):
                file.write(json.dumps(one, ensure_ascii=False) + "\n")
        part.replace(path)
    return path


def _all_records(seed: int, language: Language) -> Iterator[Record]:
    draw, seen = random.Random(f"widening {seed}"), set[tuple[str, str]]()
    for record in shortened(records(seed, language), seed):
        yield record
        key = record.task, shown(record)
        if key[1] and key not in seen:
            seen.add(key)
            yield from widened(record, draw, WIDENED, language)


def read(path: Path) -> Iterator[Record]:
    """The records of a file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            task, prompt, said = json.loads(line)
            yield Record(task, prompt, tuple((text, share) for text, share in said))


def told(path: Path) -> Iterator[Record]:
    """The records of a file that are learned from, of names that are not its world's."""
    draw = random.Random(f"unknown {path.stem}")
    kept = (
        record
        for record in read(path)
        if not record.said[0][0].endswith("unknown") or draw.random() < UNKNOWN
    )
    return renamed(kept, called(int(path.stem)), random.Random(f"renaming {path.stem}"))


def texts(records: Iterable[Record]) -> Iterator[str]:
    """Prompts with replies, so many of each task, for the vocabulary."""
    met: dict[str, int] = defaultdict(int)
    for record in records:
        met[record.task] += 1
        if met[record.task] <= LEARNED_FROM:
            yield record.prompt + record.said[0][0]


def batched(worlds: Iterable[Iterable[Record]], tokenizer: Tokenizer) -> dict[str, Sequence[Batch]]:
    """Batches by task, tasks by name."""
    told: dict[str, list[Told]] = defaultdict(list)
    for records_ in worlds:
        for task, record in _tokens(list(records_), tokenizer):
            told[task].append(record)
    return {t: list(batches(t, told[t], ROW, SIZE, LONGEST)) for t in sorted(told)}


def _tokens(records: Sequence[Record], tokenizer: Tokenizer) -> Iterator[tuple[str, Told]]:
    flat = [(record.prompt, text) for record in records for text, _ in record.said]
    spelt = iter(tokenised(tokenizer, flat))
    for record in records:
        each = [next(spelt) for _ in record.said]
        shares = (share for _, share in record.said)
        said = [(np.array(r, np.uint16), s) for (_, r), s in zip(each, shares, strict=True)]
        yield record.task, (np.array(each[0][0], np.uint16), tuple(said))
