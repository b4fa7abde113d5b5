"""The Python API, on every store: what the README promises, and what it refuses."""

import functools
import importlib
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from support.fakes import WordEncoder
from support.neo4j_server import versions

from hoptrail import Hoptrail
from hoptrail.kg.errors import BadRequest, EncoderMismatch, NotFound, StoreUnavailable
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.types import Document, Scored
from hoptrail.models import packaged, parser
from hoptrail.models.encoder import SentenceEncoder
from hoptrail.reasoning.methods.trace.method import Trace
from hoptrail.reasoning.retrieval import BM25, Hop, retriever
from hoptrail.service.graph.show import surroundings
from hoptrail.service.payloads import hits_json

pytestmark = pytest.mark.one_release

TEXTS = {
    "The Salt Lantern": "The Salt Lantern is a film. The Salt Lantern was directed by Runa Eide.",
    "Runa Eide": "Runa Eide was a Norwegian director. Runa Eide was born in Vaagur.",
    "Vaagur": "Vaagur is a town on an island. The town has a theatre.",
    "Salt": "Salt is mined in Wieliczka.",
}
SERVERS = [pytest.param(f"neo4j-{v}", marks=pytest.mark.neo4j) for v in versions()]
QUESTION = "Where was the director of The Salt Lantern born?"
EXPANDING = Trace(expand=True)  # ranks by similarity without a language model, too


def documents():
    return [Document(f"id {title}", title, text, f"{title}.txt") for title, text in TEXTS.items()]


@pytest.fixture
def hop(new_store, encoder):
    with Hoptrail(new_store(), encoder=encoder) as hop:
        yield hop


def test_a_multi_hop_question_is_answered_with_its_chain_and_recorded(hop):
    hop.ingest(*documents())
    answer = hop.ask(QUESTION)
    assert (answer.text, answer.abstained) == ("Vaagur", False)
    chain = [(s.triple.head, s.triple.tail) for s in answer.chains[0].triples]
    assert chain == [("The Salt Lantern", "Runa Eide"), ("Runa Eide", "Vaagur")]
    cited = {citation.title: citation.votes for citation in answer.passages}
    assert cited["The Salt Lantern"] >= 1
    assert cited["Runa Eide"] >= 1
    for name in (QUESTION, "Vaagur", answer.passages[0].passage_id, answer.id):
        found = surroundings(hop.store, name)
        assert QUESTION in {a["question"] for thing in found for a in thing.get("answers", [])}


def test_eight_first_questions_load_one_encoder_and_one_parser(tmp_path, monkeypatch):
    graph, loaded = tmp_path / "graph.db", []
    with Hoptrail(graph) as hop:
        hop.ingest(*documents())
    for module, name in (
        *((packaged, name) for name in ("_tokenizer", "_weights", "_made")),
        (importlib.import_module(parser.DEFAULT), "load"),
    ):
        made = getattr(module, name)
        made = getattr(made, "__wrapped__", made)
        counted = functools.partial(lambda made, *of: loaded.append(made) or made(*of), made)
        monkeypatch.setattr(module, name, functools.cache(counted))
    on_cores = SentenceEncoder(device="cpu")
    with Hoptrail(graph, encoder=on_cores) as hop, ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: hop.ask(QUESTION, record=False), range(8)))
    assert {answer.text for answer in answers} == {"Vaagur"}
    assert len(loaded) == len(set(loaded)) == 4


def test_asked_again_nothing_is_encoded_anew_that_was_not_recorded(tmp_path):
    class Counting(WordEncoder):
        def encode_passages(self, texts, progress=None):
            encoded.extend(texts)
            return super().encode_passages(texts, progress)

    encoded: list[str] = []
    with Hoptrail(tmp_path / "graph.db", encoder=Counting()) as hop:
        hop.ingest(*documents())
        encoded.clear()
        answer = hop.ask(QUESTION, method=EXPANDING, record=False)
        assert {s.triple.text for s in answer.chains[0].triples} <= set(encoded)
        encoded.clear()
        assert hop.ask(QUESTION, method=EXPANDING, record=False).text == answer.text
    assert encoded == []


def test_an_answer_is_found_by_its_id_after_evidence_went(hop):
    hop.ingest(*documents())
    hop.ask(QUESTION)
    hop.remove("Runa Eide")
    [recorded] = hop.store.answers([surroundings(hop.store, QUESTION)[0]["answers"][0]["id"]])
    assert recorded.text == "Vaagur"
    assert surroundings(hop.store, recorded.id)


