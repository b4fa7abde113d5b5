"""A graph moved whole: from any store into any, and equal in all it does afterwards."""

import base64
import copy
from dataclasses import replace

import numpy as np
import pytest
from conftest import emptied
from support.building import WAYS, WORDS, batch, content, kind, page
from support.fakes import WordEncoder
from support.neo4j_server import versions

from hoptrail.kg.answers import Answer, Chain, Citation, SupportedTriple
from hoptrail.kg.errors import BadRequest, SchemaMismatch, StoreUnavailable
from hoptrail.kg.linked import Claim, ItemLink, LinkedItem
from hoptrail.kg.records import BadRecord
from hoptrail.kg.schema import KINDS
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.types import Batch, Document, Failure, Passage

pytestmark = pytest.mark.one_release

LANTERN = page(
    "The Salt Lantern",
    "The Salt Lantern opened at the Vaagur Theatre in 1911.",
    "Its second production moved to Tórshavn, where Jens Thorkil saw it.",
    mentions=("Salt Lantern", "Vaagur Theatre", "Tórshavn", "Jens Thorkil"),
    triples=(("The Salt Lantern", "opened at", "the Vaagur Theatre"),),
)
THEATRE = page(
    "Vaagur Theatre",
    "The theatre was designed by Jens Thorkil of TÓRSHAVN. \U0001f3ad Ｆull width.",
    mentions=("Jens Thorkil", "TÓRSHAVN", "\U0001f3ad", "Ｆull"),
    triples=(("theatre", "designed by", "Jens Thorkil"),),
)
THORKIL = page(
    "Jens Thorkil",
    "Jens Thorkil was born in Torshavn and drew the Vaagur Theatre.",
    mentions=("Jens Thorkil", "Torshavn", "Vaagur Theatre"),
    triples=(("Jens Thorkil", "born in", "Torshavn"),),
)
TIED = page(
    "Nólsoy",
    "Jens Thorkil, Torshavn, 1911.",
    mentions=("Jens Thorkil",),
    triples=(("Jens Thorkil", "·", "1911"),),
    extractor="test-tied",
)
ALL = (LANTERN, THEATRE, THORKIL, TIED)


def fill(store) -> None:
    """Everything a graph can hold."""
    store.prepare(WORDS.fingerprint)
    whole = batch(*ALL[:3])
    extractors = {passage.id: "test" for passage in whole.passages}
    store.add(replace(whole, extractors=extractors, failures=[Failure("broken.pdf", "no text")]))
    store.add(batch(TIED, embedded=False))
    document = Document("d", "Rain", "Text.", "rain.md", {"page": 3, "draft": True, "author": "Ö"})
    placed = Passage("d", 0, "Rain", "Text.", "A heading", 7)
    store.add(Batch([document], [placed], WORDS.encode_passages(["Text."])))
    triple = whole.statements[0].triple
    first, second = whole.passages[:2]
    chains = (Chain((SupportedTriple(triple, (first.id,)), SupportedTriple(triple, ())), -1.5),)
    cited = (Citation(second.id, second.title, second.text, 2, 0.25),)
    store.record(Answer("Where?", "trace", "Vaagur", False, 0.5, (), chains, cited))
    store.record(Answer("Where?", "trace", "", True, usage={"calls": 2, "seconds": 0.5}))
    store.keep_parameters("gnn-ret", '{"alpha": 0.5}')
    item = LinkedItem("Q1", "Vaagur", "town", "http://here/sparql", "2026-01-01")
    entity = whole.mentions[0].entity_id
    link = ItemLink(first.document_id, entity, item.id, 1.5, 0.5, "linker", "name 1.00")
    store.wikidata.link([first.document_id], "linker", [link], [item])
    said = ("normal", "", "", "", "", "", item.endpoint, item.fetched_at)
    store.wikidata.state([item.id], [Claim(item.id, "P1", "is", "here", None, *said)])


@pytest.fixture
def source(tmp_path) -> SqliteStore:
    with SqliteStore(tmp_path / "source.db") as store:
        fill(store)
        yield store


