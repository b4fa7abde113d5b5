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

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from gguf_model import LETTERS, write_model

from hoptrail.models.language import LogProbabilities
from hoptrail.models.llama_cpp import LlamaCpp

PREFIX_TOKENS, TAIL_TOKENS = 1200, (150, 300)
BEAMS, STEPS = 5, 4
OPTIONS = LETTERS[:21]
WORDS = "river town composer born Bergen lies in Norway crosses where the was author of".split()


def words_of(model: LlamaCpp, tokens: int, chance: random.Random) -> str:
    """Words that take about so many tokens."""
    a_word = model.count_tokens(" ".join(WORDS)) / len(WORDS)
    return " ".join(chance.choices(WORDS, k=round(tokens / a_word)))


def seconds(work: Callable[[], LogProbabilities]) -> tuple[float, float, LogProbabilities]:
    """Of processor and clock."""
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
        measure(LlamaCpp(path, threads=given.threads, exact_memory=True), os.path.getsize(path))


def measure(model: LlamaCpp, size: int) -> None:
    """One question both ways."""
    chance = random.Random(0)
    prefix = words_of(model, PREFIX_TOKENS, chance) + "\n"
    steps = [
        [words_of(model, chance.randint(*TAIL_TOKENS), chance) + "\nAnswer:" for _ in range(BEAMS)]
        for _ in range(STEPS)
    ]

    def kept() -> LogProbabilities:
        return np.vstack(
            [model.choose(prefix, tails, OPTIONS).log_probabilities for tails in steps]
        )

    def whole() -> LogProbabilities:
        rows = []
        for tail in (tail for tails in steps for tail in tails):
            model.choose("Another prompt, so that nothing is kept:", [""], OPTIONS)
            rows.append(model.choose("", [prefix + tail], OPTIONS).log_probabilities)
        return np.vstack(rows)

    model.choose("Load and warm up:", [""], OPTIONS)
    print(f"{model.name}, {size >> 20} MiB, {model.layers_on_gpu} layers on the GPU")
    fast, fast_clock, one = seconds(kept)
    slow, slow_clock, other = seconds(whole)
    for name, clock, processor in (("kept", fast_clock, fast), ("whole", slow_clock, slow)):
        print(f"{name:6}{clock / BEAMS / STEPS:8.3f} s a prompt, {processor:6.1f} s of processor")
    print(f"ratio {slow_clock / fast_clock:8.1f} by the clock, {slow / fast:6.1f} of processor")
    print(f"largest difference of a log-probability {np.abs(one - other).max():.1g}")


if __name__ == "__main__":
    main()
