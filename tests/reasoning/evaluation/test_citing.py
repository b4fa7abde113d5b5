"""What answers cite, in the sentences of the files, and what the benchmarks give for it."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from support.building import batch, page
from support.fakes import WordEncoder

from hoptrail.kg.answers import Answer, Chain, Citation, SupportedTriple
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.types import Statement, Triple
from hoptrail.loaders.questions.files import Question, parse_questions
from hoptrail.loaders.records import Record
from hoptrail.reasoning.evaluation.metrics.citing import divided
from hoptrail.reasoning.evaluation.runs.outcome import Outcome, failure, outcome
from hoptrail.reasoning.evaluation.runs.results import AnswerResult

LANTERN = ["", "It is a play.", " The Salt Lantern opened at Vaagur Theatre in 1911."]
THEATRE = ["It stands in Eide.", "", " Vaagur Theatre is by Jens Thorkil."]
HOTPOTQA = {
    "_id": "h1",
    "question": "Who designed the theatre where The Salt Lantern opened?",
    "answer": "Jens Thorkil",
    "supporting_facts": [["The Salt Lantern", 2], ["Vaagur Theatre", 2]],
    "context": [["The Salt Lantern", LANTERN], ["Vaagur Theatre", THEATRE]],
}
DESIGNED = ["Vaagur Theatre", "architect", "Jens Thorkil"]
TWO_WIKI = HOTPOTQA | {"evidences": [["The Salt Lantern", "opened at", "the theatre"], DESIGNED]}
OPENED = ("Salt Lantern", "opened at", "Vaagur Theatre")
DESIGN = ("Vaagur Theatre", "architect", "Jens Thorkil")
CLAIM = {
    "id": 1,
    "claim": "Jens Thorkil designed a theatre.",
    "label": "SUPPORTS",
    "evidence": [[[1, 1, "Vaagur_Theatre", 5]], [[1, 2, "Vaagur_Theatre", 3], [1, 2, "Eide", 0]]],
}
MUSIQUE = {
    "id": "2hop__1_2",
    "question": "Who designed the theatre where The Salt Lantern opened?",
    "answer": "Jens Thorkil",
    "answerable": True,
    "question_decomposition": [],
    "paragraphs": [
        {"title": "Salt", "paragraph_text": "Salt Lantern opened there.", "is_supporting": True},
        {"title": "Eide", "paragraph_text": "Eide is a town.", "is_supporting": False},
    ],
}


def question(data: dict, **change) -> Question:
    [found] = parse_questions(Record(Path("q.json"), "line 1", data))
    return replace(found, **change)


def answer(*steps: Statement, text: str = "Jens Thorkil", **other) -> Answer:
    """An answer that cites these statements, one chain, and their passages."""
    chain = Chain(tuple(SupportedTriple(s.triple, (s.passage_id,)) for s in steps), 0.0)
    cites = tuple(Citation(s.passage_id, "", "", 1, 0.0) for s in steps)
    return Answer("?", "trace", text, not text, chains=(chain,), passages=cites, **other)


@pytest.fixture
def graph(tmp_path):
    """A graph with nothing in it."""
    with SqliteStore(tmp_path / "graph.db") as store:
        store.prepare(WordEncoder().fingerprint)
        yield store


def filled(graph, asked: Question, *triples: tuple[str, str, str]) -> list[Statement]:
    """The question's paragraphs in a graph, and the statements of these triples in them."""
    pages = [page(p.title, p.text, triples=triples, id=p.document_id) for p in asked.paragraphs]
    graph.add(batch(*pages))
    return [statement for one in pages for statement in one.statements]


def judged(graph, asked: Question, said: Answer, known: Iterable[Question] = ()) -> Outcome:
    return outcome(asked, said, graph, 0.0, divided(known or [asked]))


def test_a_triple_is_cited_by_the_sentence_that_states_it(graph):
    """Numbers are the file's, which counts empty sentences: both facts of two are found."""
    asked = question(HOTPOTQA)
    found = judged(graph, asked, answer(*filled(graph, asked, OPENED, DESIGN)))
    assert found.cited_facts == (("The Salt Lantern", 2), ("Vaagur Theatre", 2))
    assert found.cited_triples == (OPENED, DESIGN)
    assert found.cited_documents == tuple(p.document_id for p in asked.paragraphs)
    exact = {"facts_em": 1.0, "facts_f1": 1.0, "joint_em": 1.0, "joint_f1": 1.0}
    assert found.evidence == exact | {"paragraphs_f1": 1.0}


def test_the_joint_figures_are_those_of_answer_and_facts(graph):
    """Answer P 1, R 1/2; facts P 1/2, R 1/2: joint P 1/2, R 1/4, F1 1/3."""
    asked = question(HOTPOTQA)
    said = filled(graph, asked, OPENED, ("It", "in", "Eide"))
    found = judged(graph, asked, answer(*said, text="Thorkil"))
    assert found.cited_facts == (("The Salt Lantern", 2), ("Vaagur Theatre", 0))
    assert found.evidence["facts_f1"] == 0.5
    assert found.evidence["joint_f1"] == pytest.approx(1 / 3)
    assert found.evidence["joint_em"] == 0


