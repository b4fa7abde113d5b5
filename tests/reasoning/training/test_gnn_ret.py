"""Training α and β: what it learns, from what, and how it is kept."""

import json

import numpy as np
import pytest
from support.building import batch, page
from support.fakes import WordEncoder

from hoptrail.kg.errors import BadRequest, EncoderMismatch
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.loaders.questions.files import Paragraph, Question
from hoptrail.reasoning.fitted import Fitted
from hoptrail.reasoning.retrieval import Dense, GnnRet, retriever
from hoptrail.reasoning.retrieval.gnn_parameters import GNN_RET, GnnParameters
from hoptrail.reasoning.training.gnn_ret import (
    Labelled,
    Training,
    _average,
    chains,
    held_out,
    labelled,
    train,
)
from hoptrail.reasoning.training.message_passing import Chain

pytestmark = pytest.mark.one_release

QUESTION = "Who composed the song Salt Lantern?"
SONG = page(
    "Salt Lantern", "The song Salt Lantern, composed by Eide.", "A hit.", mentions=("Eide",)
)
COMPOSER = page("Eide", "Eide of Sandur.", mentions=("Eide", "Sandur"))
SANDUR = page("Sandur", "Sandur is an island village.", mentions=("Sandur",))
STRANGER = page("Composed", "He composed a song about salt, says Eide.", mentions=("Rolf",))
LAMP = page("Lamp", "Rolf has a lamp, no lantern.", mentions=("Rolf",))
PAGES = (SONG, COMPOSER, SANDUR, STRANGER, LAMP)
FIRST, EIDE, TOWN = SONG.passages[0].id, COMPOSER.passages[0].id, SANDUR.passages[0].id


@pytest.fixture
def graph(store):
    store.add(batch(*PAGES))
    return store


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_messages_in_training_are_those_of_the_store(graph, encoder, layers):
    alphas = (0.3, 0.6, 0.8)[:layers]
    gnn = GnnRet(graph, encoder, alphas, layers, senders=2)
    [vector] = encoder.encode_queries([QUESTION])
    chain = Chain(graph, vector[None], [FIRST], 2, gnn.kinds)
    [(distances, _)] = chain.pass_on(np.array([*alphas, 1.0]))
    assert sorted(distances) == pytest.approx(
        [distance for _, distance in gnn.integrated(vector).smallest(99)]
    )


@pytest.mark.parametrize("subquestions", [(), (QUESTION, "Where is Eide from?", "What village?")])
def test_the_gradient_is_the_losss(graph, encoder, subquestions):
    settings = Training(layers=2, senders=2, competitors=4, margin=1.0)
    vectors = encoder.encode_queries(list(subquestions) or [QUESTION])
    chains = [Chain(graph, vectors, [FIRST, EIDE, TOWN], 2, settings.kinds)]
    at = np.array([0.7, 0.8, 0.9])
    _, gradient = _average(chains, at, settings)
    for one in np.eye(3) * 1e-6:
        slope = _average(chains, at + one, settings)[0] - _average(chains, at - one, settings)[0]
        assert slope / 2e-6 == pytest.approx(float(gradient @ one) * 1e6, abs=1e-5)


def test_neighbours_that_support_teach_to_listen(graph, encoder):
    together = [Labelled(QUESTION, frozenset([FIRST, EIDE]))]
    start = Training(alpha=0.9, senders=1, competitors=4, margin=0.5)
    learned = train(graph, encoder, together, start)
    assert learned.parameters.alphas[0] < 0.5
    before, after = learned.provenance["loss"]
    assert after < before
    assert learned.parameters.beta is None


def test_neighbours_that_do_not_support_teach_not_to(graph, encoder):
    alone = [Labelled(QUESTION, frozenset([FIRST]))]
    start = Training(alpha=0.2, senders=1, competitors=3, margin=0.5)
    assert train(graph, encoder, alone, start).parameters.alphas[0] > 0.8


def test_sub_questions_train_beta_too(graph, encoder):
    chain = Labelled(QUESTION, frozenset([FIRST, EIDE]), (QUESTION, "Which island village?"))
    alone = Labelled(QUESTION, frozenset([FIRST, EIDE]))
    settings = Training(margin=0.5)
    learned = train(graph, encoder, [chain, alone], settings)
    assert learned.parameters.beta is not None
    assert 0 <= learned.parameters.beta <= 1
    assert len(learned.parameters.step_alphas) == 1
    assert learned.provenance["questions"] == 2
    assert learned.provenance["step_questions"] == 1
    whole = train(graph, encoder, [alone, alone], settings)
    assert learned.parameters.alphas == whole.parameters.alphas


def test_questions_of_other_graphs_are_left_out(graph, encoder):
    strange = Labelled(QUESTION, frozenset(["nowhere"]))
    learned = train(graph, encoder, [strange, Labelled(QUESTION, frozenset([FIRST, "nowhere"]))])
    assert learned.provenance["questions"] == 1
    with pytest.raises(BadRequest, match="none of the questions"):
        train(graph, encoder, [strange])


