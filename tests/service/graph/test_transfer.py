"""`copy`, `export` and `import`: a graph moved whole, from the command line."""

import gzip
import json
import shutil
import sqlite3
import sys
from contextlib import closing
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from conftest import STORES, emptied
from support.building import WORDS, batch, page
from support.fakes import WordEncoder

from hoptrail.kg.errors import EncoderMismatch
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.types import Document
from hoptrail.service import Hoptrail
from hoptrail.service.graph import export

ULM = "# Ulm\n\nUlm is a city on the Danube. Albert Einstein was born in Ulm.\n"
DANUBE = "# Danube\n\nThe Danube rises in the Black Forest and flows through Ulm.\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A folder with two documents in docs/, and a graph of them and an answer."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "docs").mkdir()
    (folder / "docs" / "ulm.md").write_text(ULM)
    (folder / "docs" / "danube.md").write_text(DANUBE)
    with Hoptrail(folder / "hoptrail.db") as hop:
        hop.ingest(folder / "docs")
        hop.ask("Where was Albert Einstein born?")
    return folder


@pytest.fixture
def docs(made) -> str:
    return str(made / "docs")


@pytest.fixture
def graph(run, made) -> list[dict]:
    """A copy of that graph as hoptrail.db; its records."""
    shutil.copy(made / "hoptrail.db", "hoptrail.db")
    return records("hoptrail.db")


def records(where) -> list[dict]:
    with SqliteStore(where) as store:
        return list(store.maintenance.records())


def without_triple_vectors(found: list[dict]) -> list[dict]:
    return [{**r, "embedding": None} if r["kind"] == "triple" else r for r in found]


@pytest.fixture(params=STORES[1:])
def server(request, neo4j_servers, monkeypatch):
    """An empty server, where the command line finds user and password."""
    address = neo4j_servers(request.param.removeprefix("neo4j-"))
    monkeypatch.setenv("HOPTRAIL_NEO4J_USER", address.user)
    monkeypatch.setenv("HOPTRAIL_NEO4J_PASSWORD", address.password)
    with emptied(address):
        yield address.uri
    emptied(address).close()


def test_a_copy_is_equal_and_unchanged_files_are_passed_over(run, graph, docs):
    status, out, err = run("copy", "--check", "other.db")
    assert (status, out, "read back and equal" in err) == (0, "", True)
    assert records("other.db") == graph
    status, _, err = run("--graph", "other.db", "ingest", docs)
    assert (status, "0 changed, 2 unchanged" in err) == (0, True)
    asked = ("search", "Which river flows through Ulm?", "--json")
    assert run(*asked)[1] == run("--graph", "other.db", *asked)[1]


def test_a_graph_goes_to_a_server_and_back(run, graph, docs, server):
    status, out, _ = run("copy", "--check", "--json", server)
    summary = json.loads(out)
    assert (status, summary["records"], summary["checked"]) == (0, len(graph), True)
    assert "unchanged" in run("--graph", server, "ingest", docs)[2]
    assert run("--graph", server, "copy", "back.db")[0] == 0
    assert records("back.db") == graph
    run("export", "here.jsonl")
    run("--graph", server, "export", "there.jsonl")
    assert Path("here.jsonl").read_bytes() == Path("there.jsonl").read_bytes()


def test_a_copy_goes_nowhere_but_into_an_empty_graph(run, graph, tmp_path):
    for to, says in (
        ("hoptrail.db", "is the graph itself"),
        (str(tmp_path / "docs" / ".." / "hoptrail.db"), "is the graph itself"),
        ("ftp://host", "No store for ftp"),
    ):
        status, _, err = run("copy", to)
        assert (status, says in err) == (2, True)
    run("copy", "other.db")
    status, _, err = run("copy", "other.db")
    assert (status, "is not empty (documents: 2" in err, "name an empty graph" in err) == (
        2,
        True,
        True,
    )
    status, _, err = run("--graph", "none.db", "copy", "new.db")
    assert (status, "There is no file none.db in" in err) == (1, True)
    assert not Path("none.db").exists()
    assert not Path("new.db").exists()


def test_a_graph_of_an_older_version_becomes_one_of_this(run, graph):
    with closing(sqlite3.connect("hoptrail.db")) as connection:
        for table in ("term", "parameters"):
            connection.execute(f"DROP TABLE {table}")
        for column in ("heading", "page"):
            connection.execute(f"ALTER TABLE passage DROP COLUMN {column}")
        connection.execute("UPDATE graph_info SET schema_version = 1")
        connection.commit()
    assert run("copy", "--check", "new.db")[0] == 0
    known = [{**r, "heading": "", "page": None} if r["kind"] == "passage" else r for r in graph]
    assert records("new.db") == known


def test_a_graph_that_contradicts_itself_is_not_copied(run, graph):
    with closing(sqlite3.connect("hoptrail.db")) as connection:
        connection.execute("DELETE FROM names")
        connection.execute("UPDATE entity SET passages = 7 WHERE id = 'ulm'")
        connection.commit()
    status, _, err = run("copy", "other.db")
    assert (status, "'ulm'" in err) == (1, True)
    assert records("other.db") == []