def searched(store) -> list:
    """What questions see of a graph."""
    vector = WORDS.encode_queries(["Who designed the theatre?"])[0]
    ids = [scored.id for scored in store.nearest_passages(vector, 10)]
    bridges = store.bridges(dict.fromkeys(ids, 1.0), vector, ["theatr"], WAYS, {})
    return [
        [scored.id for scored in store.keyword_search("theatre designed Tórshavn", 10)],
        ids,
        store.candidates(
            vector, "theatre", ["vaagur theatre"], ["theatr", "design"], 3
        ).frequencies,
        [(b.source, b.target.id, b.rarest) for b in bridges],
        store.neighbours(ids, ["NEXT", "NAMES", "SHARES_KEYWORD"]),
        store.entities(["jens thorkil", "torshavn", "1911"]),
        store.find("Tórshavn"),
        store.answers(ids),
        store.extractors(ids),
        store.documents(),
    ]


def test_a_graph_comes_back_equal_from_every_store(source, new_store, tmp_path):
    expected = list(source.maintenance.records())
    store = new_store()
    assert store.maintenance.restore(source.maintenance.records()) == len(expected)
    assert list(store.maintenance.records()) == expected
    assert set(KINDS) == {record["kind"] for record in expected}  # nothing was left untried
    with SqliteStore(tmp_path / "back.db") as back:
        back.maintenance.restore(store.maintenance.records())
        assert list(back.maintenance.records()) == expected
        assert searched(back) == searched(source)


def test_a_restored_graph_is_searched_and_changed_like_the_original(source, new_store):
    """What no record says (spellings, stems, full text) is there too: later changes stay exact."""
    store = new_store()
    store.maintenance.restore(source.maintenance.records())
    assert searched(store)[1:] == searched(source)[1:]  # BM25 differs a little between the stores
    assert set(searched(store)[0]) == set(searched(source)[0])
    changed = page(
        "The Salt Lantern",
        "The Salt Lantern closed. Jens Thorkil wept in Tórshavn.",
        mentions=("Jens Thorkil", "Tórshavn"),
    )
    for graph in (store, source):
        assert graph.remove([THEATRE.document.id, "d"]) == 2
        graph.add(batch(changed))
    assert content(store) == content(source)
    remaining = [document.id for document in (LANTERN.document, THORKIL.document, TIED.document)]
    assert store.remove(remaining) == 3
    assert store.statistics()["entities"] == 0
    vector = WORDS.encode_queries(["theatre"])[0]
    assert store.candidates(vector, "theatre", [], ["theatr", "thorkil"], 3).frequencies == {}


def test_an_empty_graph_of_another_encoder_takes_that_of_the_records(source, new_store):
    small = WordEncoder(dimension=8, name="small")
    store = new_store()
    store.prepare(small.fingerprint)
    store.add(batch())
    store.maintenance.restore(source.maintenance.records())
    assert store.info().fingerprint == WORDS.fingerprint
    vector = WORDS.encode_queries(["theatre"])[0]
    assert len(store.nearest_passages(vector, 10)) == 6


def test_a_graph_that_holds_something_is_left_alone(source, store):
    store.add(batch(THORKIL))
    before = list(store.maintenance.records())
    with pytest.raises(BadRequest, match=r"is not empty \(documents: 1.*empty graph"):
        store.maintenance.restore(source.maintenance.records())
    assert list(store.maintenance.records()) == before
    store.remove([THORKIL.document.id])
    store.keep_parameters("ranker", "{}")
    with pytest.raises(BadRequest, match="fitted parameters: 1"):
        store.maintenance.restore(source.maintenance.records())


def edited(records, of_kind, number=0, **fields):
    """One of the records of a kind with other fields; its number, from 1."""
    places = [place for place, record in enumerate(records) if record["kind"] == of_kind]
    place = places[number]
    made = {**records[place], **fields}
    return [*records[:place], made, *records[place + 1 :]], place + 1


VECTOR = base64.b64encode(np.zeros(8, "<f4").tobytes()).decode()


