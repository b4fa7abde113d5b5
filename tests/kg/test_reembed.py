"""A graph moved to another encoder, on every store: nothing but its vectors changes."""

import base64
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support.building import WAYS, WORDS, batch, content, kind, page
from support.fakes import WordEncoder
from support.processes import python_path

from hoptrail.kg.errors import BadRequest, EncoderMismatch, StoreUnavailable
from hoptrail.kg.maintenance import Reembedding
from hoptrail.kg.neo4j import reembed as neo4j_reembed
from hoptrail.kg.neo4j.store import Neo4jStore
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.store import GraphStore
from hoptrail.kg.types import Vector
from hoptrail.service.graph.reembed import Move, reembed

pytestmark = pytest.mark.one_release

PAGES = [
    page(
        f"Page {number}",
        f"Page {number} was drawn by Runa Eide in Vaagur.",
        f"It has {number} sheets.",
        mentions=("Runa Eide", "Vaagur"),
        triples=((f"Page {number}", "drawn by", "Runa Eide"),),
    )
    for number in range(6)
]


class Turned(WordEncoder):
    """Vectors of the same dimension that mean something else."""

    def __init__(self) -> None:
        super().__init__(name="turned")

    def _vector(self, text: str) -> Vector:
        return np.roll(super()._vector(text), 1)


OTHERS = [Turned(), WordEncoder(24, "small")]


def moved(store: GraphStore, encoder: WordEncoder, triples: bool = False) -> Move:
    return reembed(store, encoder, triples, lambda move: None)


def again(store: GraphStore) -> GraphStore:
    """The same graph, as another process opens it."""
    if isinstance(store, SqliteStore):
        return SqliteStore(store.where)
    server = store._server
    return Neo4jStore(server.where, server._user, server._password)


@pytest.fixture
def graph(store) -> GraphStore:
    store.add(batch(*PAGES[:4]))
    store.add(batch(*PAGES[4:], embedded=False))
    store.keep_parameters("gnn-ret", "{}")
    return store


@pytest.fixture
def other(graph) -> Iterator[GraphStore]:
    with again(graph) as store:
        yield store


@pytest.mark.parametrize("target", OTHERS, ids=["turned", "small"])
def test_it_equals_one_built_afresh_and_moved_back_the_one_before(graph, target):
    before = content(graph)
    move = moved(graph, target)
    assert (move.moved, move.passages, move.triples, move.done) == (True, 12, 4, move.texts)
    after = content(graph)
    assert after[0]["fingerprint"]["name"] == target.fingerprint.name
    _check_vectors(graph, target)
    bare = [{**r, "embedding": bool(r.get("embedding")), "fingerprint": 0} for r in after]
    assert bare == [{**r, "embedding": bool(r.get("embedding")), "fingerprint": 0} for r in before]
    moved(graph, WORDS)
    assert content(graph) == before


def _check_vectors(graph: GraphStore, encoder: WordEncoder) -> None:
    """Records hold exactly what this encoder makes of the texts, and searches find by it."""
    for record in kind(graph, "passage"):
        text = f"{record['title']}\n{record['text']}"
        held = np.frombuffer(base64.b64decode(record["embedding"]), "<f4")
        np.testing.assert_array_equal(held, encoder.encode_passages([text])[0])
        [best] = graph.nearest_passages(encoder.encode_passages([text])[0], 1)
        assert (best.id, round(best.score, 4)) == (record["id"], 1.0)
    held = [record for record in kind(graph, "triple") if record["embedding"]]
    assert len(held) == 4
    for record in held:
        text = f"{record['head']} {record['relation']} {record['tail']}"
        [vector] = graph.triple_embeddings([record["id"]]).values()
        np.testing.assert_array_equal(vector, encoder.encode_passages([text])[0])


