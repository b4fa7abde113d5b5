"""KnowTrace's self-training (its figure 2) on the trained model: right answers and FA by round.

python benchmarks/world_model/self_training.py [MODEL] [--questions 40] [--rounds 2] [--seeds 0 1]
    [--out FOLDER]

Questions of a world that neither training nor tests know, over its graph; with and without
backtracing. A round's line tells how many it answered exactly with the adapters of the one before.
"""

import argparse
import json
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from measure import HERE
from naming import fresh
from support.fakes import WordEncoder
from world import SymbolicReader, World, fill, pages, questions

from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.models.llama.model import LlamaCpp
from hoptrail.reasoning.training.lora import Lora
from hoptrail.service import Hoptrail
from hoptrail.service.training.knowtrace import Collecting, Tuning, self_train

WORLD = 800  # its seed


def ground(folder: Path, count: int) -> tuple[Path, Path]:
    """The world's graph and its questions of two hops, as files."""
    graph, asked = folder / "world.db", folder / f"questions-{count}.jsonl"
    names = fresh(random.Random(f"training {WORLD}"))
    world = World.made(WORLD, names=names)
    if not graph.exists():
        with SqliteStore(graph) as store:
            fill(store, pages(world, WORLD), WordEncoder(256), SymbolicReader())
    told = [q for q in questions(world, 12 * count, WORLD) if q.type == "chain" and q.hops == 2]
    records = [
        {"id": f"q{n}", "question": q.text, "answer": q.answer, "answer_aliases": q.aliases}
        for n, q in enumerate(told[:count])
    ]
    asked.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return graph, asked


def main() -> None:
    """Print a line a round."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("model", nargs="?", type=Path, default=HERE)
    options.add_argument("--questions", type=int, default=40)
    options.add_argument("--rounds", type=int, default=2)
    options.add_argument("--seeds", type=int, nargs="*", default=[0, 1])
    options.add_argument("--out", type=Path, default=Path("build/world_model/self-training"))
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    graph, asked = ground(given.out, given.questions)
    for backtracing in (True, False):
        for seed in given.seeds:
            tools = Hoptrail(
                graph, encoder=WordEncoder(256), model=LlamaCpp(given.model, context=4096)
            )
            how = Collecting(
                "knowtrace:passages=3:rounds=3", fixed_graph=True, backtracing=backtracing
            )
            lora = Lora(epochs=2, batch=8, learning_rate=3e-4, seed=seed)
            folder = given.out / f"{'distilled' if backtracing else 'all'}-{seed}"
            for told in self_train(
                tools, [asked], how, Tuning("lora", given.rounds, lora=lora), folder
            ):
                way = "with" if backtracing else "without"
                right, share = f"{told['kept']} of {told['questions']}", told["filtered_to_all"]
                at = f"{way} backtracing, seed {seed}, round {told['round']}"
                print(f"{at}: {right} right, FA {share:.2f}", flush=True)


if __name__ == "__main__":
    main()
