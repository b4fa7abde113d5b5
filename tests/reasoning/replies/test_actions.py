"""Turns of a thought and an action as models write them."""

import pytest

from hoptrail.reasoning.replies.actions import action

THOUGHT = "I need to know who made it."
SEARCHES = (
    ("terse", "Thought: {thought}\nAction: search[{words}]"),
    ("terse", "Thought: {thought}\nAction: search[{words}"),
    ("terse", "Thought: {thought}\nAction: search[{words}]."),
    ("terse", "Thought: {thought}\nAction: Search[{words}]"),
    ("terse", "Thought: {thought}\nAction: search [{words}]"),
    ("terse", "{thought}\nsearch[{words}]"),
    ("terse", "Thought: {thought}\n\nAction: search[{words}]"),
    ("terse", "Thought: {thought} Action: search[{words}]"),
    ("terse", "Thought: {thought}\nAction: search: {words}"),
    ("terse", "Thought: {thought}\nAction: search {words}"),
    ("terse", "Thought: {thought}\nSearch: {words}"),
    ("terse", "Thought 1: {thought}\nAction 1: search[{words}]\nObservation 1: nothing"),
    ("chatty", "Sure!\n\nThought: {thought}\n\nAction: search[{words}]"),
    ("chatty", "Thought: {thought}\nAction: search[{words}]\n\nLet me know what you find!"),
    ("chatty", "Thought: {thought}\nAction: search for {words}"),
    ("chatty", "Thought: {thought}\nAction: search[{words}]\nAction: finish[Rome]"),
    ("Markdown", "**Thought:** {thought}\n\n**Action:** search[{words}]"),
    ("Markdown", "**Thought**: {thought}\n**Action**: `search[{words}]`"),
    ("Markdown", "## Next turn\nThought: {thought}\nAction: **search[{words}]**"),
    ("Markdown", "- Thought: {thought}\n- Action: search[{words}]"),
    ("Markdown", "```\nThought: {thought}\nAction: search[{words}]\n```"),
    ("thinking", "<think>finish[Rome]? No.</think>\n\nThought: {thought}\nAction: search[{words}]"),
    ("thinking", "Action: finish[Rome]\n</think>\nThought: {thought}\nAction: search[{words}]"),
    ("other brackets", "Thought: {thought}\nAction: search({words})"),
    ("other brackets", 'Thought: {thought}\nAction: search("{words}")'),
    ("other brackets", "Thought: {thought}\nAction: search('{words}')"),
    ("other brackets", 'Thought: {thought}\nAction: search(query="{words}")'),
    ("other brackets", 'Thought: {thought}\nAction: search["{words}"]'),
    ("other brackets", "Thought: {thought}\nAction: search{{{words}}}"),
    ("other brackets", "Thought: {thought}\nAction: search<{words}>"),
    ("other brackets", 'Thought: {thought}\nAction: search "{words}"'),
    ("other brackets", "Thought: {thought}\nAction: search\nAction Input: {words}"),
    ("other brackets", '{{"thought": "{thought}", "action": "search", "action_input": "{words}"}}'),
    ("other languages", "Thought：{thought}\nAction：search（{words}）"),
    ("other languages", "Thought：{thought}\nAction：search【{words}】"),
)
FINISHES = (
    "Thought: I know.\nAction: finish[{}]",
    "Thought: I know.\nAction: Finish({})",
    "**Action:** finish[{}]",
    'Action: finish("{}")',
    "Action: finish: {}",
    "Thought: I know it now.\n\nFinal Answer: {}",
    "**Answer:** {}",
    "So the answer is: {}",
    "<think>search[Rome]</think>\nAction: finish[{}]",
    '{{"action": "finish", "answer": "{}"}}',
)
NEITHER = (
    "",
    "Well, let us see.",
    "Thought: I should search for the film and finish soon.",
    "Action: look up the film",
    "<think>search[Rome]",
    "Observation: search[Rome]",
)


@pytest.mark.parametrize(("kind", "shape"), SEARCHES)
def test_a_search_is_found_in_whatever_brackets(kind, shape):
    for words in ("The Trial (film) director", "Ada Vale"):
        turn = action(shape.format(thought=THOUGHT, words=words))
        assert (turn.kind, turn.argument) == ("search", words)
        assert turn.thought.removeprefix("Sure! ") == THOUGHT


@pytest.mark.parametrize("shape", FINISHES)
def test_an_answer_finishes(shape):
    for answer in ("Ulm", "Runa Eide (painter)", "unknown"):
        assert action(shape.format(answer))[:2] == ("finish", answer)


@pytest.mark.parametrize("reply", NEITHER)
def test_a_turn_without_an_action_has_none(reply):
    assert action(reply)[:2] == ("", "")
