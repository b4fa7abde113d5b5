"""Answers in replies as models write them, by kind of model, and what only looks like one."""

import pytest

from hoptrail.reasoning.replies.answers import concludes, conclusion, told

ANSWERS = ("Paris", "Washington, D.C.", "Mission: Impossible", "12 May 1931", "Runa Eide (painter)")

TERSE = (
    "{}",
    "{}.",
    " {}\n",
    '"{}"',
    "“{}”",
    "'{}'",
    "[{}]",
    "- {}",
    "{}\n\n",
    "Answer: {}",
    "answer: {}",
    "ANSWER: {}",
    "Answer - {}",
    "Final answer: {}",
    "A: the answer is {}",
    "The answer is {}.",
    "The answer is: {}",
    "So the answer is: {}",
    "It follows that the answer is {}.",
    "The correct option is {}.",
    "The right choice is: {}",
    "Correct option: {}",
    "assistant\n{}",
    "assistant\n\nThe answer is {}.",
    "Assistant:\n{}",
)
CHATTY = (
    "Sure! {}",
    "Sure! The answer is {}.",
    "Sure! Here is the answer:\n\n{}",
    "Certainly!\n\n{}",
    "Of course. Based on the passages, the answer is {}.",
    "Based on the passages provided, the answer is:\n\n{}",
    "Based on the given passages, the correct answer is {}.",
    "According to the passages, the film was made by Ada Vale. Therefore, the answer is {}.",
    "To find out, I looked at the second passage.\n\nAnswer: {}",
    "Great question! Let me look.\n\nFinal Answer: {}\n\nLet me know if you need more!",
    "{}\n\nExplanation: The second passage tells who made the film and where it was made.",
    "{}\n\n(The second passage says so.)",
    "Answer: {}\nExplanation: The answer is in the second passage.",
    "Answer: {}\n\nQuestion: Who made the film?\nAnswer: Tom Orr",
    "The passages tell who made it. The answer to the question is {}.",
    "The film was made by Ada Vale.\nAda Vale came from there.\n\nThe final answer is {}.",
    "I believe the answer is {}.",
    "I would say that the answer is {}.",
    "{} [1]",
    "{} (passage 2)",
    "Answer: {} [2, 3].",
    "Answer: {} (source: [1])",
    "The answer is {}, according to the second passage.",
    "The answer is {}, as stated in passage 3.",
)
MARKDOWN = (
    "**{}**",
    "**{}**.",
    "**{}.**",
    "*{}*",
    "__{}__",
    "`{}`",
    "## Answer\n{}",
    "## Answer\n\n**{}**",
    "### Final Answer:\n{}",
    "# {}",
    "**Answer:** {}",
    "**Answer**: {}",
    "**Answer: {}**",
    "**Answer:**\n\n{}",
    "***Answer:*** *{}*",
    "**Final Answer:** **{}**",
    "- **Answer:** {}",
    "> **Answer:** {}",
    "> {}",
    "```\n{}\n```",
    "```text\nAnswer: {}\n```",
    "---\n**Answer:** {}\n---",
    "The film was made by its first owner, and he lived in **{}**.",
    "### Analysis\nThe second passage tells who made it.\n\n### Answer\n{}",
    "1. The film was made by Ada Vale.\n2. Ada Vale lived there.\n\n**Answer:** {}",
    "<b>{}</b>",
    "✅ **{}**",
    "→ {}",
)
THINKING = (
    "<think>\nThe answer is Rome? No.\n</think>\n\n{}",
    "<think>Hmm.\n\nAnswer: Rome\n\nWait.</think>{}",
    "Okay, so I look at passage one. The answer is Rome? No.\n</think>\n\n{}",
    "<think>\n\n</think>\n\n**{}**",
    "<thinking>Answer: Rome</thinking>\nThe answer is: {}",
    "<reasoning>\nThe answer is Rome.\n</reasoning>\n<answer>\n{}\n</answer>",
    "<think>Let me see.</think>\n## Answer\n{}",
    "◁think▷The answer is Rome.◁/think▷{}",
    "<|channel|>analysis<|message|>Answer: Rome<|end|><|channel|>final<|message|>{}",
    "<think>Rome.</think>\nThe final answer is $\\boxed{{\\text{{{}}}}}$.",
    "\\boxed{{{}}}",
    "$$\\boxed{{{}}}$$",
    "<answer>{}</answer>",
    '{{"answer": "{}"}}',
    "{{'answer': '{}'}}",
    "{{'reasoning': 'The film isn't hers …', 'answer': '{}'}}",
    "```python\n{{'reasoning': None, 'answer': '{}'}}\n```",
    '```json\n{{"reasoning": "The film …", "answer": "{}"}}\n```',
)
LANGUAGES = (
    "Answer：{}",
    "Antwort: {}",
    "Die Antwort lautet: {}",
    "**Antwort:** {}",
    "Réponse : {}",
    "La réponse est : {}",
    "Respuesta: {}",
    "La respuesta es: {}",
    "Risposta: {}",
    "Resposta: {}",
    "Ответ: {}",
    "答案：{}",
    "**答案：** {}",
    "答案是：{}",
    "最终答案：{}",
    "回答：{}",
    "答え：{}",
    "정답: {}",
    "الإجابة: {}",
    "उत्तर: {}",
    "Cevap: {}",
    "Der Film entstand im Hafen, wo Ada Vale lebte.\n\nErgebnis: {}",
    "根据第二段，这部电影由她拍摄。\n\n结论：{}",
)
KINDS = {
    "terse": TERSE,
    "chatty": CHATTY,
    "Markdown": MARKDOWN,
    "thinking": THINKING,
    "other languages": LANGUAGES,
}

