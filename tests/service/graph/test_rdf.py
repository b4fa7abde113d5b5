"""A graph as RDF: every format equal when it comes back, sound by its shapes, asked by SPARQL."""

import gzip
import json
import shutil
from importlib.resources import files
from pathlib import Path

import pyshacl
import pytest
import rdflib
from conftest import STORES, emptied
from support.fakes import WordEncoder

from hoptrail import Document, Hoptrail
from hoptrail.kg.rdf import query
from hoptrail.kg.schema import KINDS
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.types import SCHEMA_VERSION

LINKS = [
    {
        "kind": "item",
        "id": "Q3012",
        "label": "Ulm",
        "description": "city in Germany",
        "endpoint": "http://localhost/",
        "fetched_at": "2026-11-22T10:00:00.000000+00:00",
    },
    {
        "kind": "link",
        "document_id": "1",
        "entity_id": "ulm",
        "item_id": "Q3012",
        "score": 0.9,
        "margin": 1,
        "method": "names",
        "reason": "label",
    },
    {"kind": "linked_by", "document_id": "1", "method": "names"},
    {
        "kind": "claim",
        "id": "c1",
        "item_id": "Q3012",
        "pid": "P17",
        "relation": "country",
        "value": "Germany",
        "value_id": "Q183",
        **dict.fromkeys(("rank", "unit", "start", "end", "point_in_time", "statement"), ""),
        "endpoint": "http://localhost/",
        "fetched_at": "2026-11-22T10:00:00.000000+00:00",
    },
]
HOSTILE = (
    'A "quoted" <tag> \\ back\r\nslash, \x01 control, \u202e direction of Anna Müller 𝄞 in Ulm.'
)
pytestmark = [
    pytest.mark.one_release,
    pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated"),
]  # rdflib's own
FORMATS = ("nt", "ttl", "jsonld", "nq", "trig")
RDFLIB = {"nt": "nt", "ttl": "turtle", "jsonld": "json-ld", "rdf": "xml"}


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A graph with hostile ids, a recorded answer, and an item of Wikidata."""
    folder = tmp_path_factory.mktemp("made")
    with Hoptrail(folder / "first.db", encoder=WordEncoder()) as hop:
        hop.ingest(
            Document("1", "Ulm", "Anna Müller was born in Ulm. Ulm lies in Germany.", "ulm.txt"),
            Document("<2> %\n", "<&>", HOSTILE, "b.txt", {"year": 2020, "b": "x"}),
        )
        hop.ask("Where was Anna Müller born?", record=True)
        records = sorted(
            [*map(_linked, hop.store.maintenance.records()), *LINKS],
            key=lambda r: (list(KINDS).index(r["kind"]), KINDS[r["kind"]].key_of(r)),
        )
    with SqliteStore(folder / "hoptrail.db") as store:
        store.maintenance.restore(records)
    return folder / "hoptrail.db"


@pytest.fixture
def graph(run, made) -> list[dict]:
    """A copy of it as hoptrail.db; its records."""
    shutil.copy(made, "hoptrail.db")
    return held("hoptrail.db")


def _linked(record: dict) -> dict:
    if record.get("id") == "ulm":
        return {**record, "wikidata_id": "Q3012", "description": "city in Germany"}
    return record


def held(where: str) -> list[dict]:
    """The records of a graph, without vectors of triples, as `export` leaves them out."""
    with SqliteStore(where) as store:
        found = list(store.maintenance.records())
    return [{**r, "embedding": None} if r["kind"] == "triple" else r for r in found]


def parsed(name: str, monkeypatch: pytest.MonkeyPatch) -> rdflib.Graph:
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)
    return rdflib.Graph().parse(name, format=RDFLIB[name.rpartition(".")[2]])


@pytest.mark.parametrize("suffix", FORMATS)
def test_what_was_exported_comes_back_equal(run, graph, suffix):
    status, out, _ = run("export", f"graph.{suffix}.gz", "--json")
    assert (status, json.loads(out)["triples"] > len(graph)) == (0, True)
    assert gzip.decompress(Path(f"graph.{suffix}.gz").read_bytes())
    status, out, _ = run("--graph", "back.db", "import", f"graph.{suffix}.gz", "--json")
    assert (status, json.loads(out)["to"]) == (0, "back.db")
    assert held("back.db") == graph
    status, _, err = run("--graph", "back.db", "import", f"graph.{suffix}.gz")
    assert (status, "is not empty (documents: 2" in err) == (2, True)


def test_rdf_xml_can_not_hold_control_characters_and_says_where(run, graph):
    Path("graph.rdf").write_text("older")
    status, _, err = run("export", "graph.rdf")
    assert (status, "RDF/XML" in err, "urn:hoptrail:passage:" in err) == (2, True, True)
    assert Path("graph.rdf").read_text() == "older"
    run("remove", "<&>")
    assert run("export", "graph.rdf")[0] == 0
    assert run("--graph", "back.db", "import", "graph.rdf")[0] == 0
    assert held("back.db") == held("hoptrail.db")


@pytest.mark.parametrize("where", STORES[1:])
def test_a_server_writes_and_reads_the_same(run, graph, where, neo4j_servers, monkeypatch):
    address = neo4j_servers(where.removeprefix("neo4j-"))
    monkeypatch.setenv("HOPTRAIL_NEO4J_USER", address.user)
    monkeypatch.setenv("HOPTRAIL_NEO4J_PASSWORD", address.password)
    run("export", "here.nt")
    with emptied(address):
        assert run("--graph", address.uri, "import", "here.nt")[0] == 0
        assert run("--graph", address.uri, "export", "there.nt")[0] == 0
        asked = "SELECT (count(*) AS ?n) { ?s a ht:Passage }"
        assert run("--graph", address.uri, "sparql", asked) == run("sparql", asked)
    assert Path("here.nt").read_bytes() == Path("there.nt").read_bytes()


def test_without_vectors_passages_are_encoded_again(run, tmp_path):
    with Hoptrail("one.db", encoder=WordEncoder()) as hop:
        hop.ingest(Document("1", "Ulm", "Anna was born in Ulm.", "ulm.txt"))
        hop.export("graph.ttl", vectors=False)
    assert "base64" not in Path("graph.ttl").read_text()
    with Hoptrail("two.db", encoder=WordEncoder()) as hop:
        assert isinstance(hop.import_rdf("graph.ttl"), int)
    assert held("two.db") == held("one.db")


def test_the_shapes_hold_and_rdflib_reads_every_format_as_the_same(run, graph, monkeypatch):
    run("remove", "<&>")
    read = {}
    for suffix in RDFLIB:
        run("export", f"graph.{suffix}")
        read[suffix] = set(parsed(f"graph.{suffix}", monkeypatch))
    assert all(found == read["nt"] for found in read.values())
    shapes = rdflib.Graph().parse(data=(files("hoptrail.kg.rdf") / "shapes.ttl").read_text())
    whole = parsed("graph.ttl", monkeypatch)
    sound, _, text = pyshacl.validate(whole, shacl_graph=shapes)
    assert sound, text
    statement = next(whole.subjects(rdflib.RDF.type, rdflib.RDF.Statement))
    whole.remove((statement, rdflib.PROV.wasDerivedFrom, None))
    assert not pyshacl.validate(whole, shacl_graph=shapes)[0]


def test_an_item_of_wikidata_and_a_relation_can_be_asked_for(run, graph):
    asked = """SELECT ?who ?item { ?a rel:was_born_in ?b . ?a skos:prefLabel ?who .
                                   ?b skos:exactMatch ?item . ?item wdt:P17 wd:Q183 }"""
    status, out, _ = run("sparql", asked)
    header, row = out.splitlines()
    assert (status, header.split()) == (0, ["who", "item"])
    assert row.split("  ")[0] == '"Anna Müller"'
    assert row.endswith("<http://www.wikidata.org/entity/Q3012>")
    found = json.loads(run("sparql", asked, "--json")[1])["results"]["bindings"]
    assert found == [
        {
            "who": {"type": "literal", "value": "Anna Müller"},
            "item": {"type": "uri", "value": "http://www.wikidata.org/entity/Q3012"},
        }
    ]


def test_ask_and_construct_and_a_query_in_a_file(run, graph):
    assert run("sparql", "ASK { ?s a ht:Answer }")[1] == "yes\n"
    assert json.loads(run("sparql", "ASK { ?s a ht:None }", "--json")[1])["boolean"] is False
    Path("q.rq").write_text(
        "CONSTRUCT { ?s rdfs:label ?t } { ?s dcterms:isPartOf/dcterms:title ?t }"
    )
    made = rdflib.Graph().parse(data=run("sparql", "-f", "q.rq")[1], format="turtle")
    assert len(made) == 2
    made = rdflib.Graph().parse(data=run("sparql", "-f", "q.rq", "--json")[1], format="json-ld")
    assert len(made) == 2


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("SELECT * {", "can't be answered"),
        ("DELETE WHERE { ?s ?p ?o }", "can't be answered"),
        ("SELECT * { SERVICE <http://localhost:1/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * { \\u0053ERVICE <http://localhost:1/> { ?s ?p ?o } }", "SERVICE"),
        ('SELECT * { ?s ?p "\\u0022 service <http://x/> {} #" }', "SERVICE"),
        ("SELECT * { \\u005Cu0053ERVICE <http://localhost:1/> { } }", "escapes"),
    ],
)
def test_a_query_that_is_wrong_or_asks_elsewhere_is_refused(run, graph, asked, says):
    status, out, err = run("sparql", asked)
    assert (status, out, says in err) == (2, "", True)


def test_a_query_is_bounded(run, graph, monkeypatch):
    assert "more than 10 triples" in run("sparql", "ASK {}", "--limit", "10")[2]
    crossed = "SELECT (count(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    assert "took more than 0.2 s" in run("sparql", crossed, "--timeout", "0.2")[2]
    monkeypatch.setattr(query, "MAX_RESULTS", 5)
    assert "more than 5 results" in run("sparql", "SELECT * { ?s ?p ?o }")[2]
    assert run("sparql", 'SELECT * { ?service ?p "SERVICE" } # SERVICE')[0] == 0


def test_what_is_not_the_graph_it_was_is_refused_with_the_node(run, graph):
    run("export", "graph.nt")
    whole = Path("graph.nt").read_text()
    text = next(line for line in whole.splitlines() if "/text>" in line and "Anna" in line)
    for changed, says in (
        (whole.replace(text, text.replace("Anna", "Hanna")), "urn:hoptrail:passage:"),
        (whole + text.replace("Anna", "Hanna") + "\n", "has 2 values"),
        (
            whole.replace(
                f'vocabulary#schemaVersion> "{SCHEMA_VERSION}"', 'vocabulary#schemaVersion> "99"'
            ),
            "newer",
        ),
        (whole.replace("urn:hoptrail:document:1>", "urn:x:1>"), "is not the IRI of a document"),
    ):
        Path("changed.nt").write_text(changed)
        status, _, err = run("--graph", "new.db", "import", "changed.nt")
        assert (status, says in err) == (status or 1, True), err
        assert held("new.db") == []


def test_rdf_from_standard_input_without_its_broken_lines(run):
    said = '<urn:a> <http://schema.org/name> "Ada Holm" .\nnonsense\n<urn:a> <urn:p> "1" .\n'
    given = ("import", "-", "--format", "nt", "--json")
    status, _, told = run(*given, stdin=said.encode())
    assert (status, "line 2" in told) == (2, True)
    status, out, told = run(*given, "--skip-broken", stdin=said.encode())
    assert (status, json.loads(out)["triples"]) == (0, 2)
    assert json.loads(out)["left_out"] == {"broken lines": 1}
    assert "-, line 2:" in told
    assert run("show", "Ada Holm")[0] == 0
