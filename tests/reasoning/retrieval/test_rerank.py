"""Reranking, by a small random cross-encoder and by the symbolic reader in the made-up world."""

import numpy as np
import pytest
from support.building import batch, page
from support.cross_encoder import write_cross_encoder
from support.fakes import WordEncoder
from world import SymbolicReader, chatty, thoughtful

from hoptrail.kg.errors import BadRequest, ModelMissing
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.models.language import Completion
from hoptrail.reasoning.matching import exact_match
from hoptrail.reasoning.methods import answer as answered_by
from hoptrail.reasoning.registry import word
from hoptrail.reasoning.retrieval import retriever

PAGES = [page(f"Theatre {n}", f"Theatre number {n} was designed by {n * 'Jo'}.") for n in range(6)]
QUESTION = "Who designed the theatre?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_cross_encoder(tmp_path_factory.mktemp("pairs") / "made")


@pytest.fixture(scope="module")
def make(tmp_path_factory):
    """The retriever of a word, over a few passages."""
    encoder = WordEncoder()
    with SqliteStore(tmp_path_factory.mktemp("graph") / "g.db") as store:
        store.prepare(encoder.fingerprint)
        store.add(batch(*PAGES))
        yield lambda spec: retriever(spec, store, encoder)


def ids(found):
    return [one.id for one in found]


def scores_fall(found):
    return [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_the_cross_encoders_order_is_that_of_its_scores(make, folder):
    from sentence_transformers import CrossEncoder

    found = make(f"rerank:of=dense:model={folder}").search(QUESTION, 6)
    passages = [page.passages[0] for page in PAGES]
    pairs = [(QUESTION, f"{p.title}\n{p.text}") for p in passages]
    said = CrossEncoder(str(folder), device="cpu").predict(pairs)
    assert ids(found) == [passages[n].id for n in np.argsort(-said)]
    assert [one.score for one in found] == pytest.approx(sorted(said, reverse=True), abs=1e-5)
    assert len({one.score for one in found}) > 1
    own = ids(found)[3:5]
    assert ids(make(f"rerank:of=dense:model={folder}").search(QUESTION, 5, own)) == own
    assert make(f"rerank:model={folder}").search(QUESTION, 0) == []


def test_what_is_below_the_depth_keeps_its_place(make, folder):
    plain = ids(make("dense").search(QUESTION, 6))
    found = make(f"rerank:of=dense:depth=3:model={folder}").search(QUESTION, 6)
    assert set(ids(found)[:3]) == set(plain[:3])
    assert ids(found)[3:] == plain[3:]
    assert scores_fall(found)


def test_settings_that_are_not_its_own_are_the_others(make, folder):
    made = make("rerank:of=hop:near=0.8:depth=5:shares=0.5")
    assert (made.of, made.depth, made.first.near) == ("hop:near=0.8:shares=0.5", 5, 0.8)
    assert word(made) == "rerank:of=hop:near=0.8:shares=0.5:depth=5"
    assert make(word(made)) == made
    assert make("rerank:shares=0.5").of == "hop:shares=0.5"


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("rerank:of=hop:nears=1", "hop has no setting 'nears'"),
        ("rerank:of=psychic", "No retriever 'psychic'"),
        ("rerank:depth=0", "at least 1 passage in order, not depth=0"),
        ("rerank:depth=many", "depth of rerank takes a whole number"),
    ],
)
def test_wrong_words_are_named(make, spec, says):
    with pytest.raises(BadRequest, match=says):
        make(spec)


def test_a_model_that_is_missing_or_no_reranker_is_named(make, tmp_path):
    with pytest.raises(BadRequest, match="rerank:model=FOLDER"):
        make("rerank").search(QUESTION, 3)
    with pytest.raises(ModelMissing, match="no folder 'absent'"):
        make("rerank:model=absent").search(QUESTION, 3)
    with pytest.raises(ModelMissing, match="can't be loaded"):
        make(f"rerank:model={tmp_path}").search(QUESTION, 3)
    several = write_cross_encoder(tmp_path / "several", labels=3)
    with pytest.raises(ModelMissing, match="gives 3 scores a pair"):
        make(f"rerank:model={several}").search(QUESTION, 3)


def asked(ground, question, spec, model, method="rag", **more):
    parts = ground.parts(model)
    object.__setattr__(parts, "retriever", retriever(spec, parts.graph, parts.encoder))
    return answered_by(method, parts, question.text, **more)


@pytest.fixture(scope="module")
def some(ground):
    told = [q for q in ground.questions if q.type == "chain" and q.hops == 2]
    return told[:10]


def right(ground, questions, spec, model):
    found = [asked(ground, question, spec, model) for question in questions]
    return sum(exact_match(a.text, q.golds) for a, q in zip(found, questions, strict=True))


def test_the_language_models_order_brings_the_second_page_to_the_front(ground, some):
    plain = right(ground, some, "hop", SymbolicReader())
    assert right(ground, some, "rerank:of=hop", SymbolicReader()) > plain
    answer = asked(ground, some[0], "rerank:of=hop", SymbolicReader())
    assert [step.name for step in answer.steps] == [
        "rerank/rank", "retrieve (rerank)", "read_passages",
    ]  # fmt: skip
    assert len(answer.shown) == len(answer.passages) == 5  # candidates are not cited


@pytest.mark.parametrize("persona", [chatty, thoughtful])
def test_an_order_is_understood_as_models_write_it(ground, some, persona):
    for question in some[:3]:
        plain, told = (
            asked(ground, question, "rerank:of=hop", SymbolicReader(persona=p, held=p is str))
            for p in (str, persona)
        )
        assert told.shown == plain.shown


def test_more_than_a_window_is_ranked_from_the_back(ground, some):
    model = SymbolicReader()
    asked(ground, some[0], "rerank:of=hop:depth=40", model)
    windows = [p for p in model.prompts if p.startswith("Put passages in order")]
    assert len(windows) == 3
    shown = [p.partition("## Candidates")[2].partition("## Question")[0] for p in windows]
    assert [part.count("\n\n[") + 1 for part in shown] == [20, 20, 20]


def test_a_reply_that_ranks_nothing_keeps_the_order_and_a_step_says_so(ground, some):
    class Babbling(SymbolicReader):
        def generate(self, prompts, decoding):
            if not prompts[0].startswith("Put passages in order"):
                return super().generate(prompts, decoding)
            return [Completion("Well, let us see.", None, "stop", 9, 5)]

    answer = asked(ground, some[0], "rerank:of=hop", Babbling())
    plain = asked(ground, some[0], "hop", SymbolicReader())
    assert answer.shown == plain.shown
    dropped = [step.output for step in answer.steps if step.name == "dropped"]
    assert dropped == ["The reply ranks no passage: their order stays."]


def test_budget_and_context_hold(ground, some):
    answer = asked(ground, some[0], "rerank:of=hop", SymbolicReader(), "rag:max_calls=1")
    assert answer.usage["calls"] == 1
    assert answer.shown == asked(ground, some[0], "hop", SymbolicReader()).shown
    model = SymbolicReader(context_length=900)
    asked(ground, some[0], "rerank:of=hop", model)
    assert max(map(model.count_tokens, model.prompts)) <= 900


def test_without_a_language_model_it_is_refused_before_any_work(ground, some):
    with pytest.raises(BadRequest, match="rerank takes a language model"):
        asked(ground, some[0], "rerank", None, "trace")
