"""What to do where no answer is asserted: on the command line, as JSON, in Python."""

import inspect
import json
import re

import pytest

from hoptrail.kg.answers import Answer, Quote
from hoptrail.kg.shown import advice
from hoptrail.reasoning.reader.judging import lacking
from hoptrail.reasoning.reader.placed.place import Place
from hoptrail.service.console.printing import print_answer

QUOTE = Quote("p", "The ferry costs 5 euros.")


def abstained(missing, quote=QUOTE, model=""):
    return Answer("Who?", "trace", "", True, missing=missing, quote=quote, model=model)


@pytest.mark.parametrize(
    ("missing", "says"),
    [
        ("no passage was found", "`hoptrail stats`"),
        ("no passage found says Quantrel Devices", "spelt"),
        ("no passage found says Quantrel Devices", "ingest what speaks of it"),
        ("what was found may not be about Ann Lee", "it answers the question"),
        ("what was found may not be about what the question describes", "described first"),
        ("what was found does not stand near Ann Lee", "stands around it"),
        ("it is not stated how what was found is related", "sentence quoted"),
        ("no passage found tells this: Which firm sells the paint?", "just that in other words"),
        ("it takes two steps or more, which are together 57% sure, and 58% is wanted", "by way of"),
        ("no date was found that is asked for", "`hoptrail search`"),
        ("what was found is told of another thing", "stands around it"),
        ("what was found is told of another time", "stands around it"),
        ("what was found is what the question says, or says nothing", "stands around it"),
        ("what was found is not known to say yes or no", "comes nearer to the question"),
        ("the field that is asked for is empty", "another passage"),
        ("nothing that was found reads like an answer", "in other words"),
        ("the best candidate is 41% sure, and 58% is wanted", "the documents' own words"),
        ("No sub-question has an answer that is sure.", "one thing at a time"),
        ("", "in other words"),
    ],
)
def test_each_reason_has_its_next_step_below_it(capsys, missing, says):
    print_answer(abstained(missing))
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("Insufficient evidence")
    assert says in second


def test_a_model_is_proposed_where_none_was_asked_and_it_may_tell_more():
    unsure = "the best candidate is 41% sure, and 58% is wanted"
    assert "--model" in abstained(unsure).advice
    assert "--model" not in abstained(unsure, model="qwen").advice
    assert "--model" not in abstained("no passage found says Quantrel Devices").advice


def test_what_the_reason_says_itself_is_not_said_again():
    foreign = "the passage is in German, and without a language model only English is read; give "
    assert abstained(f"{foreign}one with --model").advice == ""


def test_without_a_sentence_none_is_to_be_read():
    unsure = "the best candidate is 41% sure, and 58% is wanted"
    assert "sentence" in abstained(unsure).advice
    assert "sentence" not in abstained(unsure, quote=None).advice


@pytest.mark.parametrize("told", [lacking, Place.flaw.fget])
def test_no_reason_that_the_reader_gives_is_unknown(told):
    said = re.findall(r'return f?"(.+?)"(?: if .*)?$', inspect.getsource(told), re.MULTILINE)
    whole = [text for text in said if not text.startswith("{")]
    reasons = [re.sub(r"\{.*?\}", "X", text) for text in whole]
    assert len(reasons) > 4
    assert [r for r in reasons if not any(p.fullmatch(r) for p, *_ in advice._KNOWN)] == []


def test_json_has_it_and_an_answer_has_none(run, tmp_path):
    (tmp_path / "ulm.md").write_text("# Ulm\n\nAlbert Einstein was born in Ulm.\n")
    assert run("ingest", "ulm.md")[0] == 0
    status, out, _ = run("ask", "Who owns Quantrel Devices?", "--json")
    said = json.loads(out)
    assert (status, said["abstained"], "spelt" in said["advice"]) == (0, True, True)
    assert json.loads(run("ask", "Where was Albert Einstein born?", "--json")[1])["advice"] is None