def test_questions_of_a_file_find_their_passages(graph):
    paragraphs = (Paragraph("Salt Lantern", "…", True), Paragraph("Eide", "…", False))
    page_of = page("Salt Lantern", "One.", "Two.", id=paragraphs[0].document_id)
    graph.add(batch(page_of))
    question = Question("q", QUESTION, "Eide", (), "", 2, paragraphs, ())
    [found] = labelled(graph, [question, Question("r", "?", "", (), "", 2, (), ())])
    assert found == Labelled(QUESTION, frozenset(p.id for p in page_of.passages))


def test_learned_parameters_come_back_from_their_file(tmp_path, encoder):
    with SqliteStore(tmp_path / "graph.db") as graph:
        graph.prepare(encoder.fingerprint)
        graph.add(batch(*PAGES))
        questions = [Labelled(QUESTION, frozenset([FIRST, EIDE]))]
        source = {"file": "dev.jsonl", "sha256": "ab"}
        learned = train(graph, encoder, questions, Training(layers=2), [source])
        GNN_RET.save(learned, tmp_path / "gnn.json")
        kept = GNN_RET.load(tmp_path / "gnn.json")
        assert kept == learned
        assert kept.provenance["sources"] == [source]
        found = kept.parameters.retriever(graph, encoder)
        assert found.alphas == learned.parameters.alphas
        assert len(found.search(QUESTION, 3)) == len(Dense(graph, encoder).search(QUESTION, 3))


def test_retrieval_uses_what_the_graph_keeps_unless_told_otherwise(graph, encoder):
    assert retriever("gnn", graph, encoder) == GnnRet(graph, encoder)
    parameters = GnnParameters((0.3, 0.8), senders=2, kinds=("NAMES",))
    kept = GNN_RET.to_json(Fitted(parameters, encoder.fingerprint))
    graph.keep_parameters(GNN_RET.kind, kept)
    assert retriever("gnn", graph, encoder) == GnnRet(graph, encoder, (0.3, 0.8), 2, 2, ("NAMES",))
    assert retriever("gnn:alpha=0.5", graph, encoder) == GnnRet(graph, encoder)
    assert retriever("dense", graph, encoder) == Dense(graph, encoder)


def test_parameters_are_of_one_encoder(graph, encoder):
    other = Fitted(GnnParameters((0.3,)), WordEncoder(name="other").fingerprint)
    graph.keep_parameters(GNN_RET.kind, GNN_RET.to_json(other))
    with pytest.raises(EncoderMismatch, match=r"other .*train forget gnn-ret"):
        retriever("gnn", graph, encoder)


def test_steps_of_rgnn_ret_have_their_own_alpha(graph, encoder):
    fitted = GnnParameters((0.3,), 0.7, (0.6,)).recurrent(graph, encoder)
    assert (fitted.alphas, fitted.beta) == ((0.6,), 0.7)
    alone = GnnParameters((0.3,)).recurrent(graph, encoder)
    assert (alone.alphas, alone.beta) == ((0.3,), 0.9)


def test_held_out_recall_is_the_retrievers(graph, encoder):
    graph.add(batch(*(page(f"Song {n}", f"Song {n} of village {n} is salt.") for n in range(9))))
    asked = [QUESTION, "Which island village?", "A lamp of Rolf?", "The song of village 3?"]
    wanted = [[FIRST, TOWN], [TOWN, EIDE], [FIRST, EIDE], [TOWN]]
    questions = [
        Labelled(question, frozenset(ids)) for question, ids in zip(asked, wanted, strict=True)
    ] * 5
    assert held_out(graph, chains(graph, encoder, questions[:19], Training()), Training()) is None
    held = held_out(graph, chains(graph, encoder, questions, Training()), Training())
    assert held is not None
    gnn = GnnRet(graph, encoder)
    expected = []
    for question in questions:
        found = graph.passages([scored.id for scored in gnn.search(question.question, 14)])
        first = list(dict.fromkeys(p.document_id for p in found.values()))[:5]
        gold = {graph.passages([id_])[id_].document_id for id_ in question.supporting}
        expected.append(len(gold.intersection(first)) / len(gold))
    assert held.fixed.tolist() == expected
    assert 0 < held.fixed.mean() < 1
    assert held.fitted.shape == held.fixed.shape


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("alphas", [1.5]),
        ("alphas", []),
        ("alphas", "x"),
        ("beta", -1),
        ("step_alphas", [2]),
        ("encoder", {"name": "x"}),
        ("senders", 0),
        ("kinds", ["LIKES"]),
        ("format", 99),
    ],
)
def test_other_files_are_refused_by_name(tmp_path, field, value):
    path = tmp_path / "gnn.json"
    record = json.loads(GNN_RET.to_json(Fitted(GnnParameters((0.5,)))))
    path.write_text(json.dumps(record | {field: value}))
    with pytest.raises(BadRequest, match=r"gnn\.json"):
        GNN_RET.load(path)


@pytest.mark.parametrize("text", ["", "[]", "{}", "nonsense", "3"])
def test_what_is_no_file_of_training_is_refused(tmp_path, text):
    path = tmp_path / "gnn.json"
    path.write_text(text)
    with pytest.raises(BadRequest, match=r"gnn\.json"):
        GNN_RET.load(path)
    with pytest.raises(BadRequest, match="absent"):
        GNN_RET.load(tmp_path / "absent.json")
