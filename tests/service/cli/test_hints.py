"""What a newcomer types that is not quite what was meant, and what is said then."""

import json

import pytest

from hoptrail import Document, Hoptrail
from hoptrail.kg.errors import EmptyGraph
from hoptrail.service.cli import asking
from hoptrail.service.cli.asking import in_session

SWIFT = "# Swift\n\nSwift was built by Ann Lee in 1901. Ann Lee was born in Ulm.\n"


@pytest.fixture
def graph(run, tmp_path):
    (tmp_path / "swift.md").write_text(SWIFT, encoding="utf-8")
    assert run("ingest", "swift.md")[0] == 0


def test_a_question_needs_no_quotes(run, graph):
    status, out, _ = run("ask", "Who", "built", "Swift", "--json")
    answer = json.loads(out)
    assert (status, answer["question"], answer["answer"]) == (0, "Who built Swift", "Ann Lee")
    status, out, _ = run("search", "--limit", "1", "Who", "built", "Swift")
    assert (status, "**Swift** was **built**" in out) == (0, True)


def test_several_questions_are_not_taken_for_one(run, graph):
    for words in (("Who built Swift?", "Where is Ulm?"), ("-", "Swift")):
        status, _, err = run("ask", *words)
        assert (status, "in quotes" in err, "hoptrail ask -" in err) == (2, True, True)
    assert run("search")[0] == 2


def test_a_pipe_without_a_question_is_told(run, graph):
    for empty in (b"", b"\n  \n"):
        status, out, err = run("ask", "-", stdin=empty)
        assert (status, out, "No question was read" in err) == (0, "", True)
    assert "No question" not in run("ask", "-", stdin=b"Who built Swift?\n")[2]


@pytest.mark.parametrize("word", ["exit", "quit", ":q", "Exit "])
def test_a_word_ends_the_session(monkeypatch, word):
    typed, asked = iter([word, "Who?"]), []
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    in_session(asked.append, lambda: None)
    assert asked == []
    assert next(typed) == "Who?"


def test_help_is_no_question(monkeypatch, capsys):
    typed, asked = iter(["help", "?", "Who helps?", "quit"]), []
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    in_session(asked.append, lambda: None)
    err = capsys.readouterr().err
    assert asked == ["Who helps?"]
    assert err.count("hoptrail search") == 2
    assert "`help`" in asking.HINT


def test_doctor_misses_a_graph_that_was_named(run, graph):
    status, out, _ = run("doctor", "--quick", "--graph", "misspelt.db")
    last = out.splitlines()[-1]
    assert (status, last.startswith("FAIL    graph: There is no file misspelt.db")) == (1, True)
    assert "--graph" in last


def test_a_graph_that_is_not_there_is_named_in_python(tmp_path, encoder):
    for name, lacking in (("no/a.db", "its folder does not exist"), ("a.db", "no such file")):
        where = tmp_path / name
        for call in (Hoptrail.ask, Hoptrail.search):
            with Hoptrail(where, encoder=encoder) as hop, pytest.raises(EmptyGraph) as raised:
                call(hop, "Who built Swift?")
            assert lacking in str(raised.value)
            assert f"hoptrail ingest PATH --graph {where}" in str(raised.value)


def test_a_graph_without_passages_is_named_with_what_fills_it(tmp_path, encoder):
    with Hoptrail(tmp_path / "a.db", encoder=encoder) as hop:
        hop.ingest(Document("s", "Swift", SWIFT, "swift"))
        hop.remove("swift")
        with pytest.raises(EmptyGraph, match=r"holds no passages yet.* --graph .*a.db"):
            hop.ask("Who built Swift?")


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("localhost:8917/x", "http://localhost:8917/x"),
        ("127.0.0.1:80", "http://127.0.0.1:80"),
        ("example.org/handbook.pdf", "https://example.org/handbook.pdf"),
        ("www.example.org", "https://www.example.org"),
    ],
)
def test_an_address_without_its_scheme_is_told_whole(run, typed, whole):
    status, _, err = run("ingest", typed)
    assert (status, f"write it whole: {whole}" in err) == (2, True)


def test_other_paths_that_are_not_there_are_no_addresses(run):
    for path in ("notes.md", "docs/notes.md", "./a.b/c.txt"):
        assert "check the spelling" in run("ingest", path)[2]


def test_a_query_that_is_no_sparql_is_shown_one_that_works(run, graph):
    status, _, err = run("sparql", "SELECT")
    assert (status, "docs/rdf.md" in err) == (2, True)
    status, out, _ = run("sparql", err.split("'")[-2])
    assert (status, '"Ann Lee"' in out) == (0, True)


def test_words_that_say_nothing_are_not_marked(run, tmp_path):
    text = "Die Stadt fährt mit dem Bus. Das Rathaus liegt mit dem Markt am Fluss und ist alt."
    (tmp_path / "de.txt").write_text(text, encoding="utf-8")
    assert run("ingest", "de.txt")[0] == 0
    out = run("search", "Was fährt mit dem Bus?")[1]
    assert "Die Stadt **fährt** mit dem **Bus**." in out
