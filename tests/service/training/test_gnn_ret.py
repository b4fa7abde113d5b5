"""`train gnn-ret` and `train forget`: what they fit, say, keep, use and take back."""

import json
import re
from pathlib import Path

import pytest

from hoptrail.kg.types import Fingerprint
from hoptrail.reasoning.fitted import Fitted
from hoptrail.reasoning.retrieval.gnn_parameters import GNN_RET, GnnParameters

TOWNS = ("Vaagur", "Sandur", "Porkeri", "Famjin", "Sumba", "Lopra", "Hvalba", "Nes")
NAMES = ("Eide", "Thorkil", "Brahm", "Osk", "Rasm", "Joens", "Heri", "Pauli")


def question(number: int) -> dict:
    """A film of a director who is from a town, among films and directors of others."""
    name = f"{NAMES[number % 8]} {NAMES[number // 8]}son"
    film, town = f"The {TOWNS[number // 8]} Lantern {number}", TOWNS[number % 8]
    texts = {
        film: (f"{film} is a film directed by {name}.", True),
        name: (f"{name} grew up in {town}, the child of two bakers.", True),
        f"{town} {number}": (f"{town} {number} is a ferry.", False),
    }
    return {
        "id": f"q{number}",
        "question": f"Where did the director of {film} grow up?",
        "answer": town,
        "paragraphs": [
            {"title": title, "text": text, "is_supporting": supports}
            for title, (text, supports) in texts.items()
        ],
        "decomposition": [
            {"question": f"Who directed {film}?", "answer": name},
            {"question": "Where did #1 grow up?", "answer": town},
        ],
    }


def write(path: Path, questions: list[dict]) -> Path:
    path.write_text("\n".join(map(json.dumps, questions)))
    return path


@pytest.fixture
def data(tmp_path) -> Path:
    return write(tmp_path / "films.jsonl", [question(number) for number in range(24)])


def test_what_is_fitted_is_kept_used_shown_and_forgotten(run, data):
    ask = ("search", "Where did the director of The Vaagur Lantern 3 grow up?", "--json")
    run("--graph", "g.db", "ingest", str(data))
    _, before, _ = run("--graph", "g.db", *ask, "--retriever", "gnn")

    status, out, err = run("--graph", "g.db", "train", "gnn-ret", str(data), "--out", "gnn.json")
    assert status == 0
    assert re.search(r"^GNN-Ret +\d\.\d\d +24 .*\[[+-]\d", out, re.M)
    assert re.search(r"^RGNN-Ret +\d\.\d\d +\d\.\d\d +24 ", out, re.M)
    assert "Kept with g.db" in err

    learned = GNN_RET.load(Path("gnn.json"))
    assert learned.parameters.beta is not None
    [source] = learned.provenance["sources"]
    assert (source["file"], len(source["sha256"])) == ("films.jsonl", 64)
    assert learned.provenance["held_out"]["difference"].keys() == {"value", "low", "high"}
    _, out, _ = run("--graph", "g.db", "stats", "--json")
    assert json.loads(out)["fitted"]["gnn-ret"] == learned.provenance
    _, out, _ = run("--graph", "g.db", "doctor")
    assert "gnn-ret (24 questions" in out

    _, after, _ = run("--graph", "g.db", *ask, "--retriever", "gnn")
    said = f"gnn:alpha={learned.parameters.alphas[0]}"
    _, explicit, _ = run("--graph", "g.db", *ask, "--retriever", said)
    assert scores(after) == scores(explicit) != scores(before)
    _, fixed, _ = run("--graph", "g.db", *ask, "--retriever", "gnn:alpha=0.5")
    assert scores(fixed) == scores(before)

    assert run("--graph", "g.db", "train", "forget", "gnn-ret")[0] == 0
    _, out, _ = run("--graph", "g.db", *ask, "--retriever", "gnn")
    assert scores(out) == scores(before)
    status, _, err = run("--graph", "g.db", "train", "forget", "gnn-ret")
    assert (status, "no parameters of gnn-ret" in err) == (1, True)

    status, out, _ = run("--graph", "g.db", "train", "gnn-ret", "--load", "gnn.json", "--json")
    assert (status, json.loads(out)) == (0, {"loaded": "gnn-ret", "graph": "g.db"})
    _, out, _ = run("--graph", "g.db", *ask, "--retriever", "gnn")
    assert scores(out) == scores(after)


def scores(found: str) -> list[float]:
    return [passage["score"] for passage in json.loads(found)["passages"]]


def test_few_questions_without_a_graph_and_without_sub_questions(run, tmp_path):
    few = [question(number) | {"decomposition": []} for number in range(3)]
    data = write(tmp_path / "few.jsonl", few)
    status, out, err = run("train", "gnn-ret", str(data), "--out", "gnn.json", "--layers", "2")
    assert status == 0
    assert "RGNN-Ret" not in out
    assert "β of RGNN-Ret was not fitted" in err
    assert "too few questions" in err
    learned = GNN_RET.load(Path("gnn.json"))
    assert (len(learned.parameters.alphas), learned.parameters.beta) == (2, None)
    assert not Path("hoptrail.db").exists()


def test_as_json_it_says_what_the_table_does(run, data):
    status, out, _ = run("train", "gnn-ret", str(data), "--out", "gnn.json", "--json")
    told, kept = json.loads(out), GNN_RET.load(Path("gnn.json"))
    assert (status, told["fitted"], told["out"], told["graph"]) == (0, "gnn-ret", "gnn.json", None)
    assert told["parameters"]["alphas"] == list(kept.parameters.alphas)
    assert told["provenance"] == kept.provenance


def test_parameters_of_another_encoder_are_refused(run, data, tmp_path):
    run("--graph", "g.db", "ingest", str(data))
    other = Fingerprint("other", 384, "mean", True, "", "", "others")
    GNN_RET.save(Fitted(GnnParameters((0.5,)), other), tmp_path / "other.json")
    status, _, err = run("--graph", "g.db", "train", "gnn-ret", "--load", "other.json")
    assert (status, "(weights others)" in err) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("films.jsonl",), "Nothing would keep the parameters"),
        ((), "--load FILE"),
        (("films.jsonl", "--load", "films.jsonl"), "not both"),
        (("films.jsonl", "--edges", "LIKES"), "NEXT, SHARES_KEYWORD, NAMES"),
        (("films.jsonl", "--layers", "0"), "--layers"),
        (("--load", "films.jsonl"), "not parameters of GNN-Ret"),
    ],
)
def test_wrong_use(run, data, arguments, message):
    status, _, err = run("train", "gnn-ret", *arguments)
    assert (status, message in err) == (2, True)


def test_a_graph_without_passages_or_without_these(run, data, tmp_path):
    status, _, err = run("--graph", "none.db", "train", "gnn-ret", str(data))
    assert (status, "There is no file none.db in" in err) == (1, True)
    (tmp_path / "note.md").write_text("# Ulm\n\nUlm is a city on the Danube.\n")
    run("--graph", "g.db", "ingest", "note.md")
    status, _, err = run("--graph", "g.db", "train", "gnn-ret", str(data))
    assert (status, "ingest their paragraphs" in err) == (2, True)
