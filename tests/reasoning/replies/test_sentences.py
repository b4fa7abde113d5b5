"""Thoughts, questions and lists in replies as models write them."""

import pytest

from hoptrail.reasoning.replies.sentences import (
    begins,
    follow_up,
    names,
    needed,
    next_thought,
    question,
    says_nothing,
    statement,
    thoughts,
)

FIRST, SECOND = "The Salt Lamp was made by Ada Vale.", "Ada Vale was born in St. Orm, near Ulm."
BOTH = (
    ("terse", "{}\n{}"),
    ("terse", "{} {}"),
    ("terse", "{}\n\n{}"),
    ("terse", "- {}\n- {}"),
    ("terse", "1. {}\n2. {}"),
    ("terse", "1) {}\n2) {}"),
    ("chatty", "Sure! {} {}"),
    ("chatty", "Sure! Let me think step by step.\n\n{}\n\n{}"),
    ("chatty", "Certainly! Here are the steps:\n\n{}\n{}"),
    ("chatty", "Let's think step by step. {} {}"),
    ("chatty", "Okay, let me go through this.\n\nThought 1: {}\nThought 2: {}"),
    ("chatty", "To answer this, let me look at the passages.\n\nStep 1: {}\n\nStep 2: {}"),
    ("chatty", "Great question!\n\nI will go through the passages.\n\n{}\n\n{}"),
    ("Markdown", "**Step 1:** {}\n\n**Step 2:** {}"),
    ("Markdown", "**Step 1**\n{}\n\n**Step 2**\n{}"),
    ("Markdown", "**1.** {}\n**2.** {}"),
    ("Markdown", "## Thoughts\n\n{}\n\n{}"),
    ("Markdown", "### Step 1: Find who made it\n{}\n\n### Step 2: Find where she was born\n{}"),
    ("Markdown", "**Step 1: Find who made it**\n\n{}\n\n**Step 2: Her birth**\n\n{}"),
    ("Markdown", "* **{}**\n* **{}**"),
    ("Markdown", "> {}\n>\n> {}"),
    ("Markdown", "**Thought:** {}\n\n**Thought:** {}"),
    ("Markdown", "```\n{}\n{}\n```"),
    ("thinking", "<think>\nThe answer is Rome.\n\n</think>\n\n{}\n{}"),
    ("thinking", "Okay, I need to look. The answer is Rome.\n</think>\n{}\n{}"),
    ("thinking", "<thinking>Rome.</thinking>\n\n## Thoughts\n{}\n\n{}"),
    ("other languages", "步骤1：{}\n步骤2：{}"),
    ("other languages", "Schritt 1: {}\nSchritt 2: {}"),
    ("other languages", "Klar!\n\n{}\n\n{}"),
)
SILENT = (
    "", "Sure!", "Sure! Let me think step by step.", "## Thoughts", "**Step 1**",
    "Okay, let me look at the passages.", "Here are the steps:", "<think>\nThe film was made by",
    "Of course!", "Let's break this down.", "```", "---",
)  # fmt: skip

ASKED = "Where was Ada Vale born?"
FOLLOW_UPS = (
    ("terse", "Follow up: {}"),
    ("terse", "follow up: {}"),
    ("terse", "Follow-up: {}"),
    ("terse", "Follow-up question: {}"),
    ("terse", "Follow up 2: {}"),
    ("terse", "{}"),
    ("terse", '"{}"'),
    ("terse", "Next question: {}"),
    ("chatty", "Sure! Here is the next question:\n\nFollow up: {}"),
    ("chatty", "Great! We know who made it. Follow up: {}"),
    ("chatty", "Are follow up questions needed here: Yes.\nFollow up: {}"),
    ("chatty", "To find the answer, I need to know more about her.\n\nFollow up: {}"),
    ("chatty", "Follow up: {}\nIntermediate answer: Ulm\nSo the final answer is: Ulm"),
    ("chatty", "Sub-question: {}"),
    ("Markdown", "**Follow up:** {}"),
    ("Markdown", "**Follow up**: {}"),
    ("Markdown", "**Follow up: {}**"),
    ("Markdown", "**Follow-up question:** {}"),
    ("Markdown", "**Follow up:**\n\n{}"),
    ("Markdown", "## Next line\n{}"),
    ("Markdown", "## Follow up\n\n{}"),
    ("Markdown", "- **Follow up:** *{}*"),
    ("Markdown", "1. **Follow up:** {}"),
    ("thinking", "<think>Follow up: is it Rome?</think>\n\nFollow up: {}"),
    ("thinking", "So the final answer is: Rome? No.\n</think>\n{}"),
    ("other languages", "Follow up：{}"),
    ("other languages", "**Frage:** {}"),
)
NO_FOLLOW_UP = (
    "So the final answer is: Ulm",
    "**Final answer:** Ulm",
    "The answer is: Who's Afraid of Virginia Woolf?",
    "Well, let us see.",
    "<think>Who made it?",
    "",
)