def test_2wikimultihopqa_joins_the_triples_too(graph):
    """One triple of two is gold: P 1/2, R 1/2; answer and facts are right."""
    asked = question(TWO_WIKI)
    found = judged(graph, asked, answer(*filled(graph, asked, OPENED, DESIGN)))
    assert (found.evidence["triples_em"], found.evidence["triples_f1"]) == (0, 0.5)
    assert (found.evidence["facts_em"], found.evidence["joint_f1"]) == (1, 0.5)


def test_a_statement_over_two_sentences_cites_both(graph):
    asked = question(HOTPOTQA)
    said = filled(graph, asked, ("a play", "opened at", "Vaagur Theatre"))
    assert judged(graph, asked, answer(*said)).cited_facts == (
        ("The Salt Lantern", 1),
        ("The Salt Lantern", 2),
    )


def test_a_paragraph_of_several_passages_is_counted_through(graph):
    asked = question(HOTPOTQA)
    theatre = asked.paragraphs[1]
    two = page(
        theatre.title, THEATRE[0], THEATRE[2].strip(), triples=(DESIGN,), id=theatre.document_id
    )
    graph.add(batch(two))
    assert judged(graph, asked, answer(*two.statements)).cited_facts == (("Vaagur Theatre", 2),)


def test_sentences_of_other_questions_paragraphs_are_known(graph):
    """As where the whole corpus is searched."""
    asked = question(HOTPOTQA)
    theatre = question(HOTPOTQA | {"context": HOTPOTQA["context"][1:]})
    lantern = question(HOTPOTQA | {"context": HOTPOTQA["context"][:1]})
    said = answer(*filled(graph, asked, DESIGN))
    assert judged(graph, lantern, said, [lantern, theatre]).cited_facts == (("Vaagur Theatre", 2),)


def test_a_sentence_that_is_not_known_is_never_a_gold_one(graph):
    """Elsewhere, or in words that the passage does not hold: the facts said are two, none right."""
    asked = question(HOTPOTQA)
    other = page("Vaagur Theatre", THEATRE[0], triples=(("It", "in", "Eide"),))
    lantern = asked.paragraphs[0]
    own = page(lantern.title, lantern.text, id=lantern.document_id)
    placeless = Statement(own.passages[0].id, Triple("Play", "was shown at", "Eide", "model"))
    graph.add(replace(batch(other, own), statements=[*other.statements, placeless]))
    found = judged(graph, asked, answer(*other.statements, placeless))
    assert found.cited_facts == (("Vaagur Theatre", -1), ("The Salt Lantern", -1))
    assert found.evidence["facts_f1"] == 0


def test_without_known_sentences_only_paragraphs_count(graph):
    """One of the two cited supports the answer: P 1/2, R 1, F1 2/3."""
    asked = question(MUSIQUE)
    said = filled(graph, asked, ("Salt Lantern", "opened", "there"), ("Eide", "is", "a town"))
    assert judged(graph, asked, answer(*said)).evidence == {"paragraphs_f1": pytest.approx(2 / 3)}


def test_own_files_may_say_where_sentences_begin(graph):
    paragraph = {"title": "Vik", "text": "Vik is old. Ada Brun left.", "sent_starts": [0, 12]}
    own = {"question": "Who left?", "answer": "Ada", "supporting_facts": [["Vik", 1]]}
    asked = question(own | {"paragraphs": [paragraph]})
    found = judged(graph, asked, answer(*filled(graph, asked, ("Ada Brun", "left", "left"))))
    assert found.evidence["facts_em"] == 1


def test_a_guess_counts_with_what_it_cites_and_nothing_without_a_guess(graph):
    asked = question(HOTPOTQA)
    said = filled(graph, asked, OPENED, DESIGN)
    guess = judged(graph, asked, answer(*said, text="", candidates=(("Jens Thorkil", 0.4),)))
    assert (guess.abstained, guess.exact_match, guess.evidence["joint_em"]) == (True, 1, 1)
    none = judged(graph, asked, answer(*said, text=""))
    broken = failure(asked, "The server does not answer.", graph, 0.0)
    for one in (none, broken):
        assert (one.cited_facts, one.cited_triples, one.cited_documents) == ((), (), ())
        assert set(one.evidence.values()) == {0.0}
        assert one.evidence.keys() == guess.evidence.keys()


def test_an_error_is_left_out_of_the_means_that_an_answer_is_left_out_of(graph):
    """The only supporting paragraph has no text, so there is no document to find."""
    asked = question(HOTPOTQA | {"context": [["The Salt Lantern", [""]], ["Vaagur Theatre", [""]]]})
    for one in (judged(graph, asked, answer()), failure(asked, "It broke.", graph, 0.0)):
        assert (one.supporting_recall, one.all_supporting, one.all_supporting_at_5) == (None,) * 3
        assert "paragraphs_f1" not in one.evidence


