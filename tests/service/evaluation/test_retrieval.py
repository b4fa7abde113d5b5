"""`hoptrail evaluate` as a user types it: what it measures, writes, refuses and leaves behind."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from hoptrail.service.settings import RETRIEVERS

FACTS = {
    "Ulm": "Ulm is a city on the Danube. Albert Einstein was born in Ulm.",
    "Albert Einstein": "Albert Einstein was a German physicist. He developed relativity.",
    "Danube": "The Danube is a river. The Danube flows through Ulm and Vienna.",
    "Egg": "The recipe asks for two eggs.",
}


def record(id_: str, question: str, answer: str, *gold: str, **more: str) -> str:
    paragraphs = [
        {"title": title, "text": text, "is_supporting": title in gold}
        for title, text in (FACTS | more).items()
    ]
    return json.dumps({"id": id_, "question": question, "answer": answer, "paragraphs": paragraphs})


@pytest.fixture
def data(tmp_path) -> Path:
    lines = [
        record("1", "On which river is Ulm?", "Danube", "Ulm", "Danube"),
        record("2", "Where was Albert Einstein born?", "Ulm", "Ulm"),
    ]
    file = tmp_path / "towns.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


@pytest.fixture
def temporary(tmp_path, monkeypatch) -> Path:
    """Where temporary graphs go."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_every_output_tells_the_same(run, data, tmp_path, temporary):
    files = ("--json", "f.json", "--markdown", "f.md", "--plot", "f.svg")
    retrievers = "dense,hop, gnn:layers=2 ,gnn:kinds=NEXT+NAMES"
    status, out, err = run("evaluate", "retrieval", data.name, "--retrievers", retrievers, *files)
    assert status == 0, err
    specs = ["dense", "hop", "gnn:layers=2", "gnn:kinds=NEXT+NAMES"]
    figures = json.loads((tmp_path / "f.json").read_text(encoding="utf-8"))
    markdown, plot = ((tmp_path / name).read_text(encoding="utf-8") for name in ("f.md", "f.svg"))
    assert [figure["retriever"] for figure in figures] == specs
    for text in (out, markdown, plot):
        assert all(spec in text for spec in [*specs, "towns", "2 questions"])
    for text in (out, markdown):
        assert "4 passages" in text
        assert "against dense" in text
    first = figures[0]
    assert (first["dataset"], first["questions"], first["passages"]) == ("towns", 2, 4)
    assert first["recall@5"] == {"value": 1, "low": 1, "high": 1}
    assert {"recall@2", "recall@10", "all_supporting@5", "seconds_a_question"} <= set(first)
    assert 0 < first["latency"]["median"] <= first["latency"]["p95"]
    assert set(first["graph"]["edges"]) >= {"NEXT", "SHARES_KEYWORD", "NAMES", "MENTIONS"}
    assert figures[2]["settings"]["retriever"]["layers"] == 2
    assert figures[2]["against"]["retriever"] == "dense"
    assert [one["id"] for one in figures[3]["each"]] == ["1", "2"]
    assert list(temporary.glob("hoptrail-*")) == []


def test_a_corpus_joins_and_what_is_in_both_counts_once(run, data, tmp_path, temporary):
    more = [{"title": f"Town {n}", "text": f"Town {n} lies on a river."} for n in range(5)]
    more.append({"title": "Ulm", "text": FACTS["Ulm"]})
    (tmp_path / "more.jsonl").write_text("\n".join(map(json.dumps, more)))
    (tmp_path / "letter.md").write_text("# Letter\n\nA letter about rivers.\n")
    second = tmp_path / "b" / "towns.jsonl"
    second.parent.mkdir()
    second.write_text(record("3", "What is Oslo?", "city", "Oslo", Oslo="Oslo is a city."))
    corpus = ("--corpus", "more.jsonl", "--corpus", "letter.md")
    arguments = ("--retrievers", "bm25", "--json", "f.json", *corpus)
    assert run("evaluate", "retrieval", data.name, "b/towns.jsonl", *arguments)[0] == 0
    figures = json.loads((tmp_path / "f.json").read_text())
    # each file's own paragraphs and the corpus, not the other file's
    assert [(f["dataset"], f["passages"]) for f in figures] == [
        ("towns.jsonl", 4 + 5 + 1),
        (str(Path("b/towns.jsonl")), 5 + 5 + 1),
    ]
    assert figures[0]["settings"]["corpus"] == ["more.jsonl", "letter.md"]
    (tmp_path / "broken.jsonl").write_text('{"title": "Half", "text": "a')
    status, _, err = run("evaluate", "retrieval", data.name, "--corpus", "broken.jsonl")
    assert (status, "broken.jsonl" in err) == (1, True)
    assert list(temporary.glob("hoptrail-*")) == []


