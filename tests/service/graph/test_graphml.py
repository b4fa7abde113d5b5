"""`export graph.graphml`: what networkx and Gephi open."""

import gzip
import json
from collections import Counter
from pathlib import Path

import networkx
import pytest
from support.fakes import WordEncoder

from hoptrail import Document, Hoptrail
from hoptrail.kg.text.lines import unwrapped

HOSTILE = "A </data><node id='x'/> & \"quoted\" \x01\x0b line\r\nof Anna Müller 𝄞 in Ulm."


@pytest.fixture
def graph(tmp_path):
    """A graph of two documents and a recorded answer, as hoptrail.db."""
    with Hoptrail(tmp_path / "hoptrail.db", encoder=WordEncoder()) as hop:
        hop.ingest(
            Document("1", "Ulm", "Anna Müller was born in Ulm.", "ulm.txt", {"year": 2020}),
            Document("2", "<&>\x02", HOSTILE, "b.txt"),
        )
        hop.ask("Where was Anna Müller born?")
        return {kind: n for kind, n in hop.statistics().items() if n}


def test_networkx_reads_nodes_and_edges_of_every_kind(run, graph):
    status, out, err = run("export", "graph.graphml", "--json")
    read = networkx.read_graphml("graph.graphml")
    assert (status, err) == (0, "")
    assert json.loads(out)["nodes_and_edges"] == len(read) + read.number_of_edges()

    nodes = Counter(held["kind"] for _, held in read.nodes(data=True))
    assert nodes == {
        "document": 2,
        "passage": graph["passages"],
        "entity": graph["entities"],
        "answer": 1,
    }
    edges = Counter(held["kind"] for *_, held in read.edges(data=True))
    assert edges["MENTIONS"] == graph["mentions"]
    assert edges["RELATES_TO"] == graph["relates_to"]
    assert edges["HAS_PASSAGE"] == graph["passages"]
    assert edges["CITES"] >= 1

    related = {(*ends, held["label"]) for *ends, held in read.edges(data=True)}
    assert ("entity:anna muller", "entity:ulm", "was born in") in related
    assert read.nodes["document:1"]["label"] == "Ulm"
    assert json.loads(read.nodes["document:1"]["metadata"]) == {"year": 2020}


def test_what_documents_say_is_text_there_not_markup(run, graph):
    run("export", "graph.ml.gz")
    with gzip.open("graph.ml.gz", "rt", encoding="utf-8", newline="") as file:
        read = networkx.parse_graphml(file.read())
    texts = [held["text"] for _, held in read.nodes(data=True) if held["kind"] == "passage"]
    assert unwrapped(HOSTILE).replace("\x01", "\ufffd") in texts
    assert "x" not in read


def test_import_refuses_it_and_json_keeps_standard_output_to_itself(run, graph):
    run("export", "graph.graphml")
    status, _, err = run("--graph", "new.db", "import", "graph.graphml")
    assert (status, "GraphML is written for other programs" in err) == (2, True)
    assert not Path("new.db").exists()
    status, out, err = run("export", "-", "--json")
    assert (status, out, "--json" in err) == (2, "", True)