NEEDED = (
    ("terse", "{}"),
    ("terse", "- {}"),
    ("terse", "Evidence needed: {}"),
    ("chatty", "Sure! Here is the evidence still needed:\n\n{}"),
    ("chatty", "Sure! {}"),
    ("Markdown", "**Evidence needed:** {}"),
    ("Markdown", "## Evidence needed\n\n{}"),
    ("Markdown", "**{}**"),
    ("thinking", "<think>nothing?</think>\n\n{}"),
)
NOTHING = (
    ("terse", "nothing"),
    ("terse", "Nothing."),
    ("terse", '"nothing"'),
    ("terse", "none"),
    ("terse", "None."),
    ("terse", "N/A"),
    ("terse", "Evidence needed: nothing"),
    ("chatty", "Nothing more is needed."),
    ("chatty", "Nothing else."),
    ("chatty", "Nothing (the passages tell all)."),
    ("chatty", "Sure!\n\nNothing further is needed."),
    ("chatty", "No further evidence is needed."),
    ("chatty", "No additional information is required."),
    ("chatty", "The passages tell all that the question needs, so nothing is missing."),
    ("chatty", "There are none."),
    ("Markdown", "**nothing**"),
    ("Markdown", "**Nothing**."),
    ("Markdown", "**Evidence needed:** nothing"),
    ("Markdown", "## Evidence needed\nnothing"),
    ("thinking", "<think>Is Rome missing?</think>\n\nnothing"),
    ("other languages", "无"),
    ("other languages", "Nichts."),
)

STATEMENTS = (
    ("{}", "Ada Vale was born in Ulm."),
    ("Answer: {}", "Ada Vale was born in Ulm."),
    ("**Answer:** {}", "Ada Vale was born in Ulm."),
    ("## Answer in one sentence\n{}", "Ada Vale was born in Ulm."),
    ("Sure! {}", "Ada Vale was born in Ulm."),
    ("<think>Unknown.</think>\n\n{}", "Ada Vale was born in Ulm."),
    ("unknown", ""),
    ("Unknown.", ""),
    ("**Unknown** (the passages do not tell)", ""),
    ("Answer: unknown", ""),
    ("The passages do not say where Ada Vale was born.", ""),
    ("The birthplace of Ada Vale is unknown.", ""),
    ("<think>Hm.</think>", ""),
)

NAMES = (
    "Ada Vale\nThe Salt Lamp\nUlm",
    "- Ada Vale\n- The Salt Lamp\n- Ulm",
    "1. Ada Vale\n2. The Salt Lamp\n3. Ulm",
    "* **Ada Vale**\n* **The Salt Lamp**\n* **Ulm**",
    "Sure! Here are the things:\n\n- Ada Vale\n- The Salt Lamp\n- Ulm",
    "## Things\nAda Vale\nThe Salt Lamp\nUlm\nUlm",
    "<think>Rome?</think>\n\nAda Vale\n\nThe Salt Lamp\n\nUlm",
    "`Ada Vale`\n`The Salt Lamp`\n`Ulm`",
)


@pytest.mark.parametrize(("kind", "shape"), BOTH)
def test_a_thought_is_a_sentence_whatever_lines_it_stands_in(kind, shape):
    reply = shape.format(FIRST, SECOND)
    assert thoughts(reply) == [FIRST, SECOND]
    assert begins(reply)
    assert next_thought(reply) == FIRST
    assert next_thought(reply, [FIRST]) == SECOND
    assert next_thought(reply, [SECOND, FIRST]) == ""


@pytest.mark.parametrize("reply", SILENT)
def test_courtesies_and_headings_are_no_thoughts(reply):
    assert thoughts(reply) == []
    assert not begins(reply)


def test_a_conclusion_is_a_thought_of_its_own():
    said = f"**Step 1:** {FIRST}\n\n## Answer\nUlm"
    assert next_thought(said, [FIRST]) == "Answer: Ulm"


@pytest.mark.parametrize(("kind", "shape"), FOLLOW_UPS)
def test_a_follow_up_question_is_found_however_it_is_marked(kind, shape):
    assert follow_up(shape.format(ASKED)) == ASKED


@pytest.mark.parametrize("reply", NO_FOLLOW_UP)
def test_where_nothing_is_asked_there_is_no_follow_up_question(reply):
    assert follow_up(reply) == ""


@pytest.mark.parametrize("mark", ["", "Next sub-question: ", "**Sub-question:** ", "Sure!\n\n"])
def test_a_sub_question_stands_without_its_label(mark):
    assert question(mark + ASKED) == ASKED
    titled = "In Star Wars: A New Hope, who plays Leia?"
    assert question(mark + titled) == titled


@pytest.mark.parametrize(("kind", "shape"), NEEDED)
def test_what_is_needed_is_a_sentence(kind, shape):
    for sentence in ("Ada Vale was born in a town.", "I need to know where Ada Vale was born."):
        assert needed(shape.format(sentence)) == sentence


@pytest.mark.parametrize(("kind", "reply"), NOTHING)
def test_nothing_in_any_dress_is_nothing(kind, reply):
    assert says_nothing(reply)
    assert needed(reply) == ""


@pytest.mark.parametrize(("shape", "sentence"), STATEMENTS)
def test_a_sub_question_is_answered_in_a_sentence_or_not(shape, sentence):
    assert statement(shape.format(sentence)) == sentence


@pytest.mark.parametrize("reply", NAMES)
def test_names_stand_one_a_line(reply):
    assert names(reply) == ["Ada Vale", "The Salt Lamp", "Ulm"]


def test_no_names_are_none():
    assert names("There are none.") == names("**None**") == names("") == []
