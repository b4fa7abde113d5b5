"""Questions that two documents answer together, one of which names what the other tells of."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from click.testing import CliRunner

from hoptrail import Document, Hoptrail
from hoptrail.kg.answers import Subanswer
from hoptrail.reasoning.methods.trace.decomposed import Composed, _and_then, _preferred
from hoptrail.reasoning.reader import Reading
from hoptrail.reasoning.reader.judging.lacking import unsure
from hoptrail.service.console.printing import print_answer

pytestmark = pytest.mark.one_release

STAFF = (
    "Name: Gus Penhale; Role: Night watchman; Mobile: 07700 900218; Works: Nights",
    "Name: Denzil Rowe; Role: Engineer; Mobile: 07700 900163; Works: Mon-Fri",
    "Name: Wenna Hocking; Role: Sailmaker; Mobile: 07700 900152; Works: Mon-Wed",
)
SUPPLIERS = (
    "Supplier: Trevose Cordage; Contact: Tamsin Rowe; Delivery day: Friday; Terms: 30 days",
    "Supplier: Crewsafe; Contact: Bo Ek; Delivery day: Wednesday; Terms: 14 days",
)
NOTES = (
    "Gus Penhale looks after the boiler in the shower block. Denzil Rowe drives the hoist.",
    "Trevose Cordage give the prizes for the dinghy race, a reel of braid.",
)


@pytest.fixture
def hop(new_store, encoder) -> Iterator[Hoptrail]:
    rows = [*STAFF, *SUPPLIERS]
    documents = [
        Document(f"row{n}", row.partition("; ")[0].partition(": ")[2], row, "yard.csv")
        for n, row in enumerate(rows)
    ]
    documents += [
        Document(f"note{n}", f"Notes {n}", text, f"{n}.md") for n, text in enumerate(NOTES)
    ]
    with Hoptrail(new_store(), encoder=encoder) as hop:
        hop.ingest(*documents)
        yield hop


BOILER = "What is the mobile number of the person who looks after the boiler?"


@pytest.mark.parametrize(
    ("question", "answer", "way"),
    [
        (BOILER, "07700 900218", "Gus Penhale"),
        (
            "On which day does the firm that gives the prizes for the dinghy race deliver?",
            "Friday",
            "Trevose Cordage",
        ),
    ],
)
def test_the_name_is_found_first(hop: Hoptrail, question: str, answer: str, way: str) -> None:
    found = hop.ask(question, record=False)
    assert (found.text, [step.text for step in found.subanswers]) == (answer, [way])


def test_all_steps_are_evidence(hop: Hoptrail) -> None:
    found = hop.ask(BOILER)
    [step] = found.subanswers
    assert step.question == "Who looks after the boiler?"
    assert step.quote is not None
    assert "looks after the boiler" in step.quote.text
    cited = {one.passage_id for one in found.passages}
    assert {step.quote.passage_id, found.quote.passage_id} <= cited
    assert found.confidence <= step.confidence
    said = json.loads(json.dumps(found.to_dict()))["subanswers"]
    assert [(one["question"], one["text"]) for one in said] == [(step.question, step.text)]
    assert step.question in found._repr_html_()
    assert hop.show(found.recorded_as)


def test_the_terminal_shows_by_way_of_what(hop: Hoptrail) -> None:
    found = hop.ask(BOILER, record=False)
    with CliRunner().isolation() as (out, *_):
        print_answer(found)
        shown = out.getvalue().decode()
    assert "By way of\n  Who looks after the boiler? Gus Penhale (" in shown


@pytest.mark.parametrize(
    "question",
    [
        "What is the mobile number of the person who paints the sheds?",
        "On which day does the firm that sells the paint deliver?",
        "When was the person who looks after the boiler born?",
    ],
)
def test_nothing_is_said_of_whom_no_document_names(hop: Hoptrail, question: str) -> None:
    assert hop.ask(question, record=False).abstained


def read(text: str, confidence: float, *others: tuple[str, float], **told: object) -> Reading:
    missing = "" if confidence >= 0.58 else unsure(confidence)
    chances = ((text, confidence), *others)
    return replace(Reading(text, confidence, chances, "", (), missing=missing), **told)


def step(reading: Reading) -> Composed:
    found = Subanswer("Who mends the lift?", reading.text, reading.confidence)
    return Composed(reading, (found,))


def test_the_reason_and_the_candidates_agree_on_how_sure_steps_are() -> None:
    together = _and_then(step(read("Ann", 0.7)), read("4711", 0.4, ("12", 0.2)), []).reading
    assert "together 28% sure" in together.missing
    assert [round(chance, 2) for _, chance in together.candidates] == [0.28, 0.14]
    preferred = _preferred(read("Bo", 0.01), Composed(together)).reading
    assert [text for text, _ in preferred.candidates] == ["4711", "12", "Bo"]


def test_what_a_check_keeps_back_is_no_figure_of_steps() -> None:
    reason = "what was found is told of another thing"
    kept = read("Ann", 0.57, missing=reason, withheld=True)
    together = _and_then(step(kept), read("4711", 0.9), []).reading
    assert (together.answered, together.withheld) == (False, True)
    assert together.missing.endswith(f"one of which is not sure: {reason}")
    last = _and_then(step(read("Ann", 0.9)), kept, []).reading
    assert (last.withheld, last.missing) == (True, reason)
    sure = _and_then(step(read("Ann", 0.9)), read("4711", 0.9), []).reading
    assert (sure.answered, sure.withheld, sure.missing) == (True, False, "")


def test_whom_a_question_only_describes_is_not_asserted(new_store, encoder) -> None:
    mill = "The mill at Orr was built by Ann Lee and her brother Ben Lee in 1880."
    with Hoptrail(new_store(), encoder=encoder) as hop:
        hop.ingest(Document("mill", "Mill", mill, "mill.md"))
        assert not hop.ask("Who built the mill at Orr?", record=False).abstained
        found = hop.ask("Who built the mill with the owner of the inn?", record=False)
        assert found.abstained
        assert found.missing.endswith("may not be about what the question describes")
