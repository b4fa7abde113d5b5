"""What is particular to Neo4j: the server, its indexes, transactions and failures."""

import logging
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import neo4j
import numpy as np
import pytest
from support.building import WAYS, WORDS, batch, content, named, page
from support.fakes import WordEncoder
from support.neo4j_server import NotEmpty, ServerAddress, running_server, versions

from hoptrail.cypher import SEARCH_CLAUSE
from hoptrail.kg.errors import BadRequest, SchemaMismatch, StoreUnavailable, UnsupportedServer
from hoptrail.kg.neo4j.server import checked_version, without_credentials
from hoptrail.kg.neo4j.statements import Row, Statements
from hoptrail.kg.neo4j.store import Neo4jStore
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.types import Batch, Document, Passage, Scored

pytestmark = pytest.mark.neo4j


@pytest.fixture(params=versions())
def address(request, neo4j_servers) -> ServerAddress:
    return neo4j_servers(request.param)


@pytest.fixture
def driver(address):
    auth = (address.user, address.password)
    with neo4j.GraphDatabase.driver(address.uri, auth=auth) as driver:
        driver.execute_query("MATCH (n) DETACH DELETE n")
        yield driver
        driver.execute_query("MATCH (n) DETACH DELETE n")


@pytest.fixture
def graph(address, driver):
    with Neo4jStore(address.uri, address.user, address.password) as store:
        store.prepare(WORDS.fingerprint)
        yield store


def statements(caplog) -> list[str]:
    """Names of the statements that were run, from the log."""
    return [record.args[0] for record in caplog.records if record.name.endswith("neo4j.statements")]


def pages(count: int, prefix: str = "Page") -> list:
    return [
        page(
            f"{prefix} {number}",
            f"{prefix} {number} was drawn by Jens Thorkil {number % 7} in Vaagur.",
            f"Then {prefix} {number + 1} followed.",
            mentions=(f"Jens Thorkil {number % 7}", "Vaagur"),
            triples=((f"{prefix} {number}", "drawn by", f"Jens Thorkil {number % 7}"),),
        )
        for number in range(count)
    ]


def test_the_constructor_touches_nothing():
    store = Neo4jStore("bolt://nowhere.invalid:1", password="x")
    store.close()


def test_a_write_in_a_read_session_is_refused(graph):
    with pytest.raises(neo4j.exceptions.ClientError) as caught:
        graph._server.read(lambda run: run("write/documents", rows=[{"id": "x"}]))
    assert caught.value.code == "Neo.ClientError.Statement.AccessMode"
    assert graph.statistics()["documents"] == 0


def test_a_wrong_password_is_named_but_not_printed(address):
    store = Neo4jStore(address.uri, "neo4j", "not-the-secret")
    with pytest.raises(StoreUnavailable, match="HOPTRAIL_NEO4J_PASSWORD") as caught:
        store.info()
    assert "not-the-secret" not in str(caught.value)


def test_a_server_that_is_not_there_is_unavailable():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        store = Neo4jStore(f"bolt://127.0.0.1:{port}", password="x")
        with pytest.raises(StoreUnavailable, match=f"127.0.0.1:{port} can't be reached"):
            store.statistics()


def test_a_database_that_is_not_there_is_unavailable(address):
    with (
        Neo4jStore(address.uri, address.user, address.password, database="elsewhere") as store,
        pytest.raises(StoreUnavailable, match="no database 'elsewhere', but 'neo4j'") as caught,
    ):
        store.info()
    assert "set HOPTRAIL_NEO4J_DATABASE to one that is there" in str(caught.value)


def test_an_address_that_is_none_is_refused():
    with pytest.raises(StoreUnavailable, match="neo4j://host:7687"):
        Neo4jStore("https://example.org", password="x").info()


def test_credentials_in_the_uri_are_used_and_hidden(address, graph):
    uri = address.uri.replace("//", f"//{address.user}:{address.password}@")
    with Neo4jStore(uri) as store:
        assert store.where == address.uri
        assert store.statistics().keys() == graph.statistics().keys()