def test_what_was_exported_is_imported_equal(run, graph):
    for name in ("graph.jsonl", "graph.jsonl.gz"):
        assert run("export", name)[0] == 0
        assert run("--graph", f"{name}.db", "import", name)[0] == 0
        assert records(f"{name}.db") == without_triple_vectors(graph)
        run("--graph", f"{name}.db", "export", f"again-{name}")
        assert Path(f"again-{name}").read_bytes() == Path(name).read_bytes()
    assert gzip.decompress(Path("graph.jsonl.gz").read_bytes()) == Path("graph.jsonl").read_bytes()
    status, out, _ = run("--graph", "third.db", "import", "graph.jsonl", "--json")
    assert (status, json.loads(out)["records"]) == (0, len(graph))
    status, _, err = run("--graph", "third.db", "import", "graph.jsonl")
    assert (status, "is not empty (documents: 2" in err) == (2, True)


def test_an_export_of_no_graph_keeps_the_older_file(run, tmp_path):
    (tmp_path / "backup.jsonl").write_text("older")
    status, _, err = run("--graph", "misspelt.db", "export", "backup.jsonl")
    assert (status, "There is no file misspelt.db in" in err) == (1, True)
    assert (tmp_path / "backup.jsonl").read_text() == "older"
    assert not (tmp_path / "misspelt.db").exists()


def test_standard_input_windows_lines_and_a_byte_order_mark(run, graph, monkeypatch):
    run("export", "graph.jsonl")
    made = b"\xef\xbb\xbf" + Path("graph.jsonl").read_bytes().replace(b"\n", b"\r\n")
    with SqliteStore("other.db") as store:
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(made)))
        encoder = WordEncoder()
        assert export.import_graph(store, Path("-"), encoder) == len(graph)
        assert list(store.maintenance.records()) == without_triple_vectors(graph)


def test_without_vectors_lines_are_short_and_passages_are_encoded_again(tmp_path):
    encoder, other = WordEncoder(), WordEncoder(name="other")
    documents = [
        Document(f"d{n}", f"Town {n}", f"Town {n} lies near Town {n + 1}.", f"{n}.md")
        for n in range(300)
    ]
    file = tmp_path / "graph.jsonl"
    with Hoptrail(tmp_path / "one.db", encoder=encoder) as hop:
        hop.ingest(*documents)
        count = hop.export(file, vectors=False)
        expected = list(hop.store.maintenance.records())
    lines = file.read_text().splitlines()
    assert len(lines) == count
    assert max(map(len, lines)) < 600
    with Hoptrail(tmp_path / "two.db", encoder=other) as hop:
        with pytest.raises(EncoderMismatch, match=r"graph\.jsonl holds no vectors.*--encoder"):
            hop.import_(file)
        assert list(hop.store.maintenance.records()) == []
    with Hoptrail(tmp_path / "two.db", encoder=encoder) as hop:
        assert hop.import_(file) == count
        assert list(hop.store.maintenance.records()) == expected
        assert hop.copy_to(tmp_path / "three.db") == count


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"{", "line 3: it is not JSON in UTF-8"),
        (b"\xff", "line 3: it is not JSON in UTF-8"),
        (b"[" * 100_000, "line 3: it is not JSON"),
        (b"", "line 3: it is not JSON"),
        (b"7", "line 3: it is not a JSON object"),
        (b'{"kind": "town"}', "line 3: its kind is 'town', none of info"),
        (b'{"kind": "document", "id": "z"}', "line 3: document lacks 'title'"),
        (b'{"kind": "passage", "id": "z"}', "line 3: passage lacks 'document_id'"),
        (b'{"x": "' + b"x" * 200_000 + b'"}', "line 3: it is longer than"),
    ],
)
def test_a_malformed_line_is_named_and_nothing_is_written(run, monkeypatch, line, says):
    monkeypatch.setattr(export, "MAX_LINE", 150_000)
    with SqliteStore("old.db") as store:
        store.prepare(WORDS.fingerprint)
        store.add(batch(page("Ulm", "Ulm is a city."), page("Danube", "It passes Ulm.")))
        export.export_graph(store, Path("graph.jsonl"))
    lines = Path("graph.jsonl").read_bytes().splitlines()
    lines[2] = line
    Path("graph.jsonl").write_bytes(b"\n".join(lines))
    status, _, err = run("--graph", "new.db", "import", "graph.jsonl")
    assert (status, f"graph.jsonl, {says}" in err) == (2, True), err
    assert records("new.db") == []


def test_of_another_file_no_graph_is_made(run):
    Path("notes.jsonl").write_text("Ulm is a city.")
    status, _, err = run("--graph", "new.db", "import", "notes.jsonl")
    assert (status, "line 1: it is not JSON" in err, Path("new.db").exists()) == (2, True, False)


def test_a_truncated_archive_says_so(run, graph):
    run("export", "graph.jsonl.gz")
    whole = Path("graph.jsonl.gz").read_bytes()
    Path("graph.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    status, _, err = run("--graph", "new.db", "import", "graph.jsonl.gz")
    assert (status, "is damaged after line" in err) == (2, True)
    Path("plain.gz").write_text("{}")
    status, _, err = run("--graph", "new.db", "import", "plain.gz")
    assert (status, "is damaged after line 0" in err) == (2, True)
    assert run("--graph", "new.db", "import", "gone.jsonl")[0] == 2
