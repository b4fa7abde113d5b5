"""Judgements of what is known, as models write them."""

import pytest

from hoptrail.reasoning.replies.exploring import Pair, Plan, plan

PAIRS = (Pair("The Salt Lantern", "where it opened"), Pair("Jens Thorkil", "his birth"))
MISSING = (
    "Sufficient: no\nGuidance:\n- {0}: {1}\n- {2}: {3}",
    "Sufficient: no\nGuidance:\n{0}: {1}\n{2}: {3}",
    "Sufficient: No.\n\nRetrieval Guidance:\n\n1. {0}: {1}\n2. {2}: {3}",
    "**Sufficient:** No\n\n**Guidance:**\n- **{0}:** {1}\n- **{2}**: {3}",
    "## Reply\n\nSufficient: no\n\nGuidance:\n\n* {0} – {1}\n* {2} – {3}",
    "Whether the known triples are sufficient for answering: No\nEntities to look up:\n"
    "- {0}: {1}\n- {2}: {3}",
    "The triples are not sufficient to answer.\nGuidance:\n- {0}: {1}\n- {2}: {3}",
    "No.\nGuidance:\n- {0}: {1}\n- {2}: {3}",
    "<think>Sufficient: yes? Answer: Rome. No.</think>\nSufficient: no\nGuidance:\n"
    "- {0}: {1}\n- {2}: {3}",
    "- {0}: {1}\n- {2}: {3}",
    '{{"sufficient": false, "guidance": [{{"entity": "{0}", "guidance": "{1}"}}, '
    '{{"entity": "{2}", "guidance": "{3}"}}]}}',
    '{{"sufficient": "no", "guidance": {{"{0}": "{1}", "{2}": "{3}"}}}}',
)
ENOUGH = (
    "Sufficient: yes\nThought: Thorkil built it.\nAnswer: Jens Thorkil",
    "**Sufficient:** Yes!\n\n**Thought:** Thorkil built it.\n\n**Answer:** Jens Thorkil",
    "Whether the triples are sufficient: Yes\nThought: Thorkil built it.\nAnswer: Jens Thorkil.",
    "Thought: Thorkil built it.\nAnswer: Jens Thorkil",
    "The triples are sufficient.\nThorkil built it.\nSo the answer is: Jens Thorkil",
    '{"sufficient": true, "thought": "Thorkil built it.", "answer": "Jens Thorkil"}',
)


@pytest.mark.parametrize("reply", MISSING)
def test_what_is_to_be_looked_up(reply):
    assert plan(reply.format(*PAIRS[0], *PAIRS[1])) == Plan(False, pairs=PAIRS)


@pytest.mark.parametrize("reply", ENOUGH)
def test_an_answer_with_its_thought(reply):
    assert plan(reply) == Plan(True, "Thorkil built it.", "Jens Thorkil")


def test_an_unknown_answer_is_none():
    told = plan("Sufficient: yes\nThought: Nothing is said of it.\nAnswer: unknown")
    assert told == Plan(True, "Nothing is said of it.", "")


@pytest.mark.parametrize("reply", ["", "Well, let us see.", "Sufficient: no", "Sure!", "{}"])
def test_what_says_neither_is_no_judgement(reply):
    assert plan(reply) is None


def test_a_name_with_a_colon_is_told_apart_by_what_is_known():
    line = "Sufficient: no\nGuidance:\n- 2001: A Space Odyssey: find out who directed it"
    known = "Who directed 2001: A Space Odyssey?"
    assert plan(line, known).pairs == (Pair("2001: A Space Odyssey", "find out who directed it"),)


def test_lines_that_name_no_relation_are_dropped_and_counted():
    told = plan("Sufficient: no\nGuidance:\n- Ulm: its river\n- Bonn\n- : where\n- Ulm: its river")
    assert told == Plan(False, pairs=(Pair("Ulm", "its river"),), dropped=2)