def test_a_routing_address_works_too(address, graph):
    graph.add(batch(*pages(2)))
    uri = address.uri.replace("bolt:", "neo4j:")
    with Neo4jStore(uri, address.user, address.password) as store:
        assert content(store) == content(graph)
        assert store.remove([document.id for document in batch(*pages(2)).documents]) == 2
        assert store.statistics()["passages"] == 0


@pytest.mark.parametrize(
    ("uri", "parts"),
    [
        ("neo4j://h:7687", ("neo4j://h:7687", None, None)),
        ("bolt://ann@h", ("bolt://h", "ann", None)),
        ("bolt+s://ann:p%40ss:w@h:1?a=b", ("bolt+s://h:1?a=b", "ann", "p@ss:w")),
        ("bolt://:secret@[::1]:7687", ("bolt://[::1]:7687", None, "secret")),
    ],
)
def test_credentials_are_taken_out_of_a_uri(uri, parts):
    assert without_credentials(uri) == parts


@pytest.mark.parametrize(
    ("agent", "version"), [("Neo4j/5.26.0", (5, 26)), ("Neo4j/2026.08.1", (2026, 8))]
)
def test_supported_servers(agent, version):
    assert checked_version(agent) == version


@pytest.mark.parametrize("agent", ["Neo4j/4.4.40", "Neo4j/5.25.1", "Memgraph/2.0"])
def test_a_server_that_is_too_old_is_refused(agent):
    with pytest.raises(UnsupportedServer, match=r"5\.26"):
        checked_version(agent)


def test_a_newer_graph_is_refused(graph, driver, address):
    driver.execute_query("MATCH (g:HoptrailGraphInfo) SET g.schema_version = 99")
    with Neo4jStore(address.uri, address.user, address.password) as store:
        with pytest.raises(SchemaMismatch, match="99"):
            store.add(batch(*pages(1)))
        with pytest.raises(SchemaMismatch, match="99"):
            store.statistics()


def test_a_new_graph_may_have_another_dimension(graph, driver, address):
    """Nodes can be deleted by hand; the indexes of the graph that was there before stay."""
    driver.execute_query("MATCH (n) DETACH DELETE n")
    small = WordEncoder(8)
    with Neo4jStore(address.uri, address.user, address.password) as store:
        store.prepare(small.fingerprint)
        passage = Passage("d", 0, "Salt", "Lantern")
        vectors = small.encode_passages(["Lantern"])
        store.add(Batch([Document("d", "Salt", "", "d")], [passage], vectors))
        assert [found.id for found in store.nearest_passages(vectors[0], 3)] == [passage.id]
    driver.execute_query("MATCH (n) DETACH DELETE n")
    with Neo4jStore(address.uri, address.user, address.password) as store:
        store.prepare(WORDS.fingerprint)  # what the next test expects


def newest(run: Statements, name: str, **parameters: object) -> list[Row]:
    """A statement as the newest servers take it."""
    return Statements(run._transaction, SEARCH_CLAUSE)(name, **parameters)


def test_search_and_procedure_rank_alike(graph):
    graph.add(batch(*pages(60)))
    asked = {"vector": WORDS.encode_queries(["Jens Thorkil 3 drew Page 12"])[0].tolist()}
    asked |= {"fetch": 100, "limit": 20, "decimals": 6}
    graph.info()  # connects: its version is known then
    if graph._server._version < SEARCH_CLAUSE:
        with pytest.raises(neo4j.exceptions.ClientError):  # so the choice is right
            graph._server.read(lambda run: newest(run, "search/nearest_passages", **asked))
        return
    by_search = graph._server.read(lambda run: run("search/nearest_passages", **asked))
    by_call = graph._server.read(lambda run: run("search/nearest_passages.v5", **asked))
    assert len(by_search[0]["found"]) == 20
    assert by_search == by_call