@pytest.mark.parametrize("target", OTHERS, ids=["turned", "small"])
def test_who_still_has_the_old_encoder_reads_until_the_switch_and_is_refused_after(
    graph, other, target
):
    vector = WORDS.encode_queries(["sheets"])[0]
    other.expect(WORDS.fingerprint)
    before = other.nearest_passages(vector, 3), content(other)
    move = graph.maintenance.reembedding(target.fingerprint)
    _keep(move, target, "passage", "triple")
    assert (other.nearest_passages(vector, 3), content(other)) == before
    assert other.maintenance.moving_to() == target.fingerprint

    assert move.finish()
    ids = [record["id"] for record in before[1] if record["kind"] == "triple"]
    for operation in (
        lambda: other.nearest_passages(vector, 3),
        lambda: other.nearest_passages(vector, 3, within=[before[0][0].id]),
        lambda: other.rank_triples([[]], [before[0][0].id], vector[None], 3),
        lambda: other.candidates(vector, "sheets", [], ["sheet"], 3),
        lambda: other.bridges({before[0][0].id: 1.0}, vector, ["sheet"], WAYS, {}),
        lambda: other.triple_embeddings(ids),
        lambda: other.set_triple_embeddings({ids[-1]: vector}),
        lambda: other.add(batch(page("New", "A new page."))),
        lambda: other.prepare(WORDS.fingerprint),
    ):
        with pytest.raises(EncoderMismatch, match="hoptrail reembed"):
            operation()
    assert other.keyword_search("sheets", 3)
    assert other.maintenance.moving_to() is None


def test_what_is_written_meanwhile_is_taken_along(graph, other):
    encoder, writes = Turned(), iter((PAGES[0], page("Page 7", "Page 7 is new.")))
    other.prepare(WORDS.fingerprint)

    class Writing(Turned):
        def encode_passages(self, texts, progress=None):
            if new := next(writes, None):
                other.add(batch(new))
            return super().encode_passages(texts)

    renamed = page("Page one", *PAGES[1].texts, id="id of Page 1")
    move = graph.maintenance.reembedding(encoder.fingerprint)
    given = next(move.lacking(100))
    other.add(batch(renamed))  # the same passages by id, and the encoder reads another title
    move.keep(given, encoder.encode_passages(list(given.texts.values())))
    assert moved(graph, Writing()).passages >= 3
    stored = kind(graph, "passage")
    assert {"Page one", "Page 7"} <= {record["title"] for record in stored}
    for record in stored:
        text = f"{record['title']}\n{record['text']}"
        [best] = graph.nearest_passages(encoder.encode_passages([text])[0], 1)
        assert (best.id, round(best.score, 4)) == (record["id"], 1.0)


def test_another_target_begins_anew_and_nobody_mixes_vectors_of_two(graph):
    small = WordEncoder(24, "small")
    turned = Turned()
    move = graph.maintenance.reembedding(small.fingerprint)
    given = next(move.lacking(5))
    vectors = small.encode_passages(list(given.texts.values()))
    move.keep(given, vectors)
    assert move.count() == 12 + 4 - 5
    assert not move.finish()
    assert graph.maintenance.reembedding(turned.fingerprint).count() == 12 + 4
    for refused in (lambda: move.keep(given, vectors), move.finish):
        with pytest.raises(EncoderMismatch, match="moved to turned"):
            refused()
    moved(graph, turned)
    _check_vectors(graph, turned)


def test_nothing_to_do_is_done_and_triples_can_be_embedded_later(graph):
    with pytest.raises(BadRequest, match="already"):
        graph.maintenance.reembedding(WORDS.fingerprint)
    before = content(graph)
    move = moved(graph, WORDS)
    assert (move.moved, move.done, content(graph) == before) == (False, 0, True)
    assert moved(graph, WORDS, triples=True).triples == 2
    assert list(graph.maintenance.not_embedded(10)) == []
    assert graph.statistics()["embedded_triples"] == 6
    assert moved(graph, Turned(), triples=True).triples == 6


