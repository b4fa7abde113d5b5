"""What every loader keeps to; a new one joins with a line in SAMPLES."""

import gzip
import importlib
import json
import os
import tracemalloc
from pathlib import Path

import pytest
from support.archives import book, opendocument, sheets, slide, slides, word
from support.printed import article, dump, multistream, pdf

from hoptrail.loaders import LOADERS

CORPUS = "".join(
    json.dumps({"title": f"Title {n}", "text": f"Text {n} " + "ä" * 200}) + "\n" for n in range(3)
)
ARRAY = json.dumps(
    [
        {
            "_id": str(n),
            "question": "Who?",
            "answer": "A",
            "context": [[f"T{n}", ["One.", " Two."]], ["Shared", ["Same everywhere."]]],
            "supporting_facts": [["Shared", 0]],
        }
        for n in range(3)
    ]
)
MESSAGE = "From: Ann Lee <ann@b.org>\nSubject: Re: Keys\n\nThe key is here."
SAMPLES = {
    ".txt": ("One sentence.\n\nAnother.", 1),
    ".md": ("# A title\n\nSome *text*.", 1),
    ".markdown": ("Only text.", 1),
    ".html": ("<title>A title</title><p>One sentence.", 1),
    ".htm": ("Only text.", 1),
    ".xhtml": ('<?xml version="1.0"?><html><body><p/>Text.</body></html>', 1),
    ".docx": (word(lambda document: document.add_paragraph("Text.")), 1),
    ".rst": ("Title\n=====\n\nSome *text*.", 1),
    ".adoc": ("= Title\n\nSome `text`.", 1),
    ".asciidoc": ("Only text.", 1),
    ".xlsx": (sheets(One=[("a", "b"), (1, 2)], Two=[("c", "d"), (3, 4)]), 1),
    ".pptx": (slides(lambda made: slide(made, "Title", "Text.")), 1),
    ".odt": (opendocument("text", "<text:p>Text.</text:p>"), 1),
    ".ods": (
        opendocument(
            "spreadsheet",
            '<table:table table:name="One"><table:table-row><table:table-cell><text:p>a</text:p>'
            "</table:table-cell></table:table-row></table:table>",
        ),
        1,
    ),
    ".odp": (
        opendocument(
            "presentation",
            "<draw:page><draw:frame><draw:text-box><text:p>Text.</text:p></draw:text-box>"
            "</draw:frame></draw:page>",
        ),
        1,
    ),
    ".epub": (book({"one.xhtml": "<p>Text.</p>", "two.xhtml": "<p>More.</p>"}), 1),
    ".eml": (MESSAGE, 1),
    ".mbox": (f"From a\n{MESSAGE}\n\nFrom b\nSubject: B\n\nFor me.\n", 2),
    ".json": (ARRAY, 4),
    ".jsonl": (CORPUS, 3),
    ".csv": ("id,title,text\n1,A,One.\n2,B,Two.\n", 2),
    ".tsv": ("title\ttext\nA\tOne.\nA\tOne.\nB\tTwo, too.\n", 2),
    ".pdf": (pdf(["One line."], ["Another."]), 1),
    ".xml": (dump(("A", "One."), ("B", "Two.")), 2),
    ".xml.bz2": (multistream(dump(("A", "One."), ("B", "Two."))), 2),
    ".xml.gz": (gzip.compress(dump(("A", "One."))), 1),
    **{f".{n}": (f".TH A {n}\n.SH NAME\na \\- \\fBtext\\fR.", 1) for n in range(1, 9)},
}


def loader(suffix):
    return importlib.import_module(f"hoptrail.loaders.formats.{LOADERS[suffix]}").load


@pytest.fixture(params=sorted(LOADERS))
def sample(request, tmp_path):
    content, count = SAMPLES[request.param]
    path = tmp_path / f"sample{request.param}"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return loader(request.param), path, count


def test_ids_are_unique_and_texts_not_empty(sample):
    load, path, count = sample
    documents = list(load(path))
    assert len(documents) == count
    assert len({d.id for d in documents}) == count
    assert all(d.text.strip() and d.source == str(path) for d in documents)


def test_the_same_file_gives_the_same_documents(sample):
    load, path, _ = sample
    assert list(load(path)) == list(load(path))


def test_texts_can_be_stored(sample):
    load, path, _ = sample
    for document in load(path):
        f"{document.title}{document.text}{document.source}".encode()


RECORD = json.dumps({"title": "T", "text": "x" * 2000})
START = dump(("A", "")).decode().split("<page>")[0]
LONG = {  # how a file starts, and the record that it holds often
    ".json": ("[", RECORD + ","),
    ".jsonl": ("", RECORD + "\n"),
    ".csv": ("title,text\n", f"T,{'x' * 2000}\n"),
    ".xml": (START, article(1, "T", "x" * 2000)),
}


@pytest.mark.parametrize("suffix", LONG)
def test_the_first_document_does_not_wait_for_the_last(suffix, tmp_path):
    path = tmp_path / f"big{suffix}"
    start, record = LONG[suffix]
    with path.open("w") as file:
        file.write(start)
        for n in range(10_000):  # 20 MB
            file.write(record.replace("T", f"T{n}", 1))
    tracemalloc.start()
    try:
        first = next(loader(suffix)(path))
        assert first.title == "T0"
        assert tracemalloc.get_traced_memory()[1] < os.path.getsize(path) / 5
    finally:
        tracemalloc.stop()


def test_a_changed_file_keeps_its_id(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("Before.")
    (before,) = loader(".txt")(path)
    path.write_text("After.")
    (after,) = loader(".txt")(path)
    assert before.id == after.id
    assert before.sha256 != after.sha256


def test_a_record_is_one_document_in_whichever_file(tmp_path):
    first, second = tmp_path / "a.jsonl", tmp_path / "b.json"
    first.write_text('{"title": "Ulm", "text": "Ulm lies on the Danube."}')
    second.write_text('[{"text": "Ulm lies on the Danube.", "title": "Ulm", "year": 854}]')
    (one,), (two,) = loader(".jsonl")(first), loader(".json")(second)
    assert one.id == two.id


def test_every_loader_has_a_sample():
    assert set(SAMPLES) == set(LOADERS)
    assert all(
        (Path(__file__).parents[2] / "loaders" / "formats" / f"{m}.py").exists()
        for m in LOADERS.values()
    )