def test_within_answers_from_the_given_passages(hop):
    hop.ingest(*documents())
    own = hop.store.passages_of(["id Salt"])
    answer = hop.ask(QUESTION, within=own, record=False)
    assert answer.abstained
    assert {c.passage_id for c in answer.passages} <= set(own)
    assert hop.statistics()["answers"] == 0


def test_a_method_is_taken_as_an_object_and_as_a_word(hop):
    hop.ingest(*documents())
    made = hop.ask(QUESTION, method=Trace(beams=1, passages=2), record=False)
    said = hop.ask(QUESTION, method="trace:beams=1:passages=2", record=False)
    assert replace(made, usage={}, steps=()) == replace(said, usage={}, steps=())
    assert len(made.shown) == 2
    default = hop.ask(QUESTION, method=Trace, retriever=Hop, record=False)
    assert default.text == hop.ask(QUESTION, record=False).text
    assert hop.statistics()["answers"] == 0


@pytest.mark.parametrize(
    ("method", "retriever", "says"),
    [
        (Trace(beams=0), "hop", "beams of trace is at least 1, not 0"),
        (Trace(beams=1.5), "hop", "beams of trace takes a whole number, not 1.5"),
        (Trace(reads="books"), "hop", "reads of trace takes one of triples, passages, not 'books'"),
        (3, "hop", "3 is no method; give its name"),
        ("trace", 3, "3 is no retriever; give its name"),
    ],
)
def test_what_is_no_method_or_retriever_is_told(hop, method, retriever, says):
    hop.ingest(*documents())
    with pytest.raises(BadRequest, match=says):
        hop.ask(QUESTION, method=method, retriever=retriever)


def test_another_encoder_of_the_same_dimension_is_refused(hop):
    hop.ingest(*documents())
    other = Hoptrail(hop.store, encoder=WordEncoder(name="other words"))
    for refused in (lambda: other.search("salt"), lambda: other.ask("salt?")):
        with pytest.raises(EncoderMismatch, match="other words"):
            refused()
    with pytest.raises(EncoderMismatch):
        other.ingest(*documents())


def test_a_search_takes_a_word_a_retriever_or_what_makes_one(hop):
    hop.ingest(*documents())
    asked = [
        hop.search(QUESTION, retriever=retriever)
        for retriever in (
            "hop:shares=0.5:cover=0.0",
            Hop(hop.store, hop.encoder, shares=0.5, cover=0.0),
            functools.partial(Hop, shares=0.5, cover=0.0),
        )
    ]
    assert asked[0] == asked[1] == asked[2] != hop.search(QUESTION, retriever=Hop)
    found = hits_json(QUESTION, Hop(hop.store, hop.encoder, shares=0.5, cover=0.0), asked[1])
    assert found["retriever"] == "hop:shares=0.5:cover=0.0"
    assert hits_json(QUESTION, Hop(hop.store, hop.encoder), [])["retriever"] == "hop"
    assert hop.search("salt", retriever=BM25(hop.store)) == hop.search("salt", retriever="bm25")


def test_a_retriever_of_ones_own_needs_only_name_and_search(hop):
    class Last:
        name = "last"

        def search(self, question, limit, within=None):
            return [Scored(id_, 1.0) for id_ in hop.store.passages_of(["id Salt"])][:limit]

    hop.ingest(*documents())
    hits = hop.search(QUESTION, retriever=Last())
    assert [hit.passage.title for hit in hits] == ["Salt"]
    assert hits_json(QUESTION, Last(), hits)["retriever"] == "last"


def test_a_retriever_of_another_graph_or_encoder_is_refused(hop, tmp_path, encoder):
    hop.ingest(*documents())
    elsewhere = SqliteStore(tmp_path / "elsewhere.db")
    with pytest.raises(BadRequest, match=r"hop searches .*elsewhere\.db, not "):
        hop.search(QUESTION, retriever=Hop(elsewhere, encoder))
    with pytest.raises(EncoderMismatch, match="other words"):
        hop.search(QUESTION, retriever=Hop(hop.store, WordEncoder(name="other words")))
    assert hop.search(QUESTION)