def test_only_what_is_missing_is_encoded_by_the_second_run(graph):
    turned, move = Turned(), None

    def stop(so_far: Move) -> None:
        if so_far.done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reembed(graph, turned, False, stop)
    with again(graph) as store:
        move = moved(store, turned)
        _check_vectors(store, turned)
    assert (move.passages, move.triples) == (0, 4)  # all passages were one chunk


def test_a_switch_that_broke_off_on_a_server_says_so_and_is_ended(graph, other, monkeypatch):
    if isinstance(graph, SqliteStore):
        pytest.skip("the switch is one transaction")
    turned = Turned()

    def broken(server, dimension):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(neo4j_reembed, "make_vector_index", broken)
        with pytest.raises(KeyboardInterrupt):
            moved(graph, turned)
    vector = WORDS.encode_queries(["sheets"])[0]
    for operation in (
        lambda: other.nearest_passages(vector, 3),
        lambda: other.prepare(WORDS.fingerprint),
        lambda: other.remove(["id of Page 1"]),
        lambda: list(other.maintenance.records()),
        lambda: moved(other, WordEncoder(24, "small")),
    ):
        with pytest.raises(StoreUnavailable, match=r"turned; try again.*--encoder turned reembed"):
            operation()
    assert other.statistics()["passages"] == 12
    assert moved(other, turned).moved
    _check_vectors(other, turned)


def test_who_is_late_with_the_switch_undoes_nothing(graph, other, monkeypatch):
    if isinstance(graph, SqliteStore):
        pytest.skip("the switch is one transaction")
    turned, third = Turned(), WordEncoder(name="third")
    move = graph.maintenance.reembedding(turned.fingerprint)
    _keep(move, turned, "passage", "triple")
    drop = neo4j_reembed.drop_vector_index

    def held_up(server):
        monkeypatch.undo()
        assert other.maintenance.reembedding(turned.fingerprint).finish()
        _keep(other.maintenance.reembedding(third.fingerprint), third, "passage")
        drop(server)

    monkeypatch.setattr(neo4j_reembed, "drop_vector_index", held_up)
    assert move.finish()
    graph.expect(turned.fingerprint)
    _check_vectors(graph, turned)
    assert graph.maintenance.moving_to() == third.fingerprint
    assert graph.maintenance.reembedding(third.fingerprint).count() == 4


def _keep(move: Reembedding, encoder: WordEncoder, *kinds) -> None:
    for given in move.lacking(100):
        if given.kind in kinds:
            move.keep(given, encoder.encode_passages(list(given.texts.values())))


KILLED = """
import os, signal, sys
sys.path.insert(0, {tests!r})
from test_reembed import Turned, reembed
from hoptrail.service.settings import open_store
from hoptrail.service.graph import reembed as reembedding
reembedding.CHUNK = 3
left = int(sys.argv[2])
def die(move):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
reembed(open_store(sys.argv[1]), Turned(), False, die)
"""


@pytest.mark.parametrize("steps", [2, 4, 6])
def test_killed_it_is_finished_by_the_same_call(graph, steps):
    if steps != 4 and isinstance(graph, Neo4jStore):
        pytest.skip("once is enough on a server, which does not see the difference")
    environment = dict(os.environ)
    if isinstance(graph, Neo4jStore):
        environment["HOPTRAIL_NEO4J_USER"] = graph._server._user
        environment["HOPTRAIL_NEO4J_PASSWORD"] = graph._server._password or ""
    script = KILLED.format(tests=str(Path(__file__).parent))
    environment["PYTHONPATH"] = python_path(Path(__file__).parents[1])
    process = subprocess.run(
        [sys.executable, "-c", script, graph.where, str(steps)], env=environment, timeout=60
    )
    assert process.returncode == -signal.SIGKILL
    with again(graph) as store:
        kept = 3 * (steps - 1)
        assert store.maintenance.reembedding(Turned().fingerprint).count() == 16 - kept
        assert store.info().fingerprint == WORDS.fingerprint
        move = moved(store, Turned())
        assert move.done == 16 - kept
        _check_vectors(store, Turned())
