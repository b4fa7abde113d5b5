"""The kinds of documents, where they come from, and their questions.

Some are freely licensed books and manuals of Debian packages, fetched with apt-get (no root
needed); the others are small files written for this benchmark, `documents/KIND/`. Each question
has a `split`: "tune" and "check" (the first four kinds), "fresh" (reference, brewery) and "seen"
(museum, school) were written after rules of the reader, whose failures were read afterwards; from
those of AGAIN, and of all the former, the span reader learned; to those of "fitted" the weights are
fitted. By documents of "loaded" ones, and what came of them, loaders were mended, no reading.
"unseen" ones tell how all this holds elsewhere: nothing was made by them. "reworded" ones ask in
other words than the documents', 1,395 of them about kinds that have others, too: to these the
weights are fitted, and retrieval and some rules were made by the failures of all. "rephrased" ones,
1,952 about 56 kinds that the span reader learned from, are likewise in other words: it learned from
them at last.
"""

import functools
import gzip
import json
import re
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from telling import place_of

from hoptrail import Hoptrail
from hoptrail.kg.types import Passage
from hoptrail.loaders.questions.question import Paragraph, Question
from hoptrail.reasoning.training.reader import source_of
from hoptrail.service.training.reader import finding
from hoptrail.service.training.spans import with_found

HERE = Path(__file__).parent
PACKAGES: dict[str, list[str]] = json.loads((HERE / "packages.json").read_text("utf-8"))
"""By kind: a Debian package, and patterns of the files in it, below usr/share."""
FIRST = (
    *("history", "book", "manual", "reference"),
    *("company", "brewery", "museum", "school", "clinic", "club", "observatory"),
)
"""Kinds whose failures were read, or that were first learned from."""
AGAIN = ("learned", "last", "newest", "latest")
"""Splits that the span reader went on to learn from, one after the other."""


@functools.cache
def of_split(*splits: str) -> tuple[str, ...]:
    """Kinds with a question of one of some splits, by name; without any, all."""
    paths = sorted((HERE / "questions").glob("*.jsonl"))
    held = {
        path.stem: set(re.findall(r'"split": "(\w+)"', path.read_text("utf-8"))) for path in paths
    }
    return tuple(kind for kind, own in held.items() if not splits or own.intersection(splits))


def learned() -> tuple[str, ...]:
    """All that the span reader learned from."""
    return (*FIRST, *(kind for kind in of_split(*AGAIN) if kind not in FIRST))


def documents(kind: str, work: Path) -> Path:
    """Return the folder of a kind's documents, fetching the package where it isn't there yet."""
    if kind not in PACKAGES:
        return HERE / "documents" / kind
    folder, (package, *patterns) = work / kind, PACKAGES[kind]
    if not folder.exists():
        fetched = work / ".packages" / package  # a kind is called "packages"
        fetched.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", package], cwd=fetched, check=True)
        archive = next(fetched.glob("*.deb"))
        subprocess.run(["dpkg-deb", "-x", archive, fetched / "files"], check=True)
        folder.mkdir()
        share = fetched / "files/usr/share"
        named = (file for pattern in patterns for file in share.glob(pattern))
        for file in sorted(file for file in named if file.is_file()):  # no link to another package
            read = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
            out = folder / file.name.removesuffix(".gz")
            if out.exists() and out.read_bytes() != read:  # another folder's index.html
                out = folder / f"{file.parent.name}-{out.name}"
            out.write_bytes(read)
    return folder


def questions(kind: str) -> Path:
    """The file of a kind's questions."""
    return HERE / "questions" / f"{kind}.jsonl"


def graph(kind: str, work: Path) -> Path:
    """Make a kind's graph where it isn't there yet, and return its file."""
    path = work / f"{kind}.db"
    if not path.exists():
        with Hoptrail(path) as hop:
            hop.ingest(documents(kind, work))
    return path


def found(kind: str, work: Path) -> list[tuple[Question, str]]:
    """A kind's questions over the passages found for them, with the places of answers, and splits.

    What tells the answer is added where it is not found. Left out are those whose answer stands in
    no passage as the documents are read.
    """
    lines = questions(kind).read_text(encoding="utf-8").splitlines()
    records = {record["question"]: record for record in map(json.loads, lines)}
    with Hoptrail(graph(kind, work)) as hop:
        find = finding(hop)
        everything = hop.store.passages(hop.store.passages_of(list(hop.store.documents())))
        texts = [(_above(one), one.text) for one in everything.values()]
        placed = []
        for one in source_of(questions(kind)).questions:
            record = records[one.question]
            made = _placed(with_found(one, find), record["telling"], texts)
            if made is not None:
                placed.append((made, record["split"]))
    return placed


def _above(passage: Passage) -> str:
    return ", ".join(filter(None, (passage.title, passage.heading)))


def _placed(question: Question, telling: str, texts: Sequence[tuple[str, str]]) -> Question | None:
    """Say where the answer stands in the paragraphs that tell it; None where none does."""
    golds = [said for said in (question.answer, *question.aliases) if said]
    if not golds:
        return question
    known = {(one.title, one.text): n for n, one in enumerate(question.paragraphs)}
    places, paragraphs = [], list(question.paragraphs)
    for above, text in texts:
        if (place := place_of(telling, golds, text)) is None:
            continue
        if (above, text) not in known:
            known[above, text] = len(paragraphs)
            paragraphs.append(Paragraph(above, text, is_supporting=True))
        places.append((known[above, text], *place))
    if not places:
        return None
    return replace(question, paragraphs=tuple(paragraphs), places=tuple(places))
