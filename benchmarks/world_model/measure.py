"""What methods come to on the trained model, in the test world.

python benchmarks/world_model/measure.py [MODEL] [--questions 35] [--methods SPEC …] [--noise 0.3]
    [--whole]

A line a method: share of answerable questions answered exactly with its 95 % interval, by hops,
share of the others that were given up, calls and tokens a question; then the symbolic reader that
errs on this share of the facts it looks at: unless another is named, as often as the model that
lies here did when it was asked for one fact in held-out worlds. Among each question's own 20
passages, or with --whole in the whole graph. MODEL is a GGUF file, the one that lies here if none
is named.
"""

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from asking import SPECS, Opened, Tally, ask, ground, interval
from world import Question, SymbolicReader

from hoptrail.models.language import LanguageModel
from hoptrail.models.llama.model import LlamaCpp

HERE = Path(__file__).parent / "world-model-q8_0.gguf"
ONE_FACT = "Tell the answer of one sub-question on the way to the answer of a question."
"""The task whose reply is one value that the passages shown tell, or "unknown"."""


def error_rate() -> float:
    """How often such a reply was not the right one, in held-out worlds."""
    manifest = json.loads(HERE.with_name("manifest.json").read_text(encoding="utf-8"))
    return 1 - manifest["held out"]["by task"][ONE_FACT]["exact"]


def line(spec: str, tally: Tally) -> str:
    """A method's line."""
    right, count = tally.right()
    low, high = interval(right, count)
    hops = "".join(f" {r:3}/{n:<3}" for r, n in map(tally.right, (2, 3, 4)))
    gave, silent = tally.given_up
    share, tokens = right / max(1, count), tally.mean("tokens_in") + tally.mean("tokens_out")
    return (
        f"{spec:44} {share:6.1%} [{low:4.0%},{high:4.0%}] {hops} {gave:3}/{silent:<3}"
        f"{tally.mean('calls'):6.1f}{tokens:8.0f}"
    )


def tallied(
    model: LanguageModel, opened: Opened, asked: list[Question], spec: str, own: bool
) -> Tally:
    """Ask all."""
    return Tally([(q, ask(opened(model), spec, q, own)) for q in asked])


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("model", nargs="?", type=Path, default=HERE)
    options.add_argument("--questions", type=int, default=35)
    options.add_argument("--methods", nargs="*", default=SPECS)
    options.add_argument("--noise", type=float, default=error_rate())
    options.add_argument("--whole", action="store_true")
    options.add_argument("--graph", type=Path, default=Path("build/world_model"))
    given = options.parse_args()
    given.graph.mkdir(parents=True, exist_ok=True)
    llama = LlamaCpp(given.model, context=4096)
    reader = SymbolicReader(given.noise)
    with ground(given.graph) as (opened, asked):
        print(f"{'':44} {'EM':>6} {'95 %':>11}   2 hops  3 hops  4 hops  unknown calls  tokens")
        for spec in given.methods:
            few = asked[: given.questions]
            print(line(spec, tallied(llama, opened, few, spec, not given.whole)), flush=True)
            told = tallied(reader, opened, few, spec, not given.whole)
            print(line(f"    symbolic reader, {given.noise:.0%} wrong", told), flush=True)


if __name__ == "__main__":
    main()
