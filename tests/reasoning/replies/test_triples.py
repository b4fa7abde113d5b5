"""Triples and scores in replies as models write them."""

import pytest

from hoptrail.reasoning.replies.triples import scores, triples

ONE, TWO = ("Ada Vale", "was born in", "Ulm, Bavaria"), ("The Salt Lamp", "made by", "Ada Vale")
SHAPES = (
    ("terse", "⟨{}; {}; {}⟩\n⟨{}; {}; {}⟩"),
    ("terse", "⟨{};{};{}⟩\n⟨{};{};{}⟩"),
    ("terse", "⟨{}; {}; {}⟩ ⟨{}; {}; {}⟩"),
    ("terse", "⟨{}; {}; {}⟩, ⟨{}; {}; {}⟩"),
    ("terse", "{}; {}; {}\n{}; {}; {}"),
    ("terse", "⟨{}; {}; {}⟩.\n⟨{}; {}; {}⟩."),
    ("chatty", "Sure! Here are the triples:\n\n⟨{}; {}; {}⟩\n⟨{}; {}; {}⟩"),
    ("chatty", "Here are the triples: ⟨{}; {}; {}⟩ and ⟨{}; {}; {}⟩."),
    ("chatty", "⟨{}; {}; {}⟩\n\n⟨{}; {}; {}⟩\n\nLet me know if you need more!"),
    ("chatty", "The passage states:\n1. ⟨{}; {}; {}⟩\n2. ⟨{}; {}; {}⟩"),
    ("chatty", "Triple 1: ⟨{}; {}; {}⟩\nTriple 2: ⟨{}; {}; {}⟩"),
    ("Markdown", "- ⟨{}; {}; {}⟩\n- ⟨{}; {}; {}⟩"),
    ("Markdown", "* **⟨{}; {}; {}⟩**\n* **⟨{}; {}; {}⟩**"),
    ("Markdown", "## Triples\n⟨{}; {}; {}⟩\n⟨{}; {}; {}⟩"),
    ("Markdown", "```\n⟨{}; {}; {}⟩\n⟨{}; {}; {}⟩\n```"),
    ("Markdown", "`⟨{}; {}; {}⟩`\n`⟨{}; {}; {}⟩`"),
    ("Markdown", "⟨**{}**; {}; **{}**⟩\n⟨**{}**; {}; **{}**⟩"),
    ("Markdown", "| Head | Relation | Tail |\n|---|---|---|\n| {} | {} | {} |\n| {} | {} | {} |"),
    ("Markdown", "|#|Head|Relation|Tail|\n|-|-|-|-|\n|1| {} | {} | {} |\n|2| {} | {} | {} |"),
    ("Markdown", "- {}; {}; {}\n- {}; {}; {}"),
    ("thinking", "<think>⟨Rome; is in; Italy⟩?</think>\n\n⟨{}; {}; {}⟩\n⟨{}; {}; {}⟩"),
    ("thinking", "<think>\n<a; b; c>\n</think>\n<{}; {}; {}>\n<{}; {}; {}>"),
    ("other brackets", "<{}; {}; {}>\n<{}; {}; {}>"),
    ("other brackets", "({}; {}; {})\n({}; {}; {})"),
    ("other brackets", "[{}; {}; {}]\n[{}; {}; {}]"),
    ("other brackets", "{{{}; {}; {}}}\n{{{}; {}; {}}}"),
    ("other brackets", "〈{}; {}; {}〉\n〈{}; {}; {}〉"),
    ("other brackets", "《{}; {}; {}》\n《{}; {}; {}》"),
    ("other brackets", "«{}; {}; {}»\n«{}; {}; {}»"),
    ("other brackets", "【{}；{}；{}】\n【{}；{}；{}】"),
    ("other brackets", "({} | {} | {})\n({} | {} | {})"),
    ("other brackets", "<{} | {} | {}>\n<{} | {} | {}>"),
    ("other brackets", "{} | {} | {}\n{} | {} | {}"),
    ("other brackets", "{} → {} → {}\n{} → {} → {}"),
    ("other brackets", "{} -> {} -> {}\n{} -> {} -> {}"),
    ("other brackets", '("{}"; "{}"; "{}")\n("{}"; "{}"; "{}")'),
    ("other brackets", '["{}", "{}", "{}"]\n["{}", "{}", "{}"]'),
    ("other brackets", '[["{}", "{}", "{}"],\n ["{}", "{}", "{}"]]'),
    ("other brackets", '```json\n[["{}", "{}", "{}"], ["{}", "{}", "{}"]]\n```'),
    (
        "other brackets",
        '[{{"head": "{}", "relation": "{}", "tail": "{}"}},'
        ' {{"head": "{}", "relation": "{}", "tail": "{}"}}]',
    ),
    (
        "other brackets",
        '{{"triples": [["{}", "{}", "{}"], ["{}", "{}", "{}"]]}}',
    ),
    ("other languages", "⟨{}；{}；{}⟩\n⟨{}；{}；{}⟩"),
)
NONE = (
    "none", "None", "None.", "**none**", "There are none.", "No triples.", "## Triples\nnone",
    "<think>⟨a; b; c⟩?</think>\nnone", "No relations follow.", "The answer:\nnone", "⟨none⟩",
)  # fmt: skip
UNREADABLE = (
    "", "Sure! Here are the triples", "⟨Ada Vale; was", "⟨a; b⟩", "⟨; b; c⟩", "⟨a; b; c; d⟩",
    "Ada Vale was born in Ulm; she made a film; it was good; it won.", "⟨–; is; …⟩",
    "<think>⟨a; b; c⟩", "Ada (a painter, writer, and cook) was born.",
)  # fmt: skip
SCORES = (
    "1: 7\n2: 10\n3: 0",
    "1. 7\n2. 10\n3. 0",
    "1) 7\n2) 10\n3) 0",
    "1 - 7\n2 - 10\n3 - 0",
    "1: 7/10\n2: 10/10\n3: 0/10",
    "1: 7 out of 10\n2: 10 out of 10\n3: 0 out of 10",
    "**1:** 7\n**2:** 10\n**3:** 0",
    "- **1:** 7/10\n- **2:** 10/10\n- **3:** 0/10",
    "Here are the scores:\n\n1: 7\n2: 10\n3: 0\n\nLet me know!",
    "## Scores\n1: 7\n2: 10\n3: 0",
    "1：7\n2：10\n3：0",
    "1. ⟨Ada Vale; born in; 1911⟩: 7\n2. ⟨a; b; c⟩: 10\n3. ⟨d; e; f⟩: 0",
    "1: 7 (the second passage hints at it)\n2: 10 (told)\n3: 0 – nothing speaks for it",
    "| 1 | 7 |\n| 2 | 10 |\n| 3 | 0 |",
    "Relation 1: 7\nRelation 2: 10\nRelation 3: 0",
    "[1]: 7\n[2]: 10\n[3]: 0",
    "<think>1: 3</think>\n1: 7\n2: 10\n3: 0",
    "1: 7.0\n\n2: 10.0\n\n3: 0.0",
)


@pytest.mark.parametrize(("kind", "shape"), SHAPES)
def test_triples_are_read_in_whatever_brackets(kind, shape):

    assert triples(shape.format(*ONE, *TWO)) == [ONE, TWO]


@pytest.mark.parametrize("reply", NONE)
def test_no_triples_are_none(reply):
    assert triples(reply) == []


@pytest.mark.parametrize("reply", UNREADABLE)
def test_what_can_not_be_read_is_told_apart_from_none(reply):
    assert triples(reply) is None


def test_a_triple_that_was_cut_off_is_none():
    said = "⟨Ada Vale; was born in; Ulm⟩\nThe Salt Lamp; made by; Ad"
    assert triples(said, cut_off=True) == [("Ada Vale", "was born in", "Ulm")]
    assert triples("(a, b, c)") == [("a", "b", "c")]
    assert triples("⟨a; b; c⟩\n⟨a; b; c⟩") == [("a", "b", "c")]


@pytest.mark.parametrize("reply", SCORES)
def test_scores_go_by_their_numbers(reply):
    assert scores(reply) == {1: 7, 2: 10, 3: 0}