KEPT = (
    "Star Wars: A New Hope",
    "Mission: Impossible",
    "2001: A Space Odyssey",
    "The Answer",
    "No Answer Needed",
    "Unknown Pleasures",
    "The Unknown Soldier",
    "Help!",
    "Oh! Calcutta!",
    "Who's Afraid of Virginia Woolf?",
    "E.T. the Extra-Terrestrial",
    "M*A*S*H",
    "Robert Downey Jr.",
    "J. K. Rowling",
    "St. Louis",
    "St. Louis, Missouri, U.S.",
    "C++",
    "AC/DC",
    "-5 °C",
    "$1.2 million",
    "#1 Crush",
    "...And Justice for All",
    "¡Three Amigos!",
    "Yes, Prime Minister",
    "No, No, Nanette",
    "I Don't Know How She Does It",
    "Not Without My Daughter",
    "It's Not Me, I Swear!",
    "Nothing Else Matters",
    "None but the Brave",
    "the first answer to the question of being",
    "A. A. Milne",
    "snake_case_name",
    "10:30 a.m.",
    "3.14",
    "no",
    "yes",
    "0",
    "Sure Thing",
    "Let's Dance",
    "Here Comes the Sun",
    "assistant",
    "The Right Choice",
    "東京",
    "新希望",
    "Ivan the Terrible, Peter the Great and Catherine the Great",
)
"""Answers that look like something else; they come out as they are."""