@pytest.mark.parametrize(
    ("heading", "line", "figures"),
    [
        ("line 3", 5, (1, 1, 1)),
        ("line 0", 2, (0, 0, 0)),
        ("Building", -1, (0, 0, 0)),
    ],
)
def test_lines_of_fevers_pages_are_known_to_the_graph(graph, heading, line, figures):
    """The passage begins on the line that its heading names and ends two lines further."""
    made = page(
        "Vaagur Theatre", "It is old .\n\nJens made it .", triples=(("Jens", "made", "it"),)
    )
    passages = [replace(passage, heading=heading) for passage in made.passages]
    graph.add(replace(batch(made), passages=passages))
    found = judged(graph, question(CLAIM), answer(*made.statements, text="It is true."))
    assert found.cited_facts == (("Vaagur Theatre", line),)
    names = ("fever_score", "evidence_precision", "evidence_recall")
    assert tuple(found.evidence[name] for name in names) == figures
    assert (found.exact_match, found.evidence["paragraphs_f1"]) == (1, 1)


def test_an_open_claim_has_no_evidence_to_find(graph):
    asked = question(CLAIM | {"label": "NOT ENOUGH INFO", "evidence": [[[1, None, None, None]]]})
    assert judged(graph, asked, answer(text="")).evidence == {"fever_score": 1.0}


def test_a_claim_whose_label_the_file_keeps_back_counts_as_wrong(graph):
    asked = question({"id": 1, "claim": CLAIM["claim"]})
    for text in ("It is true.", "Perhaps."):
        assert judged(graph, asked, answer(text=text)).evidence == {"fever_score": 0.0}


# -- over all questions


def result(*each: Outcome) -> AnswerResult:
    return AnswerResult("d", "m", each, {})


def test_what_cites_no_sentence_at_all_has_no_figures_of_sentences(graph):
    """An answer without chains counts as wrong among others that have some."""
    asked = question(TWO_WIKI)
    said = filled(graph, asked, OPENED, DESIGN)
    some, none = judged(graph, asked, answer(*said)), judged(graph, asked, answer())
    assert result(some, none).figures["facts_em"].value == 0.5
    assert result(some, none).figures["triples_f1"].value == 0.25
    assert result(none).figures.keys() & {"facts_em", "joint_f1", "triples_f1"} == set()
    assert result(none).figures["paragraphs_f1"].value == 0
    placeless = replace(none, cited_facts=(("Eide", -1),), cited_triples=(OPENED,))
    assert result(placeless).figures.keys() & {"facts_em", "joint_f1"} == set()
    assert result(placeless).figures["triples_em"].value == 0


def test_f1_of_fevers_evidence_is_that_of_the_means(graph):
    """P (1 + 0)/2 and R (1 + 1)/2 make 2/3; the mean of the claims' own would be 1/2."""
    claim = Outcome("1", "?", (), True, cited_facts=(("Eide", 0),))
    figures = [{"evidence_precision": p, "evidence_recall": 1.0} for p in (1.0, 0.0)]
    both = [replace(claim, evidence=evidence) for evidence in figures]
    found = result(*both).figures["evidence_f1"]
    assert found.value == pytest.approx(2 / 3)
    assert (found.low, found.high) == (0, 1)


def twins(name: str, *abstained: bool, f1: float = 0.8) -> list[Outcome]:
    """The answerable one first."""
    one = Outcome(name, "?", (), True, f1=f1, abstained=abstained[0], pair=name)
    one = replace(one, evidence={"paragraphs_f1": f1 / 2})
    return [one, replace(one, id=f"{name} no", answerable=False, abstained=abstained[1], f1=1.0)]


def test_musiques_pairs_count_where_both_are_judged_rightly():
    """Of three pairs one: 0.8 / 3 and 0.4 / 3."""
    each = [*twins("a", False, True), *twins("b", True, True), *twins("c", False, False)]
    found = result(*each).figures
    assert found["pairs_answer_f1"].value == pytest.approx(0.8 / 3)
    assert found["pairs_support_f1"].value == pytest.approx(0.4 / 3)
    assert "pairs_answer_f1" not in result(*each[:-1]).figures  # a twin is missing
    without = [replace(one, pair="") for one in each[:2]]
    assert "pairs_answer_f1" not in result(*without).figures


def test_a_line_of_a_run_holds_it_all(graph):
    asked = question(TWO_WIKI)
    found = judged(graph, asked, answer(*filled(graph, asked, OPENED, DESIGN)))
    assert Outcome.of_json(json.loads(json.dumps(found.as_json()))) == found
    older = {name: value for name, value in found.as_json().items() if name != "evidence"}
    with pytest.raises(ValueError, match="fields that this version writes"):
        Outcome.of_json(older)
