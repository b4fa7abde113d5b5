"""Answers without a language model on people's own documents: right, wrong, abstained.

python benchmarks/own_documents/evaluate.py [KIND …] [--work FOLDER] [--out FILE]

Four kinds are freely licensed books of Debian packages, fetched with apt-get (no root needed): a
history in EPUB, a book and a reference in HTML, a manual in plain text. Nine are small files
written for this benchmark, `company/` to `software/`. Each kind is a graph of its own, asked by the
path that `ask` takes. Questions of the split "fresh" (reference and brewery) and then those of
"seen" (museum and school) were written after the reader's rules, to see whether they hold
elsewhere; their failures were read afterwards. Those of "fitted" (clinic, club, observatory) were
not read, but weights were fitted to them, as to all others but "unseen" (library, software), which
tell how that holds elsewhere. "all" is without these splits.
"""

import argparse
import gzip
import json
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from hoptrail import Hoptrail
from hoptrail.reasoning.evaluation.metrics.abstention import auroc
from hoptrail.reasoning.training.reader import is_right

HERE = Path(__file__).parent
PACKAGES = {  # kind: package, the files in it
    "history": ("debian-history", "doc/*/docs/project-history.en.epub"),
    "book": ("cfi-en", "doc/*/html/*.htm"),
    "manual": ("debian-faq", "doc/*/FAQ/debian-faq.en.txt.gz"),
    "reference": ("developers-reference", "developers-reference/[bnprt]*.html"),
}
WRITTEN = (
    *("company", "brewery", "museum", "school", "clinic", "club", "observatory"),
    *("library", "software"),
)
KINDS = (*PACKAGES, *WRITTEN)
LEFT_OUT = "library", "software"
"""Kinds that neither rules nor weights were made by."""
LATER = "fresh", "seen", "fitted", "unseen"  # splits
SHOWN = 5  # passages among which the telling one is looked for
COLUMNS = "right", "wrong", "abstained", "first candidate", "told", "unanswerable", "asserted"


def documents(kind: str, work: Path) -> Path:
    """Return the folder of a kind's documents, fetching the package where it isn't there yet."""
    if kind in WRITTEN:
        return HERE / kind
    folder, (package, pattern) = work / kind, PACKAGES[kind]
    if not folder.exists():
        fetched = work / package
        fetched.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", package], cwd=fetched, check=True)
        archive = next(fetched.glob("*.deb"))
        subprocess.run(["dpkg-deb", "-x", archive, fetched / "files"], check=True)
        folder.mkdir()
        for file in sorted((fetched / "files/usr/share").glob(pattern)):
            if file.suffix == ".gz":
                (folder / file.stem).write_bytes(gzip.decompress(file.read_bytes()))
            else:
                shutil.copy(file, folder)
    return folder


def outcomes(kind: str, work: Path, graph: Path) -> Iterator[dict[str, object]]:
    """Ask every question of a kind; one record each."""
    new = not graph.exists()
    with Hoptrail(graph) as hop:
        if new:
            hop.ingest(documents(kind, work))
        for line in (HERE / f"{kind}.jsonl").read_text(encoding="utf-8").splitlines():
            asked = json.loads(line)
            answer = hop.ask(asked["question"], record=False)
            first = answer.candidates[0][0] if answer.candidates else answer.text
            golds = [asked["answer"], *asked["answer_aliases"]] if asked["answerable"] else []
            found = [_flat(hit.passage.text) for hit in hop.search(asked["question"], limit=SHOWN)]
            yield {
                "kind": kind,
                **asked,
                "said": answer.text,
                "first": first,
                "confidence": answer.confidence or 0.0,
                "right": bool(golds) and is_right(first, golds),
                "asserted": not answer.abstained,
                "told": bool(golds) and any(_flat(asked["telling"]) in text for text in found),
            }


def _flat(text: str) -> str:
    return " ".join(text.split())


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
    parser.add_argument("kinds", nargs="*", default=KINDS, metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "own-documents")
    parser.add_argument("--out", type=Path, help="every question with its answer, as JSONL")
    given = parser.parse_args()
    if unknown := set(given.kinds).difference(KINDS):
        parser.error(f"{', '.join(sorted(unknown))}: choose from {', '.join(KINDS)}.")
    given.work.mkdir(parents=True, exist_ok=True)
    records: list[dict[str, object]] = []
    print(
        "| kind | n | right | wrong | abstained | first candidate right | told in five passages "
        "| unanswerable | asserted | asserted that are right | auroc |"
    )
    print("|---|" + "--:|" * 10)
    for kind in given.kinds:
        records += outcomes(kind, given.work, given.work / f"{kind}.db")
        print(row(kind, [r for r in records if r["kind"] == kind]), flush=True)
    for split in ("tune", "check", *LATER):
        print(row(f"all, {split}", [r for r in records if r["split"] == split]))
    print(row("all", [r for r in records if r["split"] not in LATER]))
    if given.out:
        lines = (json.dumps(r, ensure_ascii=False) for r in records)
        given.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
