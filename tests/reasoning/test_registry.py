"""A retriever or method and its settings in one word: `gnn:layers=2:kinds=NEXT+NAMES`."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import pytest

from hoptrail.kg.errors import BadRequest
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.reasoning.methods import configured
from hoptrail.reasoning.methods.trace.method import Trace
from hoptrail.reasoning.registry import parse, settable, word
from hoptrail.reasoning.retrieval import BM25, GnnRet, Hop, retriever
from hoptrail.reasoning.session.budget import Budget


@pytest.fixture
def made(encoder, tmp_path):
    """The retriever of a spec, over a graph that nothing opens."""
    graph = SqliteStore(tmp_path / "graph.db")
    return lambda spec: retriever(spec, graph, encoder)


def test_a_name_alone_is_the_retriever_with_its_defaults(made):
    hop, bm25 = made("hop"), made(" bm25 ")
    assert hop == Hop(hop.graph, hop.encoder)
    assert bm25 == BM25(bm25.graph, bm25.encoder)


def test_settings_are_fields_of_their_own_types(made):
    hop = made("hop:shares=0.5:senders=10: residual = 0")
    assert hop == Hop(hop.graph, hop.encoder, shares=0.5, senders=10, residual=0.0)
    gnn = made("gnn:layers=2:alpha=0.6+0.4:kinds=NEXT+NAMES")
    kinds = ("NEXT", "NAMES")
    assert gnn == GnnRet(gnn.graph, gnn.encoder, (0.6, 0.4), layers=2, kinds=kinds)
    assert made("gnn:alpha=.25").alpha == 0.25
    assert made("gnn:kinds=NAMES").kinds == ("NAMES",)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("psychic", "No retriever 'psychic'; there are: dense, bm25, hybrid, hop"),
        ("", "No retriever ''"),
        ("gnn:depth=2", "gnn has no setting 'depth'; there are: alpha, layers, senders, kinds"),
        ("gnn:graph=x.db", "gnn has no setting 'graph'"),
        ("dense:pool=3", "dense has no setting 'pool'; there are: near."),
        ("gnn:", "gnn has no setting ''"),
        ("gnn:layers=two", "layers of gnn takes a whole number, not 'two'"),
        ("gnn:layers=1.5", "layers of gnn takes a whole number, not '1.5'"),
        ("gnn:layers", "layers of gnn takes a whole number, not nothing"),
        ("gnn:kinds=NEXT+RELATED", "one of NEXT, SHARES_KEYWORD, NAMES or several joined by +"),
        ("gnn:alpha=", "alpha of gnn takes a number or a number or several joined by +"),
        ("gnn:alpha=nan", "not 'nan'"),
        ("gnn:senders=5:senders=6", "sets senders twice"),
        ("hop:pool=0", "Hop needs a pool of one"),
        ("hop:shares=-1", "nothing below 0"),
        ("hybrid:pool=-5", "Hybrid needs a pool of one"),
        ("hybrid:dense=7", "a dense from 0 to 1"),
        ("hybrid:foreign=7", "such a foreign"),
        ("hop:foreign=-1", "foreign from 0 to 1"),
        ("hop:pool=99999999999999999999", "a whole number"),
        ("hop:shares=1e300", "shares of hop takes a number, not '1e300'"),
        ("gnn:senders=0", "at least one layer, one sender"),
        ("gnn:layers=2:alpha=0.5+0.4+0.3", "2 layers and 3 alphas"),
    ],
)
def test_what_can_not_be_set_is_named_with_what_can(made, spec, says):
    with pytest.raises(BadRequest) as error:
        made(spec)
    assert says in str(error.value)


def test_every_kind_of_plain_setting_has_a_spelling():
    @dataclass(frozen=True)
    class Sample:
        graph: object
        model: object  # no text says what it is
        deep: bool = False
        file: str = ""
        most: int | None = None
        side: Literal["left", "right"] = "left"
        cuts: tuple[int, ...] = ()
        name: ClassVar[str] = "sample"

    assert list(settable(Sample)) == ["deep", "file", "most", "side", "cuts"]
    spec = "sample:deep=true:file=a b:most=3:side=right:cuts=1+2"
    values = {"deep": True, "file": "a b", "most": 3, "side": "right", "cuts": (1, 2)}
    assert parse(spec, {"sample": Sample}) == (Sample, values)
    assert parse("sample:most=none", {"sample": Sample})[1] == {"most": None}
    for wrong in ("deep=maybe", "file=", "most=many", "side=up", "cuts=1+"):
        with pytest.raises(BadRequest):
            parse(f"sample:{wrong}", {"sample": Sample})


def test_a_methods_settings_are_its_fields_and_the_budgets():
    method, budget = configured("trace:beams=1:adaptive_stop=false:max_tokens=none:max_calls=3")
    assert (method, budget) == (Trace(beams=1, adaptive_stop=False), Budget(max_calls=3))
    assert configured(method, budget) == (method, budget)
    assert {"reads", "evidence", "ranked", "expand"} <= set(settable(Trace))
    assert "selector" not in settable(Trace)
    with pytest.raises(BadRequest, match="No method 'trance'; there are: trace"):
        configured("trance")
    with pytest.raises(BadRequest, match="reads of trace takes one of triples, passages"):
        configured("trace:reads=books")
    with pytest.raises(BadRequest, match="rag has no setting 'k'; there are: passages, max_calls"):
        configured("rag:k=3")


@pytest.mark.parametrize(
    "said", ["trace", "trace:beams=1:spread=true:reads=passages", "kgp:seeds=2"]
)
def test_a_method_says_itself_in_the_word_that_makes_it(said):
    assert word(configured(said)[0]) == said