@pytest.mark.parametrize(
    ("of_kind", "fields", "says"),
    [
        ("info", {"created_by": 1}, "'created_by' of info is 1, not a text"),
        ("info", {"fingerprint": {"name": "words"}}, "'dimension' of 'fingerprint'"),
        ("document", {"title": None}, "'title' of document is None"),
        ("document", {"metadata": [1]}, "'metadata' of document"),
        ("passage", {"text": "Edited."}, "'id' of passage"),
        ("passage", {"title": "Edited"}, "'normal_title' of passage"),
        ("passage", {"terms": ["edit"]}, "'terms' of passage"),
        ("passage", {"embedding": "not base64"}, "'embedding' of passage"),
        ("passage", {"embedding": VECTOR}, "64 float32"),
        ("passage", {"embedding": None}, "'embedding' of passage is None"),
        ("passage", {"position": 1.5}, "'position' of passage is 1.5, not a whole number"),
        ("passage", {"page": 2**63}, "'page' of passage"),
        ("triple", {"relation": "closed at"}, "'id' of triple"),
        ("triple", {"more": 1}, "triple has no field 'more'"),
        ("next", {"target": "elsewhere"}, "next .* is not what follows"),
        ("mentions", {"passage_id": "0"}, "mentions .*'passage_id': '0'.*not among"),
        ("mentions", {"surface": "\ud800"}, "'surface' of mentions"),
        ("shares_keyword", {"weight": 9}, "shares_keyword .* is not what follows"),
        ("names", {"source": "0"}, "names 0 → .* is not what follows"),
        ("states", {"triple_id": "0"}, "states .*'triple_id': '0'"),
        ("extracted_by", {"passage_id": "0"}, "extracted_by .*'0'"),
        ("relates_to", {"relation": "x"}, "relates_to .* is not what follows"),
        ("answer", {"cites": [[0, 1, 0.5, "gone"]]}, "passage gone: not there"),
        ("answer", {"steps": [[0, 0, 1.0, "gone", []]]}, "triple gone: not there"),
        ("answer", {"steps": [[0, 0]]}, "'steps' of answer"),
        ("answer", {"confidence": float("nan")}, "'confidence' of answer"),
        ("failure", {"kind": "success"}, "its kind is 'success'"),
    ],
)
def test_a_record_that_is_none_is_named_by_number_and_field(
    source, tmp_path, of_kind, fields, says
):
    records, number = edited(list(source.maintenance.records()), of_kind, **fields)
    with SqliteStore(tmp_path / "target.db") as store:
        with pytest.raises(BadRecord, match=f"^record {number}: .*{says}"):
            store.maintenance.restore(records)
        assert store.info() is None
        assert store.maintenance.restore(source.maintenance.records())


@pytest.mark.parametrize(
    ("of_kind", "fields", "says"),
    [
        ("entity", {"name": "Other"}, "Entity '1911': 'name'"),
        ("entity", {"passages": 5}, "Entity '1911': .* 0 mentions"),
        ("mentions", {"surface": "Thorkil, Jens"}, "'thorkil, jens'|Entity 'jens thorkil'"),
    ],
)
def test_records_that_contradict_each_other_are_refused(source, tmp_path, of_kind, fields, says):
    records, _ = edited(list(source.maintenance.records()), of_kind, **fields)
    with (
        SqliteStore(tmp_path / "target.db") as store,
        pytest.raises(BadRequest, match=says),
    ):
        store.maintenance.restore(records)


ALONE = {"parameters", "extracted_by", "linked_by", "link", "claim", "answer", "failure"}


@pytest.mark.parametrize("of_kind", sorted(KINDS.keys() - ALONE))
def test_a_missing_record_is_noticed(source, tmp_path, of_kind):
    """Except of what nothing else says anything about."""
    records = list(source.maintenance.records())
    places = [place for place, record in enumerate(records) if record["kind"] == of_kind]
    del records[places[-1]]
    with SqliteStore(tmp_path / "target.db") as store, pytest.raises(BadRequest):
        store.maintenance.restore(records)


def test_a_record_twice_or_out_of_order_is_refused(source, tmp_path):
    records = list(source.maintenance.records())
    with SqliteStore(tmp_path / "target.db") as store:
        for wrong in ([*records[:5], *records[4:]], [*records[:4], records[5], records[4]]):
            with pytest.raises(BadRecord, match=r"record 6: .* twice or out of order"):
                store.maintenance.restore(wrong)
        with pytest.raises(BadRecord, match="record 1: the first one is of kind 'info'"):
            store.maintenance.restore(records[1:])


def test_no_records_are_no_graph(tmp_path):
    with (
        SqliteStore(tmp_path / "target.db") as store,
        pytest.raises(BadRequest, match="no records"),
    ):
        store.maintenance.restore([])