OTHERWISE = (
    ("terse", "Yes.", "Yes"),
    ("terse", "The correct option is (B).", "B"),
    ("terse", "{'answer': \"O'Brien\"}", "O'Brien"),
    ("chatty", "Yes, both of them were born in Ostby.", "Yes"),
    ("chatty", "No. Ada Vale was born in Ostby and Tom Orr in Ulm.", "No"),
    ("chatty", "No – they were born in different towns.", "No"),
    ("chatty", "**Yes**, they were both born in Ostby.", "Yes"),
    ("chatty", "The answer is no, they were not born in the same town.", "no"),
    ("chatty", "Paris. The second passage says that she lived there.", "Paris"),
    ("chatty", "Paris, because the second passage says so.", "Paris"),
    ("chatty", "Paris, according to the second passage.", "Paris"),
    ("chatty", "The passages say that the film was made by Ada Vale.\n\nAda Vale", "Ada Vale"),
    ("chatty", "Ada Vale made the film, so Ada Vale is the answer.", "Ada Vale"),
    ("chatty", "The answer is not Bonn. The answer is Ulm.", "Ulm"),
    ("chatty", "At first the answer is not clear, but the answer is Ulm.", "Ulm"),
    (
        "chatty",
        "The passages state that Ada Vale was a painter of lamps. She lived in Ulm. Ulm.",
        "Ulm",
    ),
    ("chatty", "Ulm\nConfidence: high", "Ulm"),
    ("chatty", "Ulm\nSource: passage 2", "Ulm"),
    ("chatty", "The film is:\n\nStar Wars: A New Hope", "Star Wars: A New Hope"),
    ("Markdown", "The film was directed by **Ada Vale** in the year 1911.", "Ada Vale"),
    ("Markdown", "**Follow the Fleet** (1936)", "Follow the Fleet (1936)"),
    ("other brackets", "⟨Paris⟩", "Paris"),
    ("other brackets", "「東京」", "東京"),
    ("other brackets", "«Paris»", "Paris"),
    ("other brackets", "(B)", "B"),
    ("other languages", "**Schluss:** Paris", "Paris"),
    ("other languages", "答案是巴黎。", "巴黎"),
    ("other languages", "Die Antwort ist Paris.", "Paris"),
    ("other languages", "La réponse est Paris.", "Paris"),
)
UNKNOWN = (
    ("terse", "unknown"),
    ("terse", "Unknown."),
    ("terse", "UNKNOWN"),
    ("terse", '"unknown"'),
    ("terse", "(unknown)"),
    ("terse", "N/A"),
    ("terse", "None"),
    ("terse", ""),
    ("terse", "…"),
    ("terse", "Answer: unknown"),
    ("terse", "Answer:"),
    ("terse", "The answer is unknown"),
    ("terse", "The answer is unknown."),
    ("terse", "It is unknown."),
    ("terse", "Not known."),
    ("terse", "Not specified in the passages."),
    ("terse", "I don't know."),
    ("terse", "I don’t know"),
    ("terse", "I do not know who made the film."),
    ("terse", "No answer"),
    ("chatty", "Unknown (the passages do not tell)"),
    ("chatty", "Unknown, as the passages do not mention her."),
    ("chatty", "Unknown: the passages do not mention her."),
    ("chatty", "Unknown – the passages do not tell."),
    ("chatty", "Unknown. The passages tell nothing about the film."),
    ("chatty", "Unknown based on the passages."),
    ("chatty", "Unknown\n\nThe passages do not mention the film."),
    ("chatty", "Sure! The answer is unknown, because the passages do not mention her."),
    ("chatty", "The passages do not tell."),
    ("chatty", "The passages don't mention who founded it."),
    ("chatty", "The provided passages do not contain information about the film."),
    ("chatty", "There is no information about her birthplace in the passages."),
    ("chatty", "None of the passages mention the film."),
    ("chatty", "I'm sorry, but the passages do not say where she was born."),
    ("chatty", "I cannot answer this question from the passages."),
    ("chatty", "It cannot be determined from the passages."),
    ("chatty", "The birthplace of Ada Vale is not mentioned."),
    ("chatty", "The birthplace of Ada Vale is unknown."),
    ("chatty", "Based on the passages, the answer is not given."),
    ("chatty", "The answer is not in the passages."),
    ("chatty", "The answer cannot be found in the passages."),
    ("chatty", "There is insufficient information to answer the question."),
    ("chatty", "Sure!"),
    ("chatty", "I need more information to answer this."),
    ("chatty", "There isn't enough information."),
    ("chatty", "No information found."),
    ("chatty", "Nobody knows."),
    ("chatty", "Here is the answer:"),
    ("Markdown", "**unknown**"),
    ("Markdown", "**Unknown**."),
    ("Markdown", "**Unknown.**"),
    ("Markdown", "*unknown*"),
    ("Markdown", "`unknown`"),
    ("Markdown", "**Answer:** unknown"),
    ("Markdown", "**Answer:** The answer is unknown (the passages do not tell)."),
    ("Markdown", "## Answer\nunknown"),
    ("Markdown", "## Answer"),
    ("Markdown", "## Answer\n\n**Unknown** – not stated in any passage."),
    ("Markdown", "- unknown"),
    ("thinking", "<think>The answer is Rome?</think>\n\nunknown"),
    ("thinking", "<think>The answer is Rome."),
    ("thinking", "<think>The answer is Rome.</think>"),
    ("thinking", "<think>Rome.</think>\\boxed{\\text{unknown}}"),
    ("thinking", "<answer>unknown</answer>"),
    ("thinking", '{"answer": "unknown"}'),
    ("thinking", '{"answer": null}'),
    ("thinking", "{'answer': None}"),
    ("thinking", "<|channel|>analysis<|message|>The answer is Rome."),
    ("other languages", "Unbekannt."),
    ("other languages", "Antwort: unbekannt"),
    ("other languages", "Réponse : inconnu"),
    ("other languages", "答案：未知"),
    ("other languages", "Respuesta: desconocido"),
    ("other languages", "Ответ: неизвестно"),
    ("other brackets", "[unknown]"),
    ("other brackets", "⟨unknown⟩"),
)