def test_the_index_finds_what_exact_comparison_finds(graph):
    graph.add(batch(*pages(80)))
    vector = WORDS.encode_queries(["Page 7 was drawn by Jens Thorkil 0"])[0]
    ids = [record["id"] for record in graph.maintenance.records() if record["kind"] == "passage"]
    assert_same(graph.nearest_passages(vector, 10), graph.nearest_passages(vector, 10, ids))


def assert_same(left: list[Scored], right: list[Scored]) -> None:
    assert [scored.id for scored in left] == [scored.id for scored in right]
    np.testing.assert_allclose([s.score for s in left], [s.score for s in right], atol=2e-6)


def test_writers_at_once_lose_nothing(graph, address):
    """The same words in every batch: each writer changes the entities and edges of the others."""
    parts = [batch(*pages(6, f"Book {letter}")) for letter in "ABCDEFGH"]
    start = threading.Barrier(4)

    def write(own: list[Batch]) -> None:
        with Neo4jStore(address.uri, address.user, address.password) as store:
            start.wait()
            for part in own:
                store.add(part)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, [parts[0:2], parts[2:4], parts[4:6], parts[6:8]]))
    together = content(graph)
    graph.remove([document.id for part in parts for document in part.documents])
    assert graph.statistics()["entities"] == 0
    for part in parts:
        graph.add(part)
    assert content(graph) == together


def test_a_batch_that_fails_leaves_nothing(graph):
    broken = batch(*pages(3))
    # The failure's reason is written late and can't be: half a surrogate pair has no UTF-8 form.
    vectors = {next(iter(broken.triple_embeddings)): np.full(64, np.nan, np.float32)}
    documents = [*broken.documents, Document("z", "z", "", "\ud800")]
    with pytest.raises(BadRequest, match="surrogate"):
        graph.add(
            Batch(documents, broken.passages, broken.embeddings, broken.mentions, (), vectors)
        )
    assert set(graph.statistics().values()) == {0}


def test_the_number_of_statements_does_not_grow_with_the_batch(graph, caplog):
    caplog.set_level(logging.DEBUG, "hoptrail.kg.neo4j.statements")
    graph.add(batch(*pages(100)))
    run = statements(caplog)
    others = [name for name in run if name != "write/passages"]  # which goes in parts
    assert sorted(set(others)) == sorted(others)  # each once, 200 passages or two
    assert len(run) <= 28


def test_titles_that_are_kept_between_batches_stay_right(graph, address, tmp_path, caplog):
    """The third batch on reads no title again, until another writer or a removal comes between."""
    documents = pages(8)
    late = page("Late", "Page 3 and Odd 1 were drawn late, and so was Page 8.")
    odd = page("Odd 1", "It names Page 2.")
    caplog.set_level(logging.DEBUG, "hoptrail.kg.neo4j.statements")
    for number in range(4):
        graph.add(batch(documents[number]))
    caplog.clear()
    graph.add(batch(documents[4]))
    assert not [name for name in statements(caplog) if "titled" in name]
    with Neo4jStore(address.uri, address.user, address.password) as other:
        other.add(batch(odd))
    graph.add(batch(*documents[5:], late))
    renamed = replace(documents[2], title="Page 20", id=documents[2].document.id)
    graph.add(batch(renamed))
    for number in range(3):
        graph.add(batch(page(f"More {number}", "Page 2, Page 20, Odd 1 and Late.")))
    graph.remove([odd.document.id])
    graph.add(batch(page("Last", "Odd 1, Page 20, More 2.")))
    with SqliteStore(tmp_path / "afresh.db") as afresh:
        afresh.prepare(WORDS.fingerprint)
        left = [*documents[:2], renamed, *documents[3:]]
        more = [page(f"More {number}", "Page 2, Page 20, Odd 1 and Late.") for number in range(3)]
        afresh.add(batch(*left, late, *more, page("Last", "Odd 1, Page 20, More 2.")))
        assert named(graph) == named(afresh)