def test_a_contradiction_never_reaches_a_server(source, new_store):
    store = new_store()
    records, _ = edited(list(source.maintenance.records()), "failure", reason=1)
    with pytest.raises(BadRecord, match="'reason'"):
        store.maintenance.restore(records)
    assert store.info() is None
    assert set(store.statistics().values()) == {0}


def test_records_of_an_older_version_are_brought_up_to_date(source, new_store):
    expected = list(source.maintenance.records())
    older = copy.deepcopy(expected)
    older[0]["schema_version"] = 1
    for record in older:
        if record["kind"] == "passage":
            del record["heading"], record["page"]
    older = [record for record in older if record["kind"] not in ("names", "extracted_by")]
    store = new_store()
    store.maintenance.restore(older)
    unknown = {"heading": "", "page": None}
    assert list(store.maintenance.records()) == [
        {**record, **(unknown if record["kind"] == "passage" else {})}
        for record in expected
        if record["kind"] != "extracted_by"
    ]


def test_records_of_a_newer_version_are_refused(source, tmp_path):
    records, _ = edited(list(source.maintenance.records()), "info", schema_version=99)
    with SqliteStore(tmp_path / "target.db") as store, pytest.raises(SchemaMismatch, match="99"):
        store.maintenance.restore(records)


def test_progress_ends_with_all_of_them(source, new_store):
    seen: list[int] = []
    count = new_store().maintenance.restore(source.maintenance.records(), seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == count


def interrupted(source, after: int):
    """Ends with an interrupt when so many records were read."""
    for number, record in enumerate(source.maintenance.records()):
        if number == after:
            raise KeyboardInterrupt
        yield record


def test_an_interrupted_restoration_leaves_nothing_in_a_file(source, tmp_path):
    with SqliteStore(tmp_path / "target.db") as store:
        with pytest.raises(KeyboardInterrupt):
            store.maintenance.restore(interrupted(source, 30))
        assert list(store.maintenance.records()) == []
        store.maintenance.restore(source.maintenance.records())
        assert list(store.maintenance.records()) == list(source.maintenance.records())


@pytest.fixture(params=[pytest.param(v, marks=pytest.mark.neo4j) for v in versions()])
def neo4j_store(request, neo4j_servers):
    with emptied(neo4j_servers(request.param)) as store:
        yield store
        store.close()
    emptied(neo4j_servers(request.param)).close()


class Broken(Exception):
    """The process ends here."""


def test_a_restoration_that_broke_off_on_a_server_says_so_and_begins_anew(source, neo4j_store):
    def break_off(written: int) -> None:
        if written > 12:  # documents and passages are there
            raise Broken

    with pytest.raises(Broken):
        neo4j_store.maintenance.restore(source.maintenance.records(), break_off)
    vector = WORDS.encode_queries(["theatre"])[0]
    for asked in (
        neo4j_store.info,
        neo4j_store.statistics,
        lambda: list(neo4j_store.maintenance.records()),
        lambda: neo4j_store.nearest_passages(vector, 3),
        lambda: neo4j_store.add(batch(THORKIL)),
        lambda: neo4j_store.prepare(WORDS.fingerprint),
    ):
        with pytest.raises(StoreUnavailable, match=r"begins anew|repeat"):
            asked()
    neo4j_store.maintenance.restore(source.maintenance.records())
    assert list(neo4j_store.maintenance.records()) == list(source.maintenance.records())


def test_of_two_restorations_at_once_the_first_stops(source, neo4j_store):
    def another(written: int) -> None:
        if not begun:
            begun.append(written)
            neo4j_store.maintenance.restore(source.maintenance.records())

    begun: list[int] = []
    with pytest.raises(StoreUnavailable, match="Another process"):
        neo4j_store.maintenance.restore(source.maintenance.records(), another)
    assert list(neo4j_store.maintenance.records()) == list(source.maintenance.records())


def test_what_changes_while_a_server_is_read_is_noticed(neo4j_store):
    fill(neo4j_store)
    reading = neo4j_store.maintenance.records()
    next(reading)
    neo4j_store.add(batch(page("Sumba", "Sumba lies south.")))
    with pytest.raises(StoreUnavailable, match="written to while it was read"):
        list(reading)


def test_kinds_are_in_the_order_of_the_records(source):
    kinds = list(dict.fromkeys(record["kind"] for record in source.maintenance.records()))
    assert kinds == list(KINDS)
    assert kind(source, "info")