def test_wrong_requests(hop):
    with pytest.raises(BadRequest, match="no-such-file"):
        hop.ingest(*documents(), "no-such-file")
    assert hop.statistics()["documents"] == 0  # nothing was read before the complaint
    with pytest.raises(NotFound):
        hop.remove("nothing")
    with pytest.raises(BadRequest, match="oracle"):
        hop.ask("Who?", method="oracle")
    with pytest.raises(BadRequest, match="2 to 26 options"):
        hop.ask("Who?", options=["Ulm"])
    with pytest.raises(BadRequest, match=r"there is none: leave them out\. Or set --model"):
        hop.ask("Who?", options=["Ulm", "Bonn"])
    for ask in (hop.ask, hop.search):
        with pytest.raises(BadRequest, match="A question is a text, not NoneType"):
            ask(None)
    for limited in (
        functools.partial(hop.search, "Who?"),
        hop.documents,
        functools.partial(hop.show, "Who?"),
    ):
        for limit in (0, -3):
            with pytest.raises(BadRequest, match=f"limit is {limit}; it has to be 1 at least"):
                limited(limit=limit)


def test_paths_and_documents_come_in_lists_too(hop, tmp_path):
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for path in paths:
        path.write_text(f"The town {path.stem} is on the Danube.")
    assert hop.ingest([str(path) for path in paths], documents()).added == 2 + len(documents())
    assert hop.ingest(paths, prune=True).removed == 0


def test_an_answer_that_can_t_be_recorded_is_still_an_answer(hop, monkeypatch):
    hop.ingest(*documents())

    def refuse(*_):
        raise StoreUnavailable("the graph is being written by another process")

    monkeypatch.setattr(hop.store, "record", refuse)
    with pytest.warns(UserWarning, match="not recorded"):
        assert hop.ask(QUESTION).text == "Vaagur"


@pytest.mark.parametrize("new_store", SERVERS, indirect=True)
def test_a_question_takes_a_bounded_number_of_statements(hop, caplog):
    """However many passages, triples and links there are; the store's log has a line for each.

    One more asks which passages are copies; where these crowd a ranking it is looked at deeper.
    """
    bounds = {  # without copies, and among eight of each passage
        "dense": (2, 6),
        "bm25": (2, 6),
        "hop": (2, 3),
        "gnn": (2 + 1, 2 + 1),
        "gnn:layers=2:alpha=0.5+0.5": (2 + 2, 2 + 2),
    }
    for copies in (1, 8):
        many = [
            Document(f"id {n} {title}", f"{title} {n}" if n else title, text, "many")
            for n in range(copies)
            for title, text in TEXTS.items()
        ]
        hop.ingest(*many)
        own = hop.store.passages_of([document.id for document in many])
        hop.ask(QUESTION, record=False)  # what is read once a connection is read now
        for within in (None, own):
            for name, bound in bounds.items():
                found = retriever(name, hop.store, hop.encoder)
                run = statements(caplog, lambda found=found, w=within: found.search(QUESTION, 5, w))
                assert 0 < len(run) <= bound[copies > 1], (name, run)
            for method, hops in ((Trace(), 3), (Trace(expand=True, max_hops=4), 4)):
                ask = functools.partial(hop.ask, QUESTION, record=False, within=within)
                run = statements(caplog, lambda ask=ask, method=method: ask(method=method))
                # three say where the evidence stands, one which passages are copies, one whether
                # Wikidata's statements are there, where not only some passages are asked
                assert 3 < len(run) <= 7 + hops + 3 * (copies > 1) + (within is None), run


def statements(caplog, asking) -> list[str]:
    """Names of the statements that this takes, from the log."""
    with caplog.at_level(logging.DEBUG, "hoptrail.kg.neo4j.statements"):
        caplog.clear()
        asking()
    return [r.args[0] for r in caplog.records if r.name.endswith("neo4j.statements")]


@pytest.mark.parametrize("asked", [None, True, False])
def test_a_server_embeds_triples_at_ingestion_and_a_file_when_they_are_asked_for(hop, asked):
    hop.ingest(*documents(), embed_triples=asked)
    counted = hop.store.statistics()
    at_once = not isinstance(hop.store, SqliteStore) if asked is None else asked
    assert counted["triples"] > 0
    assert counted["embedded_triples"] == (counted["triples"] if at_once else 0)
    hop.ask(QUESTION, method=EXPANDING)
    assert hop.store.statistics()["embedded_triples"] > 0


def test_a_search_for_words_takes_no_encoder(tmp_path):
    with Hoptrail(tmp_path / "g.db", encoder=WordEncoder()) as hop:
        hop.ingest(Document("1", "Ulm", "Ulm lies on the Danube.", "ulm.md"))
    with Hoptrail(tmp_path / "g.db", encoder=WordEncoder(name="another")) as hop:
        assert [hit.passage.title for hit in hop.search("Danube", retriever="bm25")] == ["Ulm"]
        with pytest.raises(EncoderMismatch):
            hop.search("Danube", retriever="dense")
