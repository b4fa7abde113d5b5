"""The command line, as a user types it: output, exit status, no traceback, light help."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from support.towns import plain_ranker

from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.models.encoder import SentenceEncoder
from hoptrail.service.demo import questions
from hoptrail.service.hoptrail import Hoptrail
from hoptrail.service.settings import METHODS, RETRIEVERS

ULM = "# Ulm\n\nUlm is a city on the Danube. The physicist Albert Einstein was born in Ulm.\n"
EINSTEIN = "# Albert Einstein\n\nAlbert Einstein was a German physicist. He developed relativity.\n"
DANUBE = "# Danube\n\nThe Danube is a river. The Danube flows through Ulm and Vienna.\n"


@pytest.fixture
def docs(tmp_path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in {"ulm": ULM, "einstein": EINSTEIN, "danube": DANUBE}.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def test_ingest_ask_show_remove(run, docs):
    status, _, err = run("ingest", str(docs))
    assert status == 0
    assert "3 documents added" in err

    status, out, _ = run("ask", "Where was Albert Einstein born?", "--json")
    assert status == 0
    answer = json.loads(out)
    assert answer["question"] == "Where was Albert Einstein born?"
    assert answer["abstained"] == (answer["answer"] == "")
    stated = {t["tail"] for chain in answer["chains"] for t in chain["triples"]}
    assert "Ulm" in stated
    assert {p["title"] for p in answer["passages"]} >= {"Ulm"}

    # the evidence is in the graph, found from either end
    for name in ("Where was Albert Einstein born?", answer["passages"][0]["id"]):
        status, out, _ = run("show", name, "--json")
        assert status == 0
        questions = [a["question"] for thing in json.loads(out)["found"] for a in thing["answers"]]
        assert questions == ["Where was Albert Einstein born?"]

    status, _, err = run("remove", "Ulm")
    assert (status, "Removed 1 document." in err) == (0, True)
    _, out, _ = run("stats", "--json")
    assert json.loads(out)["documents"] == 2


READING = ("stats", "documents", "ask Who?", "search Ulm", "show Ulm", "remove Ulm", "forget --all")


@pytest.mark.parametrize("command", READING)
def test_where_no_graph_is_yet_reading_fails_and_tells_the_next_step(run, command):
    status, out, err = run(*command.split())
    assert (status, out) == (1, "")
    for told in ("no file hoptrail.db in ", "hoptrail ingest PATH", "hoptrail demo"):
        assert told in err
    assert not Path("hoptrail.db").exists()


def test_search_json_has_the_documented_fields(run, docs):
    run("ingest", str(docs))
    with SqliteStore(Path("hoptrail.db")) as graph:
        graph.keep_parameters("ranker", plain_ranker(SentenceEncoder()))
    for retriever in (name for name in RETRIEVERS if name != "rerank"):  # which takes a model
        status, out, _ = run(
            "search", "Which river flows through Ulm?", "--retriever", retriever, "--json"
        )
        assert status == 0
        found = json.loads(out)
        assert found["retriever"] == retriever
        assert "Danube" in [passage["title"] for passage in found["passages"][:2]]
        keys = {
            "id",
            "title",
            "heading",
            "page",
            "language",
            "headings",
            "text",
            "score",
            "document_id",
            "position",
            "source",
            "also",
            "wikidata",
            "sentences",
        }
        assert all(set(passage) == keys for passage in found["passages"])


def test_ingesting_again_changes_nothing_and_export_shows_it(run, docs, tmp_path):
    run("ingest", str(docs))
    run("export", "first.jsonl")
    status, _, err = run("ingest", str(docs))
    assert (status, "0 documents added, 0 changed, 3 unchanged" in err) == (0, True)
    run("export", "second.jsonl")
    assert (tmp_path / "first.jsonl").read_text() == (tmp_path / "second.jsonl").read_text()
    kinds = [
        json.loads(line)["kind"] for line in (tmp_path / "first.jsonl").read_text().splitlines()
    ]
    assert kinds[0] == "info"
    assert {"document", "passage", "entity", "triple", "mentions", "states"} <= set(kinds)


def test_sources_that_fail_are_named_and_the_rest_goes_on(run, docs):
    (docs / "empty.txt").write_text("")
    (docs / "binary.txt").write_bytes(b"\x00\x01\x02" * 100)
    (docs / "latin.txt").write_bytes("Größe".encode("latin-1"))
    (docs / "locked.txt").write_text("secret")
    (docs / "locked.txt").chmod(0)
    status, _, err = run("ingest", str(docs))
    assert status == 1
    assert "3 documents added" in err or "4 documents added" in err  # root reads locked files
    assert all(name in err for name in ("empty.txt", "binary.txt", "latin.txt"))
    status, _, err = run("stats")
    assert (status, "latin.txt" in err) == (0, True)
    (docs / "locked.txt").chmod(stat.S_IRUSR | stat.S_IWUSR)


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["ask", "  "], 2, "empty"),
        (["ask", "?!"], 2, "no words"),
        (["ask", "Who?", "--option", "Ada"], 2, "2 to 26 options"),
        (["ask", "\udcffWho?"], 1, "hoptrail ingest"),
        (["ingest", ""], 2, "empty"),
        (["--graph", "neo4j://[::1", "stats"], 2, "neo4j://"),
        (["--graph", "bolt://127.0.0.1:abc", "stats"], 2, "neo4j://"),
        (["ask", "Who?"], 1, "hoptrail ingest"),
        (["search", "Who?", "--retriever", "psychic"], 2, "hybrid"),
        (["ask", "Who?", "--retriever", "psychic"], 2, "rgnn"),
        (
            ["ask", "Who?", "--method", "rgnn_ret"],
            2,
            "rgnn_ret takes a language model: set --model",
        ),
        (["ask", "Who?", "--method", "rgnn_ret:beta=1"], 2, "there are: steps, passages"),
        (["ingest", "no-such-folder"], 2, "no-such-folder"),
        (["ingest", "."], 0, "no file of a known format"),
        (["show", "Nobody"], 1, "Nothing called 'Nobody'"),
        (["remove", "Nothing"], 1, "Nothing"),
        (["--graph", "ftp://x/y", "stats"], 2, "ftp"),
        (["--graph", "neo4j://user:secret@localhost:7687", "stats"], 2, "HOPTRAIL_NEO4J_PASSWORD"),
        (["--graph", "bolt://127.0.0.1:9", "stats"], 1, "127.0.0.1:9"),
        (["--graph", "/no/such/folder/graph.db", "reembed"], 1, "/no/such/folder"),
        (["--encoder", "/no/such/encoder", "doctor"], 1, "all-MiniLM-L6-v2"),
        (["frobnicate"], 2, "frobnicate"),
    ],
)
def test_what_is_wrong_gets_one_clear_message(run, arguments, status, says):
    with SqliteStore("hoptrail.db") as store:  # without documents
        store.prepare(SentenceEncoder().fingerprint)
    code, out, err = run(*arguments)
    assert (code, says in out + err) == (status, True), out + err
    assert "secret@" not in out + err


def test_a_file_that_is_no_graph_is_refused(run, tmp_path):
    (tmp_path / "letter.txt").write_text("Dear reader, this is not a database. " * 40)
    status, _, err = run("--graph", "letter.txt", "stats")
    assert (status, "letter.txt" in err) == (1, True)


def test_remove_takes_all_documents_of_a_source_and_finds_deleted_files(run, docs, tmp_path):
    lines = [
        json.dumps({"title": f"Town {n}", "text": f"Town {n} lies on a river."}) for n in range(12)
    ]
    (tmp_path / "towns.jsonl").write_text("\n".join(lines))
    run("ingest", str(docs), "towns.jsonl")
    (docs / "ulm.md").unlink()
    for nothing in ("", "no-such-document"):
        assert run("remove", nothing)[0] in (1, 2)
    assert json.loads(run("stats", "--json")[1])["documents"] == 15
    assert "Removed 12 documents" in run("remove", "towns.jsonl")[2]
    assert "Removed 1 document" in run("remove", "docs/ulm.md")[2]
    assert json.loads(run("stats", "--json")[1])["documents"] == 2


def test_export_writes_into_devices_and_through_links_and_refuses_missing_folders(
    run, docs, tmp_path
):
    run("ingest", str(docs))
    (tmp_path / "real.jsonl").write_text("old")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "real.jsonl")
    assert run("export", "link.jsonl")[0] == 0
    assert (tmp_path / "link.jsonl").is_symlink()
    assert (tmp_path / "real.jsonl").read_text().startswith("{")
    status, _, err = run("export", "nowhere/graph.jsonl")
    assert (status, "nowhere" in err) == (2, True)


def test_asking_does_not_change_what_an_export_says_of_the_documents(run, docs, tmp_path):
    run("ingest", str(docs))
    run("export", "before.jsonl")
    run("ask", "Where was Albert Einstein born?")
    run("export", "after.jsonl")
    before = (tmp_path / "before.jsonl").read_text().splitlines()
    after = (tmp_path / "after.jsonl").read_text().splitlines()
    assert [line for line in after if '"kind": "answer"' not in line] == before


def test_steps_and_doctor_say_what_happened(run, docs):
    run("ingest", str(docs))
    status, out, _ = run("ask", "Where was Albert Einstein born?", "--steps")
    assert status == 0
    assert all(step in out for step in ("retrieve (hop)", "read", "chain (similarity)"))
    status, out, _ = run("doctor")
    assert (status, "FAIL" in out) == (0, False)
    assert "3 documents" in out


def test_ingest_as_json_prints_one_object(run, docs):
    status, out, _ = run("ingest", str(docs), "--json")
    assert status == 0
    assert json.loads(out)["documents"] == {
        "added": 3,
        "changed": 0,
        "unchanged": 0,
        "removed": 0,
    }


def test_the_demo_answers_its_questions(run, tmp_path):
    status, out, _ = run("demo", "--keep", "demo.db")
    assert status == 0
    blocks = dict(block.split("\n", 1) for block in out.split("\n? ")[1:])
    for question in questions():
        said = blocks[question.text].splitlines()[0]
        assert said.startswith(question.answer or "Insufficient evidence")
    counts = json.loads(run("--graph", "demo.db", "stats", "--json")[1])
    assert counts["answers"] == sum(1 for question in questions() if question.answer)


def test_help_names_what_there_is(run):
    _, out, _ = run("--help")
    assert "\\b" not in out
    assert "hoptrail demo    " in out
    _, out, _ = run("ask", "--help")
    assert all(name in out for name in (*RETRIEVERS, *METHODS))


@pytest.mark.parametrize(
    "command",
    [
        "ask Who?",
        "search Who?",
        "show x",
        "documents",
        "stats",
        "remove x",
        "forget --all",
        "export -",
        "copy other.db",
        "reembed",
        "evaluate retrieval questions.jsonl",
    ],
)
def test_a_mistyped_graph_is_no_empty_one(run, tmp_path, monkeypatch, command):
    (tmp_path / "questions.jsonl").write_text("")
    monkeypatch.setattr(SentenceEncoder, "encode_queries", None)  # nothing is loaded before
    status, out, err = run(*command.split(), "--graph", "notes/mis typed.db")
    assert (status, out) == (1, "")
    assert f"There is no file mis typed.db in {tmp_path / 'notes'}." in err
    assert "hoptrail ingest PATH --graph 'notes/mis typed.db'" in err


def test_the_right_number_and_the_nearest_option(run, docs):
    assert "3 documents added" in run("ingest", str(docs))[2]
    assert "1 document added" in run("ingest", str(docs), "--graph", "one.db", "--limit", "1")[2]
    assert run("documents", "--page", "9")[2] == "3 documents at 50 a page: the last page is 1.\n"
    assert "Did you mean '--graph'?" in run("stats", "--grph", "one.db")[2]
    assert "Did you mean '--method'?" in run("ask", "Who?", "--methd", "trace")[2]
    status, _, err = run("forget")
    assert (status, "QUESTIONS by text or id, --older-than WHEN, or --all" in err) == (2, True)
    run("ask", "Where was Albert Einstein born?", "--record")
    assert run("forget", "--all", "--dry-run")[2] == "1 recorded answer would go.\n"


def test_an_export_has_a_suffix_that_says_what_it_is(run, docs, tmp_path):
    run("ingest", str(docs))
    for name in ("o.xyz", "o.json.gz"):
        status, _, err = run("export", name)
        assert (status, ".jsonl, .nt, .ttl" in err, ".graphml" in err) == (2, True, True)
    for name in ("plain", "packed.gz"):
        assert run("export", name)[0] == 0
    assert (tmp_path / "plain").read_text().startswith("{")
    assert not (tmp_path / "o.xyz").exists()


def test_the_seconds_of_an_answer_are_its_own(run, docs, monkeypatch):
    run("ingest", str(docs))
    done, ask = [], Hoptrail.ask
    monkeypatch.setattr(Hoptrail, "warm", lambda hop: done.append("warm"))
    monkeypatch.setattr(Hoptrail, "ask", lambda *a, **k: done.append("ask") or ask(*a, **k))
    assert run("ask", "Where was Albert Einstein born?", "--json")[0] == 0
    assert done == ["warm", "ask"]


def test_hostile_text_is_stored_and_found_as_plain_text(run, docs):
    hostile = (
        "MATCH (n) DETACH DELETE n; \"}) // ' OR 1=1 -- title:x* NEAR(a b) \x1b[31mred\x07 "
        + "x" * 10_000
    )
    (docs / "hostile.txt").write_text(hostile, encoding="utf-8")
    assert run("ingest", str(docs))[0] == 0
    status, out, _ = run(
        "search", '") DETACH DELETE n; NEAR( AND * \x1b[31m', "--retriever", "bm25"
    )
    assert (status, "DETACH DELETE" in out.replace("**", "")) == (0, True)
    assert "\x1b[31m" not in out
    _, out, _ = run("search", "DETACH DELETE", "--json")
    assert hostile.strip()[:60] in json.loads(out)["passages"][0]["text"]


def test_what_needs_no_encoder_starts_without_heavy_libraries(tmp_path):
    check = (
        "import sys; sys.argv = ['hoptrail', *{arguments}]\n"
        "from hoptrail.service.cli.app import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {{'torch', 'spacy', 'sentence_transformers', 'transformers', 'sklearn', 'scipy', "
        "'httpx', 'neo4j'}} & set(sys.modules)\n"
        "sys.exit(f'imported {{heavy}}' if heavy else 0)"
    )
    for arguments in (["--help"], ["ask", "--help"], ["stats"], ["show", "x"]):
        done = subprocess.run(
            [sys.executable, "-c", check.format(arguments=arguments)],
            cwd=tmp_path,
            env={**os.environ, "HOPTRAIL_GRAPH": "none.db"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr


def test_prefixes_of_an_asymmetric_encoder_belong_to_the_graph(run, docs):
    prefixes = ("--query-prefix", "query: ", "--passage-prefix", "passage: ")
    assert run(*prefixes, "ingest", str(docs))[0] == 0
    assert run(*prefixes, "search", "river")[0] == 0
    status, _, err = run("search", "river")
    assert (status, "query_prefix 'query: ', not ''" in err) == (1, True)


def test_options_of_the_program_stand_before_or_after_the_command(run, docs):
    run("ingest", str(docs), "--graph", "towns.db")
    before = run("--graph", "towns.db", "stats", "--json")
    assert (
        run("stats", "--json", "--graph=towns.db")
        == before
        == run("stats", "--graph", "towns.db", "--json")
    )
    assert json.loads(before[1])["documents"] == 3
    assert not Path("hoptrail.db").exists()

    status, _, err = run("stats", "--graph")
    assert (status, "'--graph' requires an argument" in err) == (2, True)
    status, _, err = run("--graph", "towns.db", "show", "--", "--graph")  # a name, no option
    assert (status, "Nothing called '--graph'" in err) == (1, True)
    for command in (["ask"], ["train", "ranker"]):
        assert "--graph" in run(*command, "--help")[1]


def test_json_is_one_object_and_nothing_else(run, docs):
    run("ingest", str(docs))
    asked = "Where was Albert Einstein born?"
    for arguments in (
        ["ingest", str(docs)],
        ["ask", asked, "--steps"],
        ["search", asked],
        ["show", "Ulm"],
        ["stats"],
        ["models"],
        ["reembed"],
        ["copy", "copy.db"],
        ["export", "graph.jsonl"],
        ["--graph", "new.db", "import", "graph.jsonl"],
        ["remove", "Ulm"],
        ["doctor"],
        ["demo"],
    ):
        status, out, _ = run(*arguments, "--json")
        assert status == 0, arguments
        assert isinstance(json.loads(out), dict), arguments
        assert out.count("\n") == 1
