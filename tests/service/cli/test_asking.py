"""Asking again and again, from a pipe; and where the evidence stands."""

import json
import re
from dataclasses import replace

import pytest

from hoptrail.kg.answers import Answer, Candidate, Chain, Citation, Quote, SupportedTriple
from hoptrail.kg.types import Triple
from hoptrail.reasoning.reader.reader import Reader
from hoptrail.service.cli.remote import answer_of
from hoptrail.service.console.printing import print_answer

ULM = "# Ulm\n\nUlm is a city on the Danube. The physicist Albert Einstein was born in Ulm.\n"
QUESTIONS = b"Where was Albert Einstein born?\n\n   \nUlm is on which river?\n"


@pytest.fixture
def graph(run, tmp_path):
    (tmp_path / "ulm.md").write_text(ULM, encoding="utf-8")
    assert run("ingest", "ulm.md")[0] == 0


def test_a_pipe_gives_a_question_a_line_and_gets_an_object_a_line(run, graph):
    status, out, _ = run("ask", "-", "--json", stdin=QUESTIONS)
    answers = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [one["question"] for one in answers] == [
        "Where was Albert Einstein born?",
        "Ulm is on which river?",
    ]


def test_a_question_that_fails_stops_no_other(run, graph):
    status, out, _ = run("ask", "-", "--json", stdin=b"???\nWhere is Ulm?\n")
    failed, answered = (json.loads(line) for line in out.splitlines())
    assert status == 1
    assert "words" in failed["error"]
    assert answered["question"] == "Where is Ulm?"


def test_without_a_question_or_a_terminal_it_says_what_to_give(run, graph):
    status, _, err = run("ask", stdin=b"")
    assert status == 2
    assert '"-"' in err


def test_evidence_names_sentence_words_and_file(run, graph):
    _, out, _ = run("ask", "Where was Albert Einstein born?", "--json")
    answer = json.loads(out)
    step = answer["chains"][0]["triples"][0]
    [stated] = step["stated"]
    [passage] = [one for one in answer["passages"] if one["id"] == stated["passage_id"]]
    assert passage["text"][stated["start"] : stated["end"]] == stated["sentence"]
    words = {passage["text"][start:end] for start, end in stated["marked"]}
    assert words <= {step["head"], step["tail"]}
    assert words
    assert passage["source"].endswith("ulm.md")
    assert (step["head_id"], answer["created_at"][:2]) == (step["head"].lower(), "20")
    assert {one["kind"] for one in answer["steps"]} >= {"retrieve", "read", "choose"}

    _, out, _ = run("search", "Where was Albert Einstein born?")
    assert "**Albert** **Einstein** was **born** in Ulm." in out
    assert "city on the Danube" in run("search", "Einstein born", "--full")[1]


def test_what_no_triple_states_is_shown_in_its_sentence(capsys):
    said = "While it is active, pressing q will abort the required download."
    place = said.index(" q ") + 1, said.index(" q ") + 2
    read = Answer(
        "Which key aborts a download?",
        "trace",
        "q",
        False,
        confidence=0.7,
        passages=(Citation("p", "Keys", f"{said} It ends.", 0, 0.5),),
        quote=Quote("p", said, "", 0, len(said), (place,)),
    )
    print_answer(read)
    shown = " ".join(capsys.readouterr().out.split())
    assert "“While it is active, pressing **q** will abort the required download.” [Keys]" in shown
    assert f"“{said.replace(' q ', ' <mark>q</mark> ')}”" in read._repr_html_()


MINUTES = """# Minutes

Present: Anna Lindqvist, Robert Castellan.

The board met in Graz on Monday. Robert Castellan, the chief financial officer, opened the meeting.
"""


def test_the_sentence_shown_is_the_one_that_says_it(run, tmp_path):
    (tmp_path / "minutes.md").write_text(MINUTES, encoding="utf-8")
    assert run("ingest", "minutes.md")[0] == 0
    _, out, _ = run("ask", "Who is the chief financial officer?")
    assert out.startswith("Robert Castellan ")
    shown = out.split("Passages")[0]
    assert "the **chief financial officer**, opened" in shown
    assert "Present" not in shown


