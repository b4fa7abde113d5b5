"""The learned ranker: what it learns, says it is worth, and refuses."""

import json
from dataclasses import replace

import numpy as np
import pytest
from support.building import batch
from support.fakes import WordEncoder
from support.towns import town

from hoptrail.kg.errors import BadRequest, EncoderMismatch
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.reasoning.retrieval import Hop, Ranker
from hoptrail.reasoning.retrieval.ranker import KIND, RANKER, Linear
from hoptrail.reasoning.retrieval.ranker_features import FEATURES
from hoptrail.reasoning.training.ranker import MIN_QUESTIONS, Training, examples, fit

pytestmark = pytest.mark.one_release

TRAINED, UNSEEN = 24, 6


@pytest.fixture(scope="module")
def towns(tmp_path_factory):
    """A graph of towns, the questions about them, and an encoder."""
    encoder = WordEncoder()
    path = tmp_path_factory.mktemp("towns") / "graph.db"
    with SqliteStore(path) as graph:
        graph.prepare(encoder.fingerprint)
        made = [town(number) for number in range(TRAINED + UNSEEN)]
        graph.add(batch(*[page for _, pages in made for page in pages]))
        yield graph, [question for question, _ in made], encoder


@pytest.fixture(scope="module")
def fitted(towns):
    graph, questions, encoder = towns
    seen = examples(graph, encoder, questions[:TRAINED], "towns")
    return fit(seen, Hop(graph, encoder), Training(kind="trees"))[0]


def recall(graph, retriever, questions):
    shares = []
    for question in questions:
        found = retriever.search(question.question, 5)
        documents = {p.document_id for p in graph.passages([f.id for f in found]).values()}
        gold = {p.document_id for p in question.paragraphs if p.is_supporting}
        shares.append(len(gold & documents) / len(gold))
    return sum(shares) / len(shares)


@pytest.mark.parametrize("kind", ["trees", "linear"])
def test_it_learns_what_the_hop_cannot_tell(towns, tmp_path, kind):
    graph, questions, encoder = towns
    seen = examples(graph, encoder, questions[:TRAINED], "towns")
    fitted, [worth] = fit(seen, Hop(graph, encoder), Training(kind=kind))
    assert worth.questions == TRAINED
    assert worth.gain.low > 0
    assert worth.ranker - worth.hop == pytest.approx(worth.gain.value)
    file = tmp_path / "ranker.json"
    file.write_text(RANKER.to_json(fitted), encoding="utf-8")
    ranker = Ranker(graph, encoder, str(file))
    unseen = questions[TRAINED:]
    assert recall(graph, ranker, unseen) > recall(graph, Hop(graph, encoder), unseen)


def test_kept_with_the_graph_it_ranks_on_every_store(store, encoder, towns, fitted):
    _, questions, _ = towns
    pages = [page for number in range(TRAINED, TRAINED + UNSEEN) for page in town(number)[1]]
    store.add(batch(*pages))
    store.keep_parameters(KIND, RANKER.to_json(fitted))
    unseen = questions[TRAINED:]
    assert recall(store, Ranker(store, encoder), unseen) > recall(
        store, Hop(store, encoder), unseen
    )
    for question in unseen[:2]:
        own = store.passages_of([p.document_id for p in question.paragraphs])[:3]
        found = Ranker(store, encoder).search(question.question, 10, own)
        assert {f.id for f in found} == set(own)


def test_every_passage_can_be_asked_for(towns, fitted, tmp_path):
    graph, questions, encoder = towns
    (tmp_path / "r.json").write_text(RANKER.to_json(fitted), encoding="utf-8")
    ranker = Ranker(graph, encoder, str(tmp_path / "r.json"))
    everything = graph.statistics()["passages"]
    assert everything > fitted.parameters.depth
    found = ranker.search(questions[0].question, everything)
    assert len(found) == everything
    assert ranker.search(questions[0].question, 0) == []


def test_fewer_asked_for_are_the_first_of_more(towns, fitted, tmp_path):
    graph, questions, encoder = towns
    last_first = Linear(np.array([-float(name == "hop") for name in FEATURES]))
    turned = replace(fitted, parameters=replace(fitted.parameters, model=last_first, depth=7))
    (tmp_path / "r.json").write_text(RANKER.to_json(turned), encoding="utf-8")
    ranker = Ranker(graph, encoder, str(tmp_path / "r.json"))
    found = ranker.search(questions[0].question, 20)
    for limit in (1, 6, 7, 8, 19):
        assert ranker.search(questions[0].question, limit) == found[:limit]
    assert [f.score for f in found] == sorted((f.score for f in found), reverse=True)


