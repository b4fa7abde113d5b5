"""What is shown where nothing is asserted: in a terminal, a notebook, as JSON."""

import json
from dataclasses import replace

import pytest

from hoptrail.kg.answers import Answer, Candidate, Quote, Subanswer
from hoptrail.service.cli.remote import answer_of
from hoptrail.service.console.printing import print_answer
from hoptrail.service.web.mcp import evidence

QUOTE = Quote("p", "The ferry costs 5 euros.")
KEPT = Answer(
    "What does the boat cost?",
    "trace",
    "",
    True,
    confidence=0.57,
    candidates=(Candidate("5 euros", 0.57), Candidate("9 euros", 0.2), Candidate("May", 0.01)),
    missing="what was found is told of another thing",
    withheld=True,
    quote=QUOTE,
)
UNSURE = replace(KEPT, withheld=False, missing="the best candidate is 57% sure, and 58% is wanted")


pytestmark = pytest.mark.one_release


def terminal(answer: Answer, capsys: pytest.CaptureFixture[str]) -> str:
    print_answer(answer)
    return capsys.readouterr().out


@pytest.mark.parametrize("show", [terminal, lambda answer, _: answer._repr_html_()])
def test_what_a_check_keeps_back_has_no_figure(show, capsys) -> None:
    shown = show(KEPT, capsys)
    assert "Candidates, not asserted: 5 euros, 9 euros (0.20)" in shown
    assert "0.57" not in shown
    assert "57%" not in shown
    assert "5 euros (0.57), 9 euros (0.20)" in show(UNSURE, capsys)


def test_json_says_that_it_is_kept_back() -> None:
    said = json.loads(json.dumps(KEPT.to_dict()))
    assert (said["withheld"], said["confidence"], said["abstained"]) == (True, 0.57, True)
    assert answer_of(said).withheld
    assert not UNSURE.to_dict()["withheld"]


def test_what_one_step_keeps_back_has_no_figure_either(capsys) -> None:
    step = Subanswer("Which boat goes to Ulm?", "the ferry", 0.57, None, withheld=True)
    shown = terminal(replace(KEPT, subanswers=(step,)), capsys)
    assert "Which boat goes to Ulm? the ferry\n" in shown
    shown = terminal(replace(KEPT, subanswers=(replace(step, withheld=False),)), capsys)
    assert "Which boat goes to Ulm? the ferry (0.57)\n" in shown


def test_what_reads_like_no_answer_has_no_candidates(new_store, capsys) -> None:
    hardly = (Candidate("5 euros", 0.04), Candidate("May", 0.03))
    none = replace(KEPT, confidence=0.04, candidates=hardly, withheld=False, missing="")
    shown = terminal(none, capsys)
    assert "not asserted" not in shown
    assert "Closest to the question is" in shown
    assert evidence(new_store(), none).not_asserted == []
    assert evidence(new_store(), KEPT).not_asserted == ["5 euros", "9 euros"]


def test_one_candidate_is_no_list(capsys) -> None:
    shown = terminal(replace(UNSURE, candidates=UNSURE.candidates[:1]), capsys)
    assert "Candidate, not asserted: 5 euros (0.57)\nIt stands in\n" in shown


def test_yes_and_no_are_not_listed_where_neither_is_known(capsys) -> None:
    toss = (Candidate("yes", 0.5), Candidate("no", 0.5))
    shown = terminal(replace(KEPT, confidence=0.5, candidates=toss, withheld=False), capsys)
    assert "yes" not in shown
    assert "Closest to the question is" in shown