def test_a_chain_that_leads_elsewhere_is_not_called_the_first_candidates(run, tmp_path):
    (tmp_path / "minutes.md").write_text(MINUTES, encoding="utf-8")
    assert run("ingest", "minutes.md")[0] == 0
    _, out, _ = run("ask", "Where was Robert Castellan born?", "--json")
    answer = json.loads(out)
    assert answer["abstained"]
    first = answer["candidates"][0]["text"].lower()
    triples = [chain["triples"] for chain in answer["chains"]]
    assert all(any(first in (t["head_id"], t["tail_id"]) for t in chain) for chain in triples)
    _, out, _ = run("ask", "Where was Robert Castellan born?")
    assert ("Chain, to the first candidate" in out) == ("⟨" in out) == bool(triples)
    assert "minutes.md]" in re.split("stands in|question is", out)[1]


def test_what_another_document_says_otherwise_is_named(run, tmp_path):
    for name, days in (("a.md", 27), ("b.md", 25)):
        text = f"# Staff handbook\n\nEvery employee has {days} days of paid leave a year.\n"
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert run("ingest", "a.md", "b.md")[0] == 0
    _, out, _ = run("ask", "How many days of paid leave does an employee have?")
    assert "27 days" in out.split("Chain")[0]
    assert "25 days" in out.split("Chain")[0]
    passages = out.split("Passages")[1]
    assert "a.md" in passages
    assert "b.md" in passages


def test_an_abstention_without_candidates_shows_the_nearest_sentence_and_no_chain(run, tmp_path):
    text = "The mill was built in 1890. The keeper of the mill is Tom Bell."
    (tmp_path / "mill.md").write_text(text, encoding="utf-8")
    assert run("ingest", "mill.md")[0] == 0
    _, out, _ = run("ask", "Who owns the ferry at Kirk?")
    assert out.startswith("Insufficient evidence")
    assert "“" in out.split("Passages")[0]
    assert ("Candidates" in out) == ("first candidate" in out)
    assert ("vote" in out) == ("⟨" in out)


def test_a_sentence_is_cited_with_the_heading_it_stands_under(run, tmp_path):
    kilns = "## Kilns\n\nThe kiln was lit by Ole Berg in 1901. It burns oak."
    cranes = "## Cranes\n\nThe tall crane was installed by Vickers in 1950. It is green."
    (tmp_path / "yard.md").write_text(f"# Harrow Yard\n\n{kilns}\n\n{cranes}\n", encoding="utf-8")
    assert run("ingest", "yard.md")[0] == 0
    question = "Who installed the tall crane?"
    assert "[Harrow Yard, Cranes" in run("ask", question)[1]
    answer = json.loads(run("ask", question, "--json")[1])
    assert (answer["quote"]["heading"], answer["passages"][0]["heading"]) == ("Cranes", "Kilns")


def test_an_option_of_a_command_before_it_is_said_to_stand_behind(run):
    status, _, err = run("--json", "documents")
    assert (status, "--json stands behind the command" in err) == (2, True)
    assert "No such option" in run("--jason", "documents")[2]


def test_a_word_in_another_form_is_no_word_that_nothing_has(run, tmp_path):
    (tmp_path / "b.txt").write_text("Die Bibliothek der Stadt ist am Montag geschlossen.")
    assert run("ingest", "b.txt")[0] == 0
    assert "nearest in meaning" not in run("search", "Bibliotheken")[1]


def test_what_no_passage_says_is_told_beside_what_is_near(run, graph):
    assert "nearest in meaning" in run("search", "zzzzqqq")[1]
    for question in ("Where is the Danube?", "Which cities?"):
        assert "nearest in meaning" not in run("search", question)[1]


def test_what_is_hardly_likely_is_not_shown(run, tmp_path):
    (tmp_path / "minutes.md").write_text(MINUTES, encoding="utf-8")
    assert run("ingest", "minutes.md")[0] == 0
    _, out, _ = run("ask", "Which colour has the roof of the town hall?")
    assert out.startswith("Insufficient evidence")
    assert "stands in" not in out
    assert "Candidates" not in out


def test_options_without_a_language_model_are_refused(run, graph):
    asked = ("ask", "Where was Albert Einstein born?", "--option", "Oslo", "--option", "Rome")
    status, out, err = run(*asked)
    assert (status, out) == (2, "")
    assert "options takes a language model" in err
    assert "--model" in err
    assert "Takes --model." in run("ask", "--help")[1]