THOUGHTS = (
    "The film was made by Ada Vale.\nAda Vale was born in Ostby.\n",
    "Sure! Let me think step by step.\n\n**Step 1:** The film was made by Ada Vale.\n\n"
    "**Step 2:** Ada Vale was born in Ostby.\n\n",
    "## Thoughts\n\n1. The film was made by Ada Vale.\n\n2. Ada Vale was born in Ostby.\n\n",
    "<think>So the answer is: Rome\n\nNo.</think>\n\nThe film was made by Ada Vale.\n\n",
)
ENDINGS = (
    "So the answer is: {}",
    "So the final answer is: {}.",
    "**So the answer is:** {}.",
    "**Answer:** {}",
    "Answer: {}",
    "### Answer\n{}",
    "Therefore, the answer is **{}**.",
    "Thus, {} is the answer.",
    "答案：{}",
    "Réponse : {}",
    "Conclusion: {}",
    "$\\boxed{{{}}}$",
)
NOT_CONCLUDED = (
    "The film was made by Ada Vale.\nI need to know where Ada Vale was born.",
    "I would have to look that up.",
    "Sure! Let me think step by step.",
    "Ada Vale wrote The Answer.",
    "Her answer to the critics was a second film.",
    "Nobody could answer whether she was born there.",
    "The question can be answered once the answer is known.",
    "To find the answer, I need to know where she was born.",
    "The answer depends on where she was born.",
    "**Step 1:** The film was made by Ada Vale.",
    "Thought: The film was made by Ada Vale.",
    "She told what the answer is.",
    "An option is to look that up.",
    "<think>So the answer is: Rome",
    "The film was made by Ada Vale.\n\nNote: She was born in Ostby.",
    "",
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_is_read_from_every_shape(kind, answer):
    wrong = {shape: told(shape.format(answer)) for shape in KINDS[kind]}
    assert {shape: said for shape, said in wrong.items() if said != answer} == {}


def test_a_name_that_looks_like_something_else_is_kept():
    shapes = ("{}", "**{}**", "Answer: {}", "**Answer:** {}", "<think>Hm.</think>\n\n{}")
    wrong = [(s.format(name), told(s.format(name))) for s in shapes for name in KEPT]
    assert [(reply, said) for reply, said in wrong if said not in reply or len(said) < 1] == []
    assert {name: told(name) for name in KEPT if told(name) != name} == {}
    assert {n: told(f"Answer: {n}") for n in KEPT if told(f"Answer: {n}") != n} == {}


@pytest.mark.parametrize(("kind", "reply", "answer"), OTHERWISE)
def test_an_answer_stands_alone(kind, reply, answer):
    assert told(reply) == answer


@pytest.mark.parametrize(("kind", "reply"), UNKNOWN)
def test_unknown_in_any_dress_is_no_answer(kind, reply):
    assert told(reply) == ""


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("thoughts", THOUGHTS)
def test_thoughts_end_in_their_answer(thoughts, ending):
    for answer in ("Ostby", "12 May 1931", "Runa Eide (painter)"):
        reply = thoughts + ending.format(answer)
        assert concludes(reply)
        assert conclusion(reply) == answer
    unknown = thoughts + ending.format("unknown")
    assert concludes(unknown)
    assert conclusion(unknown) == ""


@pytest.mark.parametrize("reply", NOT_CONCLUDED)
def test_thoughts_without_an_end_conclude_nothing(reply):
    assert not concludes(reply)
    assert conclusion(reply) == ""


def test_unknown_right_below_an_answer_is_an_echo_and_elsewhere_a_second_thought():
    said = "Ibsen was born in Skien.\nSo the answer is: Norway\n"
    assert conclusion(said + "So the answer is: unknown") == "Norway"
    weighed = said + "But no passage says where Skien is.\nSo the answer is: unknown"
    assert conclusion(weighed) == ""
