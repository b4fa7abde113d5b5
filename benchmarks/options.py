"""What keeping the shared prefix gains when options are scored: `python benchmarks/options.py`.

One question of TRACE: prompts of a 1,200-token prefix and a tail of 150 to 300 tokens, 5 beams in
each of 4 steps, 21 options. Once as `choose` does it, once with every prompt decoded whole. The
weights are random, about 100M of them in F32; their values do not matter for the time.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.gguf_model import LETTERS, write_model

from hoptrail.models.language import LogProbabilities
from hoptrail.models.llama.model import LlamaCpp

PREFIX_TOKENS, TAIL_TOKENS = 1200, (150, 300)
BEAMS, STEPS = 5, 4
OPTIONS = LETTERS[:21]
Result = TypeVar("Result")
WORDS = "river town composer born Bergen lies in Norway crosses where the was author of".split()


def words_of(model: LlamaCpp, tokens: int, chance: random.Random) -> str:
    """Words that take at most so many tokens, and hardly fewer."""
    words = chance.choices(WORDS, k=tokens)
    while (excess := model.count_tokens(" ".join(words)) - tokens) > 0:
        del words[-max(1, excess // 8) :]
    return " ".join(words)


def seconds(work: Callable[[], Result]) -> tuple[float, float, Result]:
    """Of processor and clock, and what the work gave."""
    clock, processor = time.perf_counter(), time.process_time()
    result = work()
    return time.process_time() - processor, time.perf_counter() - clock, result


def main() -> None:
    """Print both times and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, help="a GGUF file, in place of random weights")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = given.model or write_model(
            Path(folder) / "random-100m.gguf",
            layers=12,
            width=768,
            heads=12,
            feed_forward=2048,
            vocabulary=8192,
            text=" ".join(WORDS) * 9,
        )
        kept, whole = (LlamaCpp(path, threads=given.threads) for _ in range(2))
        measure(kept, whole, os.path.getsize(path))


def measure(model: LlamaCpp, other: LlamaCpp, size: int) -> None:
    """One question, each step both ways in turn, so that a busy machine slows both alike."""
    chance = random.Random(0)
    end = "\nAnswer:"
    shortest, longest = (n - model.count_tokens(end) for n in TAIL_TOKENS)
    prefix = words_of(model, PREFIX_TOKENS - 1, chance) + "\n"

    def whole(tails: list[str]) -> LogProbabilities:
        rows = []
        for tail in tails:
            other.choose("Something else, so that nothing is kept:", [""], OPTIONS)
            rows.append(other.choose("", [prefix + tail], OPTIONS).log_probabilities)
        return np.vstack(rows)

    for one in (model, other):
        one.choose("Load and warm up:", [""], OPTIONS)
    print(f"{model.name}, {size >> 20} MiB, {model.layers_on_gpu} layers on the GPU")
    total, difference = np.zeros((2, 2)), 0.0
    for _ in range(STEPS):
        lengths = [chance.randint(shortest, longest) for _ in range(BEAMS)]
        tails = [words_of(model, n, chance) + end for n in lengths]
        *fast, kept = seconds(lambda tails=tails: model.choose(prefix, tails, OPTIONS))
        *slow, read = seconds(lambda tails=tails: whole(tails))
        total += [fast, slow]
        difference = max(difference, float(np.abs(kept.log_probabilities - read).max()))
    for name, (processor, clock) in zip(("kept", "whole"), total, strict=True):
        print(f"{name:6}{clock / BEAMS / STEPS:8.3f} s a prompt, {processor:6.1f} s of processor")
    processor, clock = total[1] / total[0]
    print(f"ratio {clock:8.1f} by the clock, {processor:6.1f} of processor")
    print(f"largest difference of a log-probability {difference:.1g}")


if __name__ == "__main__":
    main()
