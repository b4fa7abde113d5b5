"""How many questions the trained model writes as a graph that GE-Reasoning can use.

python benchmarks/world_model/graphs.py [MODEL] [--data FILE …] [--questions 60]

Of the test world's questions, then of the first of each file: those with a graph in which something
can be asked for, those of which no line had to be left out, and, in the world, those whose graph is
the symbolic reader's.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from asking import Opened, ground
from measure import HERE
from world import SymbolicReader

from hoptrail.loaders.questions.files import read_questions
from hoptrail.models.language import LanguageModel
from hoptrail.models.llama.model import LlamaCpp
from hoptrail.reasoning import methods

SPEC = "ge_reasoning:max_calls=1"
STEP = "ge_reasoning/graph"


def written(model: LanguageModel, opened: Opened, question: str) -> tuple[str, set[str]]:
    """What the model writes, and the steps that tell how it was taken."""
    answer = methods.answer(SPEC, opened(model), question, within=[])
    said = [step.output for step in answer.steps if step.name == STEP]
    return "".join(said), {step.name for step in answer.steps}


def report(name: str, model: LanguageModel, opened: Opened, asked: Sequence[str]) -> None:
    """Print a line: with how many graphs are those that the symbolic reader writes."""
    found = [written(model, opened, question) for question in asked]
    usable = sum("fallback" not in steps for _, steps in found)
    whole = sum(not steps & {"fallback", "dropped"} for _, steps in found)
    told = [written(SymbolicReader(), opened, question)[0] for question in asked]
    alike = sum(a == b for (a, _), b in zip(found, told, strict=True))
    print(
        f"{name:28} {usable:4} usable {whole:4} whole {alike:4} as the reader, of {len(asked)}",
        flush=True,
    )


def main() -> None:
    """Print a line for the world, one for each file."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("model", nargs="?", type=Path, default=HERE)
    options.add_argument("--data", nargs="*", type=Path, default=[])
    options.add_argument("--questions", type=int, default=60)
    options.add_argument("--graph", type=Path, default=Path("build/world_model"))
    given = options.parse_args()
    model = LlamaCpp(given.model, context=4096)
    with ground(given.graph) as (opened, asked):
        report("world", model, opened, [q.text for q in asked[: given.questions]])
        for file in given.data:
            texts = [one.question for one in read_questions(file)][: given.questions]
            report(file.stem, model, opened, texts)


if __name__ == "__main__":
    main()
