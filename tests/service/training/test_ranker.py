"""`train ranker`: what it fits, says, keeps, uses and takes back."""

import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest
from support.towns import plain_ranker, town, write_towns

from hoptrail.models.encoder import SentenceEncoder
from hoptrail.reasoning.retrieval.ranker import RANKER
from hoptrail.service import Hoptrail

SEARCH = ("search", town(3)[0].question, "--limit", "5", "--json", "--retriever")


@pytest.fixture
def data(tmp_path) -> Path:
    return write_towns(tmp_path / "towns.jsonl", range(20))


@pytest.fixture(scope="module")
def ingested(tmp_path_factory) -> Path:
    """A graph of the same, closed."""
    folder = tmp_path_factory.mktemp("ingested")
    with Hoptrail(folder / "g.db") as hop:
        hop.ingest(write_towns(folder / "towns.jsonl", range(20)))
    return folder / "g.db"


@pytest.fixture
def graph(ingested, tmp_path) -> str:
    """A copy of it."""
    return shutil.copy(ingested, tmp_path / "g.db").name


def titles(found: str) -> set[str]:
    return {passage["title"] for passage in json.loads(found)["passages"]}


def test_what_is_fitted_is_kept_used_shown_and_forgotten(run, data, graph):
    status, _, err = run("--graph", graph, *SEARCH, "ranker")
    assert (status, "hoptrail --graph g.db train ranker DATA" in err) == (2, True)

    status, out, err = run("--graph", graph, "train", "ranker", str(data), "--out", "r.json")
    assert status == 0, err
    assert re.search(r"^towns +20 +\d+\.\d +100\.0 +\+\d+\.\d \[\+\d", out, re.M)
    assert "questions of this kind" in err
    assert "Kept with g.db" in err

    [source] = RANKER.load(Path("r.json")).provenance["sources"]
    digest = hashlib.sha256(data.read_bytes()).hexdigest()
    assert source == {"file": "towns.jsonl", "sha256": digest, "questions": 20}
    _, out, _ = run("--graph", graph, "stats", "--json")
    assert json.loads(out)["fitted"]["ranker"]["questions"] == 20

    gold = {paragraph.title for paragraph in town(3)[0].paragraphs if paragraph.is_supporting}
    _, ranked, _ = run("--graph", graph, *SEARCH, "ranker")
    assert gold <= titles(ranked)
    _, from_file, _ = run("--graph", graph, *SEARCH, "ranker:file=r.json")
    assert json.loads(from_file)["passages"] == json.loads(ranked)["passages"]

    assert run("--graph", graph, "train", "forget", "ranker")[0] == 0
    assert run("--graph", graph, *SEARCH, "ranker")[0] == 2
    status, out, _ = run("--graph", graph, "train", "ranker", "--load", "r.json", "--json")
    assert (status, json.loads(out)) == (0, {"loaded": "ranker", "graph": "g.db"})
    assert run("--graph", graph, *SEARCH, "ranker")[1] == ranked


def test_several_files_say_what_carries_over(run, data, tmp_path):
    reverse = write_towns(tmp_path / "reverse.jsonl", range(20, 40), pairs=False)
    files = (str(data), str(reverse))
    status, out, err = run("train", "ranker", *files, "--kind", "linear", "--out", "r.json")
    assert status == 0, err
    assert "fitted to the other files only" in out
    assert re.search(r"^reverse +20 ", out, re.M)
    assert "does not transfer" in err
    assert not Path("hoptrail.db").exists()


def test_as_json_it_says_what_the_table_does(run, data):
    status, out, err = run(
        "train", "ranker", str(data), "--kind", "linear", "--out", "r.json", "--json"
    )
    told = json.loads(out)
    assert (status, told["fitted"], told["out"], told["graph"]) == (0, "ranker", "r.json", None)
    [of_file] = told["held_out"]
    assert (of_file["source"], of_file["questions"], of_file["ranker"]) == ("towns", 20, 1.0)
    assert of_file["gain"].keys() == {"value", "low", "high"}
    assert told["provenance"] == RANKER.load(Path("r.json")).provenance
    assert "Wrote" not in err


def test_wrong_use_is_refused_before_the_work(run, data, tmp_path):
    for arguments, said in [
        ((str(data),), "--out FILE"),
        ((), "--load FILE"),
        ((str(data), "--load", str(data)), "not both"),
    ]:
        status, _, err = run("train", "ranker", *arguments)
        assert (status, said in err) == (2, True)
    (tmp_path / "empty.json").write_text("[]")
    status, _, err = run("train", "ranker", "empty.json", "--out", "r.json")
    assert (status, "holds no questions" in err) == (2, True)
    status, _, err = run("--graph", "g.db", "train", "ranker", "--load", str(data))
    assert (status, "not a fitted ranker" in err) == (2, True)


def test_a_ranker_kept_or_loaded_needs_passages(run, data):
    Path("r.json").write_text(plain_ranker(SentenceEncoder()), encoding="utf-8")
    for arguments in ((str(data),), ("--load", "r.json")):
        status, _, err = run("--graph", "none.db", "train", "ranker", *arguments)
        assert (status, "There is no file none.db in" in err) == (1, True)
    status, _, err = run("train", "ranker", "--load", "r.json")
    assert (status, "There is no file hoptrail.db in" in err) == (1, True)
    assert not Path("none.db").exists()
    status, _, err = run(
        "train", "ranker", "--load", "r.json", "--out", "s.json", "--kind", "linear"
    )
    assert (status, "leave --out and --kind out" in err) == (2, True)


def test_a_file_that_the_graph_lacks_is_named_and_left_out(run, data, graph, tmp_path):
    lacking = write_towns(tmp_path / "lacking.jsonl", range(50, 53))
    files = (str(data), str(lacking), "--out", "r.json")
    status, out, err = run("--graph", graph, "train", "ranker", *files)
    assert (status, "lacking: 3 questions left out" in err) == (0, True)
    assert "lacking" not in out
    [source] = RANKER.load(Path("r.json")).provenance["sources"]
    assert source["file"] == "towns.jsonl"


def test_evaluation_says_which_figures_a_ranker_owes_to_these_questions(run, data, graph, tmp_path):
    others = write_towns(tmp_path / "others.jsonl", range(20, 24))
    run("--graph", graph, "ingest", str(others))
    run("--graph", graph, "train", "ranker", str(data))
    evaluate = ("--graph", graph, "evaluate", "retrieval", "--retrievers", "hop,ranker")
    said = "ranker was fitted to these very questions"
    assert run(*evaluate, str(data), str(others))[1].count(said) == 1
    assert run(*evaluate, str(others), "--markdown", "o.md")[1].count(said) == 0
    assert "fitted to these" not in Path("o.md").read_text(encoding="utf-8")


def test_a_temporary_graph_has_no_ranker(run, data):
    for what in (("retrieval", "--retrievers"), ("answers", "--retriever")):
        status, out, err = run("evaluate", what[0], str(data), what[1], "ranker")
        assert (status, out, "ranker:file=FILE" in err) == (2, "", True)


def test_too_few_questions_are_refused(run, tmp_path):
    few = write_towns(tmp_path / "few.jsonl", range(3))
    status, _, err = run("train", "ranker", str(few), "--out", "r.json")
    assert (status, "at least 20" in err) == (2, True)
    assert not Path("r.json").exists()
