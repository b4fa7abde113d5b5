"""`hoptrail reembed`, and `Hoptrail.reembed`: what a user sees of another encoder."""

import json
from dataclasses import replace

import pytest
from support.fakes import WordEncoder

from hoptrail.kg.errors import EncoderMismatch
from hoptrail.kg.types import Document
from hoptrail.reasoning.fitted import Fitted
from hoptrail.reasoning.retrieval.gnn_parameters import GNN_RET, GnnParameters
from hoptrail.service import Hoptrail

ASK = ("search", "Which river flows through Ulm?", "--json")
PREFIXED = ("--passage-prefix", "passage: ", "--query-prefix", "query: ")


@pytest.fixture
def ulm(run, tmp_path):
    (tmp_path / "ulm.md").write_text("# Ulm\n\nUlm is a city on the Danube.\n")
    run("ingest", "ulm.md")


def test_the_command_that_the_refusal_names_moves_the_graph(run, ulm):
    status, _, err = run(*PREFIXED, *ASK)
    assert (status, "`hoptrail reembed` with the same options" in err) == (1, True)
    status, out, _ = run(*PREFIXED, "reembed", "--json")
    report = json.loads(out)
    assert (status, report["moved"], report["passages"], report["triples"]) == (0, True, 1, 0)
    assert run(*PREFIXED, *ASK)[0] == 0
    assert run(*ASK)[0] == 1
    status, _, err = run("reembed")
    assert (status, "1 passage and " in err) == (0, True)
    assert run(*ASK)[0] == 0


def test_with_the_encoder_it_has_it_says_so_and_embeds_triples_when_asked(run, ulm):
    status, out, err = run("reembed")
    assert (status, out, "already" in err) == (0, "", True)
    assert json.loads(run("stats", "--json")[1])["embedded_triples"] == 0
    status, out, _ = run("reembed", "--triples", "--json")
    counts = json.loads(run("stats", "--json")[1])
    assert json.loads(out)["triples"] == counts["triples"] == counts["embedded_triples"] > 0


def test_a_begun_move_is_told_of(run, ulm):
    with Hoptrail("hoptrail.db") as hop:
        prefixed = replace(hop.encoder.fingerprint, query_prefix="query: ")
        hop.store.maintenance.reembedding(prefixed)
    assert "--encoder all-MiniLM-L6-v2 --query-prefix 'query: ' reembed" in run("reembed")[2]
    assert run("--query-prefix", "query: ", "reembed")[0] == 0
    assert "was begun" not in run("--query-prefix", "query: ", "reembed")[2]


def test_without_a_graph_it_names_the_next_step(run):
    status, _, err = run("reembed")
    assert (status, "hoptrail ingest" in err) == (1, True)


def test_fitted_parameters_stay_and_are_refused_until_the_encoder_is_back(run, ulm):
    with Hoptrail("hoptrail.db") as hop:
        fitted = Fitted(GnnParameters((0.5,)), hop.encoder.fingerprint)
        hop.store.keep_parameters(GNN_RET.kind, GNN_RET.to_json(fitted))
    status, _, err = run(*PREFIXED, "reembed")
    assert (status, "train forget gnn-ret" in err) == (0, True)
    gnn = ("search", "Which river flows through Ulm?", "--retriever", "gnn")
    status, _, err = run(*PREFIXED, *gnn)
    assert (status, "fitted with the encoder" in err) == (1, True)
    assert "train forget" not in run("reembed")[2]
    assert run(*gnn)[0] == 0


def test_a_process_that_has_answered_before_notices_the_switch(tmp_path, encoder):
    """Its encoder was checked once, and the other's vectors have the same length."""
    documents = [Document("id", "Ulm", "Ulm is a city on the Danube.", "ulm.md")]
    with (
        Hoptrail(tmp_path / "a.db", encoder=encoder) as old,
        Hoptrail(tmp_path / "a.db", encoder=WordEncoder(name="other")) as new,
    ):
        old.ingest(*documents)
        assert old.search("Which city is on the Danube?", retriever="dense")
        assert new.reembed().moved
        for operation in (
            lambda: old.search("Which city is on the Danube?", retriever="dense"),
            lambda: old.ask("Which city is on the Danube?"),
            lambda: old.ingest(*documents),
        ):
            with pytest.raises(EncoderMismatch, match="name 'other'"):
                operation()
        assert new.search("Which city is on the Danube?", retriever="dense")