@pytest.mark.parametrize("kind", ["trees", "linear"])
def test_where_all_that_is_found_supports_the_order_stays_the_hops(kind, encoder, tmp_path):
    pages, paragraphs = town(1)[1][:2], town(1)[0].paragraphs[:2]
    supporting = tuple(replace(paragraph, is_supporting=True) for paragraph in paragraphs)
    asked = [replace(town(n)[0], paragraphs=supporting) for n in range(MIN_QUESTIONS)]
    with SqliteStore(tmp_path / "graph.db") as graph:
        graph.prepare(encoder.fingerprint)
        graph.add(batch(*pages))
        hop = Hop(graph, encoder)
        fitted, [worth] = fit(examples(graph, encoder, asked, "t"), hop, Training(kind=kind))
        graph.keep_parameters(KIND, RANKER.to_json(fitted))
        question = asked[0].question
        ranked = [f.id for f in Ranker(graph, encoder).search(question, 5)]
        assert ranked == [f.id for f in hop.search(question, 5)]
    assert (worth.gain.low, worth.gain.high) == (0, 0)


def test_what_it_learned_need_not_hold_elsewhere(tmp_path):
    """In one file titles of two words support, in the other those of one: each misleads."""
    encoder = WordEncoder()
    with SqliteStore(tmp_path / "graph.db") as graph:
        graph.prepare(encoder.fingerprint)
        made = [town(number, pairs=number < TRAINED) for number in range(2 * TRAINED)]
        graph.add(batch(*[page for _, pages in made for page in pages]))
        questions = [question for question, _ in made]
        seen = examples(graph, encoder, questions[:TRAINED], "a")
        seen += examples(graph, encoder, questions[TRAINED:], "b")
        _, worths = fit(seen, Hop(graph, encoder), Training(kind="trees"))
    assert [(worth.source, worth.questions) for worth in worths] == [("a", TRAINED), ("b", TRAINED)]
    for worth in worths:
        assert worth.without is not None
        assert worth.without.value < 0


def test_it_says_where_it_comes_from(fitted):
    provenance = json.loads(RANKER.to_json(fitted))["provenance"]
    assert provenance["questions"] == TRAINED
    assert provenance["training"]["kind"] == "trees"
    assert provenance["worth"][0]["gain"]["value"] > 0
    assert {"sources", "made_with", "date"} <= set(provenance)


def test_without_a_fitted_one_the_command_is_named(towns):
    graph, _, encoder = towns
    with pytest.raises(BadRequest, match="train ranker"):
        Ranker(graph, encoder).search("Who?", 5)


def test_another_encoder_is_refused(towns, fitted, tmp_path):
    graph, _, _ = towns
    other = replace(fitted, encoder=replace(fitted.encoder, weights="others"))
    (tmp_path / "r.json").write_text(RANKER.to_json(other), encoding="utf-8")
    with pytest.raises(EncoderMismatch, match="others"):
        Ranker(graph, WordEncoder(), str(tmp_path / "r.json")).search("Who?", 5)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": 99}, "newer version"),
        ({"features": list(FEATURES[1:])}, "other features"),
        ({"kind": "gnn-ret"}, "not a fitted ranker"),
        ({"trees": {}}, "not a fitted ranker"),
        ({"hop_weight": "much"}, "not a fitted ranker"),
        ({"encoder": {"name": "words"}}, "not a fitted ranker"),
        ({"hop": {"pool": 100, "jumps": 3}}, "other settings"),
    ],
)
def test_what_is_no_ranker_is_refused(towns, fitted, tmp_path, change, said):
    graph, _, encoder = towns
    record = json.loads(RANKER.to_json(fitted)) | change
    (tmp_path / "r.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(BadRequest, match=said):
        Ranker(graph, encoder, str(tmp_path / "r.json")).search("Who?", 5)


def test_what_is_no_json_is_refused(tmp_path):
    for text in ("{", "[]", "null"):
        (tmp_path / "r.json").write_text(text, encoding="utf-8")
        with pytest.raises(BadRequest, match=r"r\.json"):
            RANKER.load(tmp_path / "r.json")
    with pytest.raises(BadRequest, match="can't be read"):
        RANKER.load(tmp_path / "none.json")


def test_a_few_questions_teach_nothing(towns):
    graph, questions, encoder = towns
    seen = examples(graph, encoder, questions[:5], "few")
    with pytest.raises(BadRequest, match="5 questions"):
        fit(seen, Hop(graph, encoder), Training())


def test_questions_whose_paragraphs_the_graph_lacks_are_left_out(towns):
    graph, _, encoder = towns
    stranger = town(999)[0]
    assert examples(graph, encoder, [stranger], "strangers") == []