PRICES = """# Prices

A guided tour costs 9 euros. A programme costs 4 euros. A children's ticket costs 9 euros.
"""
GAUGE = "# Tide gauge\n\nThe bracket is fixed with four bolts. It was designed by Priya Nair.\n"
PRODUCTS = "name,kind,designer\nCM-7,current meter,Priya Nair\nTG-20,tide gauge,Otto Lindqvist\n"


def test_every_output_shows_the_same_chains_and_none_that_only_speaks_of_the_answer(run, tmp_path):
    (tmp_path / "prices.md").write_text(PRICES, encoding="utf-8")
    assert run("ingest", "prices.md")[0] == 0
    question = "How much does a guided tour cost?"
    answer = json.loads(run("ask", question, "--json")[1])
    assert answer["answer"] == "9 euros"
    quote = answer["quote"]
    [text] = [one["text"] for one in answer["passages"] if one["id"] == quote["passage_id"]]
    assert text[quote["start"] : quote["end"]] == quote["text"] == "A guided tour costs 9 euros."
    assert [text[start:end] for start, end in quote["marked"]] == ["9 euros"]
    heads = [t["head"] for chain in answer["chains"] for t in chain["triples"]]
    shown = answer_of(answer)._repr_html_()
    assert "A guided tour costs <mark>9 euros</mark>." in shown
    assert "prices.md]" in shown
    assert not any("children" in head for head in heads)
    assert ("⟨" in shown) == ("⟨" in run("ask", question)[1]) == bool(heads)


def test_the_chain_shown_is_the_one_that_says_most_of_the_question(run, tmp_path):
    (tmp_path / "gauge.md").write_text(GAUGE, encoding="utf-8")
    (tmp_path / "products.csv").write_text(PRODUCTS, encoding="utf-8")
    assert run("ingest", "gauge.md", "products.csv")[0] == 0
    question = "Who designed the bracket?"
    [first, *_] = json.loads(run("ask", question, "--json")[1])["chains"]
    assert [t["head"] for t in first["triples"]] == ["bracket"]
    assert "⟨bracket; was designed by; Priya Nair⟩" in run("ask", question)[1].split("Passages")[0]


def test_a_chain_that_says_nothing_of_the_question_gives_way_to_the_sentence(run, tmp_path):
    bust = "A marble bust of her, the work of the potter Jan Sobek, was put up in 1971."
    text = f"# Edda Norlin\n\nEdda Norlin was an engraver in Tromvik.\n\n{bust}\n"
    (tmp_path / "norlin.md").write_text(text, encoding="utf-8")
    assert run("ingest", "norlin.md")[0] == 0
    question = "Who made the bust of Edda Norlin?"
    answer = json.loads(run("ask", question, "--json")[1])
    assert (answer["answer"], answer["chains"]) == ("Jan Sobek", [])
    _, out, _ = run("ask", question)
    assert "Read in\n  “A marble bust of her, the work of the potter **Jan Sobek**" in out
    [_, passages] = out.split("Passages\n")
    assert passages.splitlines()[0].startswith("  Edda Norlin · ")
    assert "vote" not in out


def test_a_notebook_says_what_is_missing_and_what_to_do():
    led = Chain((SupportedTriple(Triple("Ann", "works in", "Ulm", "rules"), ("p",)),), 0.0)
    answer = Answer(
        "Where was Ann born?",
        "trace",
        "",
        True,
        candidates=(Candidate("Ulm", 0.4),),
        chains=(led,),
        missing="what was found is told of another thing",
    )
    shown = answer._repr_html_()
    assert "Insufficient evidence: what was found is told of another thing." in shown
    assert answer.advice in shown
    assert "Chain, to the first candidate" in shown
    assert answer.to_dict()["advice"] == answer.advice


def test_what_lacks_little_is_shown_as_less_than_is_wanted(run, graph, monkeypatch):
    read = Reader.read

    def nearly(reader, question, given):
        found = read(reader, question, given)
        why = "the best candidate is 57% sure, and 58% is wanted"
        candidates = ((found.text, 0.5797), ("Danube", 0.2))
        return replace(found, confidence=0.5797, candidates=candidates, missing=why)

    monkeypatch.setattr(Reader, "read", nearly)
    _, out, _ = run("ask", "Where was Albert Einstein born?")
    assert "57% sure, and 58%" in out
    assert "Ulm (0.57)" in out