def test_a_graph_that_is_named_is_used_as_it_is(run, data, temporary):
    here = ("--graph", "mine.db", "evaluate", "retrieval", data.name, "--retrievers", "dense")
    status, _, err = run(*here)
    assert (status, "There is no file mine.db in" in err) == (1, True)
    run("--graph", "mine.db", "ingest", data.name)
    status, out, _ = run(*here, "--own")
    assert (status, "own paragraphs.\n4 passages" in out) == (0, True)
    status, _, err = run(*here, "--corpus", data.name)
    assert (status, "ingest these files into it" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["--retrievers", "psychic"], 2, "No retriever 'psychic'"),
        (["--retrievers", "hop:share=1"], 2, "hop has no setting 'share'; there are: pool"),
        (["--retrievers", "gnn:senders=0"], 2, "at least one layer"),
        (["--retrievers", ","], 2, "names no retriever"),
        (["--retrievers", "ranker:file=nowhere.json"], 2, "nowhere.json can't be read"),
        (["--retrievers", "hop,rgnn:beta=2"], 2, "beta of RGNN-Ret lies between"),
        (["--against", "gnn"], 2, "not among --retrievers"),
        (["--corpus", "nowhere.jsonl"], 2, "nowhere.jsonl"),
        (["--json", "nowhere/f.json"], 2, "nowhere"),
        (["--markdown", "nowhere/f.md"], 2, "nowhere"),
        (["--markdown", "-"], 2, "name a file"),
        (["--plot", "nowhere/f.png"], 2, "nowhere"),
        (["--plot", "f.jpg"], 2, ".png"),
    ],
)
def test_what_is_wrong_is_said_before_any_work(run, data, temporary, arguments, status, says):
    code, out, err = run("evaluate", "retrieval", data.name, *arguments)
    assert (code, out, says in err) == (status, "", True), err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anything")
def test_a_file_that_may_not_be_written_is_said_before_any_work(run, data, tmp_path):
    (tmp_path / "f.json").touch(0o400)
    status, out, err = run("evaluate", "retrieval", data.name, "--json", "f.json")
    assert (status, out, "may not write" in err) == (2, "", True)


def test_questions_that_can_not_be_measured_are_counted(run, data):
    with data.open("a", encoding="utf-8") as file:
        file.write("\n" + record("3", "Which of these supports nothing?", "none"))
    status, out, _ = run("evaluate", "retrieval", data.name, "--retrievers", "bm25")
    assert status == 0
    assert "2 questions, whole graph. 1 without supporting paragraphs left out." in out


def test_a_query_by_itself_is_gnn_ret(run, data, tmp_path):
    specs = ("--retrievers", "gnn,rgnn:beta=0.8", "--json", "f.json")
    status, _, err = run("evaluate", "retrieval", data.name, *specs)
    assert status == 0, err
    plain, recurrent = json.loads((tmp_path / "f.json").read_text(encoding="utf-8"))
    assert recurrent["recall@5"] == plain["recall@5"]
    settings = plain["settings"]["retriever"]
    assert recurrent["settings"]["retriever"] == settings | {"beta": 0.8}


@pytest.mark.parametrize("what", ["retrieval", "answers"])
def test_a_question_without_words_is_named_before_any_work(run, data, temporary, what):
    with data.open("a", encoding="utf-8") as file:
        file.write("\n" + record("seven", "…?", "none", "Ulm"))
    status, out, err = run("evaluate", what, data.name)
    assert (status, out, "question 'seven' has no words" in err) == (2, "", True)


def test_a_plot_without_matplotlib_names_what_to_install(run, data, temporary, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # what Python does for "not there"
    assert importlib.util.find_spec("matplotlib") is None
    status, out, err = run("evaluate", "retrieval", data.name, "--plot", "f.png")
    assert (status, out) == (1, "")
    assert 'pip install "hoptrail[plot]"' in err
    assert run("evaluate", "retrieval", data.name, "--retrievers", "bm25")[0] == 0


def test_answers_take_a_retriever_with_settings(run, data, tmp_path):
    arguments = ("--retriever", "hop:senders=5", "--json", "f.json", "--out", "runs")
    status, out, _ = run("evaluate", "answers", data.name, *arguments)
    assert (status, "questions" in out) == (0, True)
    assert json.loads((tmp_path / "f.json").read_text())[0]["questions"] == 2


def test_ask_and_search_take_settings_and_their_help_names_the_retrievers(run, data):
    run("ingest", data.name)
    spec = "hop:shares=0.5:senders=3"
    found = json.loads(run("search", "Einstein", "--retriever", spec, "--json")[1])
    assert found["retriever"] == spec
    assert found["passages"]
    assert run("ask", "Where was Albert Einstein born?", "--retriever", spec)[0] == 0
    status, _, err = run("search", "Einstein", "--retriever", "hop:shares=much")
    assert (status, "shares of hop takes a number, not 'much'" in err) == (2, True)
    for command in (["ask"], ["search"], ["evaluate", "retrieval"], ["evaluate", "answers"]):
        shown = " ".join(run(*command, "--help")[1].split())
        assert all(name in shown for name in RETRIEVERS)


@pytest.mark.parametrize(
    ("arguments", "out", "said"),
    [
        (["evaluate", "retrieval", "towns.jsonl", "--json"], "f.json", "no figures were written"),
        (["train", "ranker", "towns.jsonl", "--out"], "f.json", "Nothing was fitted"),
    ],
)
def test_an_interrupt_leaves_nothing_behind(tmp_path, arguments, out, said):
    towns = {f"Town {n}": f"Town {n} lies on river {n}. " * 10 for n in range(100)}
    lines = record("1", "Where does Town 7 lie?", "river 7", "Town 7", **towns)
    (tmp_path / "towns.jsonl").write_text(lines)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    program = (  # a shell may have told its children to ignore interrupts
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"sys.argv = {['hoptrail', *arguments, out]}\n"
        "from hoptrail.service.cli.app import main; main()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while process.poll() is None and not list(temporary.glob("hoptrail-*/graph.db")):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    shown, err = process.communicate()
    assert process.returncode == 130, err
    assert said in err
    assert "Traceback" not in err
    assert shown == ""
    assert list(temporary.glob("hoptrail-*")) == []
    assert not (tmp_path / out).exists()
