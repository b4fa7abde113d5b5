"""How the reader does on kinds of documents that its weights were not fitted to.

python benchmarks/own_documents/elsewhere.py [KIND …] [--folds 4] [--work FOLDER] [--out FILE]

Every kind (without KIND, those of the split "fitted") is asked with weights fitted to the kinds of
the other folds alone, each of which counts alike. Printed are what `evaluate.py` prints, and what
would come of asserting from a higher confidence on: by it the threshold is chosen.
"""

import argparse
import json
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from multiprocessing import get_context
from pathlib import Path

from evaluate import HEADER, outcomes, row
from fit import Read, of_kind
from kinds import PACKAGES, of_split

from hoptrail.reasoning.fitted import Fitted
from hoptrail.reasoning.reader.judging.weights import READER
from hoptrail.reasoning.reader.reader import THRESHOLD
from hoptrail.reasoning.training.reader_fitting import fit

HIGHER = THRESHOLD, 0.65, 0.7, 0.75, 0.8, 0.85
HIGHER_HEADER = (
    "| asserted from | right | asserted that are right | unanswerable asserted |\n"
    + "|--:" * 4
    + "|"
)
Records = list[dict[str, object]]


def fitted(read: list[Read], out: Path) -> Path:
    """Fit weights to some kinds, alike, and write them."""
    examples = [
        replace(one, weight=one.weight / len(of_one))
        for _, of_one in read
        for each in of_one
        for one in each
    ]
    mean = sum(one.weight for one in examples) / len(examples)
    READER.save(Fitted(fit([replace(e, weight=e.weight / mean) for e in examples])), out)
    return out


def asked(kind: str, work: Path, reader: Path) -> Records:
    """Ask the questions of a kind with these weights."""
    return list(outcomes(kind, work, reader))


def from_there_on(records: Records, threshold: float) -> str:
    """Figures of asserting from a confidence on, in percent."""
    said = [r for r in records if r["asserted"] and float(str(r["confidence"])) >= threshold]
    able, right = sum(bool(r["answerable"]) for r in records), sum(bool(r["right"]) for r in said)
    others = sum(not r["answerable"] for r in said)
    figures = right / max(1, able), right / max(1, len(said)), others / max(1, len(records) - able)
    return f"| {threshold:.2f} | {' | '.join(f'{100 * figure:.1f}' for figure in figures)} |"


def main() -> None:
    """Read the arguments, read all questions, fit a time a fold, ask."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("kinds", nargs="*", default=of_split("fitted"), metavar="KIND")
    parser.add_argument("--folds", type=int, default=4)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "own-documents")
    parser.add_argument("--out", type=Path, help="every question with its answer, as JSONL")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    kinds, folds = list(given.kinds), range(given.folds)
    anew = get_context("spawn")  # threads of PyTorch do not survive a fork
    with ProcessPoolExecutor(given.processes, anew) as pool:
        read = list(pool.map(partial(of_kind, work=given.work), kinds))
        readers = [
            fitted(
                [one for n, one in enumerate(read) if n % given.folds != fold],
                given.work / f"elsewhere-{fold}.json",
            )
            for fold in folds
        ]
        of_each = [readers[n % given.folds] for n in range(len(kinds))]
        told = pool.map(asked, kinds, repeat(given.work), of_each)
        records = list(chain.from_iterable(told))
    packaged = [r for r in records if r["kind"] in PACKAGES]
    for name, some in (("all", records), ("Debian packages", packaged)):
        print(HEADER, row(name, some), "", HIGHER_HEADER, sep="\n")
        for threshold in HIGHER:
            print(from_there_on(some, threshold))
    if given.out:
        lines = (json.dumps(record, ensure_ascii=False) for record in records)
        given.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
