"""Packed files that reach out of their archive, or swell: refused; nothing outside is touched."""

import bz2
import gzip
import io
import stat
import subprocess
import sys
import zipfile
import zlib

import pytest
from hostile.corpus import PATHS, TERMINAL
from support.archives import book, members, packed, word
from support.building import WORDS
from support.printed import dump

from hoptrail.kg.errors import BadRequest
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.types import Document, Failure
from hoptrail.loaders import documents
from hoptrail.service.graph.export import import_graph

SECRET = "not for everybody"
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BILLION = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">{LAUGHS}]>'


@pytest.fixture
def outside(tmp_path):
    """A folder with a file in it that nobody named, and one for what is read."""
    (tmp_path / "secret.txt").write_text(SECRET)
    (tmp_path / "in").mkdir()
    return tmp_path


def read(outside, name: str, data: bytes) -> list[Document | Failure]:
    """What the file gives; there is no other file afterwards, and nobody read the secret."""
    path = outside / "in" / name
    path.write_bytes(data)
    found = list(documents([path]))
    assert sorted(p.name for p in outside.rglob("*")) == sorted(["in", "secret.txt", name])
    assert (outside / "secret.txt").read_text() == SECRET
    assert SECRET not in repr(found)
    return found


def written() -> bytes:
    return word(lambda document: document.add_paragraph("Ulm lies on the Danube."))


NAMES = [
    *PATHS.values(),
    *(text for text in TERMINAL.values() if "\0" not in text),
    "../secret.txt",
    "/secret.txt",
    "word/../../../secret.txt",
    "\\\\server\\share",
    "a/" * 500,
]


@pytest.mark.parametrize("kind", [".docx", ".epub"])
def test_members_of_any_name_are_never_unpacked(outside, kind):
    whole = written() if kind == ".docx" else book({"a.xhtml": "<p>Ulm lies on the Danube.</p>"})
    strange = members(whole) | dict.fromkeys(NAMES, b"evil")
    [document] = read(outside, f"a{kind}", packed(strange))
    assert document.text == "Ulm lies on the Danube."


def test_links_and_members_that_stand_twice(outside):
    link = zipfile.ZipInfo("word/document.xml")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    file = io.BytesIO(written())
    with zipfile.ZipFile(file, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr(link, str(outside / "secret.txt"))
    [found] = read(outside, "a.docx", file.getvalue())
    assert isinstance(found, Failure)


@pytest.mark.parametrize(
    "href", ["../../secret.txt", "/../secret.txt", "file:///etc/passwd", "%2e%2e/%2e%2e/secret.txt"]
)
def test_a_book_that_refers_to_what_is_outside_of_it(outside, href):
    found = read(outside, "a.epub", book({href: "<p>Inside.</p>"}))
    assert all(isinstance(one, Failure) for one in found)


def external(outside) -> str:
    return f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{outside}/secret.txt">]>'


@pytest.mark.parametrize("kind", ["billion laughs", "external"])
@pytest.mark.parametrize("suffix", [".docx", ".epub", ".xml", ".xml.bz2", ".html", ".xhtml"])
def test_entities_are_neither_expanded_nor_fetched(outside, kind, suffix):
    declared = BILLION if kind == "billion laughs" else external(outside)
    used = "&l9;" if kind == "billion laughs" else "&e;"
    if suffix == ".docx":
        parts = members(written())
        body = parts["word/document.xml"].replace(b"Ulm", used.encode())
        data = packed(parts | {"word/document.xml": declared.encode() + body[body.index(b"<w:") :]})
    elif suffix == ".epub":
        parts = members(book({"a.xhtml": f"<p>{used}</p>"}))
        page = parts["book/a.xhtml"].split(b"?>", 1)[1]
        data = packed(parts | {"book/a.xhtml": declared.encode() + page})
    elif suffix.startswith(".xml"):
        data = declared.encode() + dump(("A", "TEXT")).replace(b"TEXT", used.encode())
        data = bz2.compress(data) if suffix.endswith("bz2") else data
    else:
        data = f"{declared}<html><body><p>Text {used} here.</p></body></html>".encode()
    for one in read(outside, f"a{suffix}", data):
        assert isinstance(one, Failure) or len(one.text) < 10_000


def test_what_swells_is_refused(outside):
    parts, huge = members(written()), b"a" * (70 << 20)
    bombs = {
        "a.docx": packed(parts | {"word/document.xml": huge}),
        "b.epub": packed(members(book({"a.xhtml": "x"})) | {"book/a.xhtml": huge}),
        "c.xml.gz": gzip.compress(dump(("A", "TEXT")).replace(b"TEXT", huge), 1),
        "d.json": b"[" * 500_000,
    }
    for name, data in bombs.items():
        assert len(data) < 1 << 20
        path = outside / name
        path.write_bytes(data)
        [found] = documents([path])
        assert isinstance(found, Failure), name


WITHIN = """
import resource, sys
from pathlib import Path
from hoptrail.loaders import documents
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
for path in sys.argv[2:]:
    for one in documents([Path(path)]):
        print(type(one).__name__, len(getattr(one, "text", "")), getattr(one, "reason", ""))
"""
MEMORY = 3 << 30  # address space: libraries, then 1.3 GB for the worst


def test_bombs_end_within_the_memory_and_time_that_the_docs_tell(outside):
    """A table of contents that lies, elements without end, a page named by thousands of pages."""
    parts = members(written())
    body = parts["word/document.xml"].replace(b"<w:p>", b"<w:p/>" * 300_000 + b"<w:p>", 1)
    files = {
        "a.docx": packed(parts | {"word/document.xml": body}),
        "b.docx": packed(parts | {f"word/x{n}.xml": b"" for n in range(10_001)}),
        "c.epub": packed(members(book({"a.xhtml": "x"})) | {"book/a.xhtml": b"<b>" * 3_000_000}),
        "d.pdf": swelling_pdf(pages=2_000, size=9 << 20),
        "e.xml.gz": gzip.compress(b"<mediawiki>" + b"<a>" * 5_000_000, 1),
    }
    for name, data in files.items():
        (outside / name).write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-c", WITHIN, str(MEMORY), *(str(outside / name) for name in files)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    said = done.stdout.splitlines()
    assert said[0].startswith("Document 23")
    assert [line.split()[0] for line in said[1:]] == ["Failure"] * 4


def swelling_pdf(pages: int, size: int) -> bytes:
    data = zlib.compress(b"BT " + b"(a) Tj " * (size // 7) + b"ET", 9)
    kids = b" ".join([b"3 0 R"] * pages)
    return _file_of(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] >>" % (pages, kids),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>",
        b"<< /Length %d /Filter /FlateDecode >>stream\n%s\nendstream" % (len(data), data),
    )


def _file_of(*objects: bytes) -> bytes:
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    head = b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
    end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (size, len(data))
    return data + head + end


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_an_export_with_an_endless_line_is_refused(tmp_path, name):
    path, data = tmp_path / name, b'{"kind": "info", "x": "' + b"a" * (65 << 20)
    path.write_bytes(gzip.compress(data, 1) if name.endswith("gz") else data)
    with (
        SqliteStore(tmp_path / "graph.db") as store,
        pytest.raises(BadRequest, match="line 1: it is longer than 64 MB"),
    ):
        import_graph(store, path, WORDS)