def test_a_read_is_one_statement(graph, caplog):
    graph.add(batch(*pages(20)))
    vector = WORDS.encode_queries(["Vaagur"])[0]
    vectors = np.stack([vector, vector])
    triples = [statement.triple for statement in batch(*pages(2)).statements]
    caplog.set_level(logging.DEBUG, "hoptrail.kg.neo4j.statements")
    passages = [found.id for found in graph.nearest_passages(vector, 5)]
    graph.keyword_search("Vaagur", 5)
    graph.rank_triples([triples[:1], triples], passages, vectors, 5)
    graph.rank_triples([triples[:1], triples], passages, vectors, 5, within=passages)
    graph.triples_of(passages)
    graph.neighbours(passages, ["NEXT", "NAMES", "SHARES_KEYWORD"])
    for within in (None, passages):
        graph.candidates(vector, "Vaagur", ["page 1"], ["vaagur"], 5, within)
        graph.bridges(dict.fromkeys(passages, 1.0), vector, ["vaagur"], WAYS, {}, within)
    run = statements(caplog)
    assert len(run) == 10  # also where vectors are compared, and it matters whose they are


@pytest.mark.parametrize(
    "text",
    [
        "\ud800 Vaagur \x00 \x1f",
        'Vaagur" OR title:* AND (text:[a TO b] ~ ^ \\ / {',
        "Vaagur " + " ".join(f"word{number}" for number in range(5000)),
        "Vaagur " + "x" * 100_000,
    ],
    ids=["control characters", "syntax", "many words", "a long word"],
)
def test_any_text_can_be_searched_for(graph, text):
    graph.add(batch(*pages(3)))
    assert len(graph.keyword_search(text, 10)) == 3
    assert graph.find(text) == []
    assert graph.passages([text]) == {}


def test_a_name_is_found_with_and_without_its_accents(graph):
    graph.add(batch(page("Tórshavn", "Býur við Nólsoyarfjørð.")))
    found = [graph.keyword_search(text, 5) for text in ("Tórshavn", "torshavn", "BYUR", "býur")]
    assert [len(passages) for passages in found] == [1, 1, 1, 1]


def test_long_titles_and_sources_can_be_kept(graph):
    """Longer than the key of a range index may be; what no index takes is refused before."""
    long = "Lantern " * 4000
    document = Document("long", long, "", long)
    passage = Passage("long", 0, long, "text")
    graph.add(Batch([document], [passage], WORDS.encode_passages(["text"])))
    assert [found.id for found in graph.find(long)] == ["long"]
    too_long = replace(document, id="too long", title="Lantern " * 4100)
    with pytest.raises(BadRequest, match=r"title 'Lantern .* 32,800 bytes long.*a file"):
        graph.add(Batch([too_long], [], np.empty((0, 64), np.float32)))
    assert graph.statistics()["documents"] == 1


def test_the_driver_says_nothing(graph, driver, capfd):
    driver.execute_query("MATCH (n) DETACH DELETE n")
    graph.statistics()
    graph.rank_triples([[]], ["x"], WORDS.encode_queries(["x"]), 5)
    graph.answers(["x"])
    assert capfd.readouterr() == ("", "")


def test_the_tests_themselves_refuse_a_database_that_holds_something(
    address, driver, monkeypatch, tmp_path
):
    driver.execute_query("CREATE (:Customer {name: 'Jens Thorkil'})")
    monkeypatch.setenv("HOPTRAIL_TEST_NEO4J_URI", address.uri)
    monkeypatch.setenv("HOPTRAIL_NEO4J_USER", address.user)
    monkeypatch.setenv("HOPTRAIL_NEO4J_PASSWORD", address.password)
    [version] = versions()
    with pytest.raises(NotEmpty, match="1 nodes"), running_server(version, tmp_path):
        pass
    left = driver.execute_query("MATCH (n:Customer) RETURN n.name AS name").records
    assert [record["name"] for record in left] == ["Jens Thorkil"]
