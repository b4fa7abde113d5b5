"""Answers without a language model on people's own documents: right, wrong, abstained.

python benchmarks/own_documents/evaluate.py [KIND …] [--work FOLDER] [--out FILE]

Each kind (see `kinds`) is a graph of its own, asked by the path that `ask` takes. Without KIND it
asks those whose questions and documents nothing was made by, and the first, which rules were made
by; "all" is the latter without what was written later.
"""

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from kinds import FIRST, graph, of_split, questions
from telling import place_of

from hoptrail import Hoptrail
from hoptrail.reasoning.evaluation.metrics.abstention import auroc
from hoptrail.reasoning.training.reader import is_right

LATER = (
    "fresh",
    "seen",
    "learned",
    "last",
    "newest",
    "fitted",
    "loaded",
    "unseen",
    "reworded",
    "rephrased",
)  # splits
SHOWN = 5  # passages among which the telling one is looked for
HEADER = (
    "| kind | n | right | wrong | abstained | first candidate right | told in five passages "
    "| unanswerable | asserted | asserted that are right | auroc |\n|---|" + "--:|" * 10
)
COLUMNS = "right", "wrong", "abstained", "first candidate", "told", "unanswerable", "asserted"


def outcomes(kind: str, work: Path, reader: Path | None = None) -> Iterator[dict[str, object]]:
    """Ask every question of a kind, by some weights or the packaged; one record each."""
    with Hoptrail(graph(kind, work), reader=reader) as hop:
        for line in questions(kind).read_text(encoding="utf-8").splitlines():
            asked = json.loads(line)
            answer = hop.ask(asked["question"], record=False)
            first = answer.candidates[0][0] if answer.candidates else answer.text
            golds = [asked["answer"], *asked["answer_aliases"]] if asked["answerable"] else []
            found = hop.search(asked["question"], limit=SHOWN)
            yield {
                "kind": kind,
                **asked,
                "said": answer.text,
                "first": first,
                "confidence": answer.confidence or 0.0,
                "right": bool(golds) and is_right(first, golds),
                "asserted": not answer.abstained,
                "told": bool(golds)
                and any(place_of(asked["telling"], golds, hit.passage.text) for hit in found),
            }


def row(name: str, records: list[dict[str, object]]) -> str:
    """Figures of some records, in percent: of the answerable ones, then of the others."""
    able = [r for r in records if r["answerable"]]
    not_able = [r for r in records if not r["answerable"]]
    counts = Counter[str]()
    for r in able:
        good, said = bool(r["right"]), bool(r["asserted"])
        counts["abstained" if not said else "right" if good else "wrong"] += 1
        counts["first candidate"] += good
        counts["told"] += bool(r["told"])
    said = sum(bool(r["asserted"]) for r in not_able)
    figures = [f"{100 * counts[name] / max(1, len(able)):5.1f}" for name in COLUMNS[:5]]
    asserted = counts["right"] + counts["wrong"] + said
    precision = f"{100 * counts['right'] / asserted:.1f}" if asserted else "–"
    ranks = auroc(
        [float(str(r["confidence"])) for r in records], [bool(r["right"]) for r in records]
    )
    return (
        f"| {name} | {len(able)} | {' | '.join(figures)} | {len(not_able)} "
        f"| {100 * said / max(1, len(not_able)):.1f} | {precision} | {100 * (ranks or 0):.0f} |"
    )


def main() -> None:
    """Read the arguments, ask, print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "kinds",
        nargs="*",
        default=(*FIRST, *of_split("unseen")),
        metavar="KIND",
        help=", ".join(of_split()),
    )
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "own-documents")
    parser.add_argument("--out", type=Path, help="every question with its answer, as JSONL")
    given = parser.parse_args()
    if unknown := set(given.kinds).difference(of_split()):
        parser.error(f"{', '.join(sorted(unknown))}: choose from {', '.join(of_split())}.")
    given.work.mkdir(parents=True, exist_ok=True)
    records: list[dict[str, object]] = []
    print(HEADER)
    for kind in given.kinds:
        records += outcomes(kind, given.work)
        print(row(kind, [r for r in records if r["kind"] == kind]), flush=True)
    for split in ("tune", "check", *LATER):
        if own := [r for r in records if r["split"] == split]:
            print(row(f"all, {split}", own))
    if others := [r for r in records if r["split"] not in LATER]:
        print(row("all", others))
    if given.out:
        lines = (json.dumps(r, ensure_ascii=False) for r in records)
        given.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
