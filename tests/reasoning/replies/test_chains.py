"""Chains of triples with masks: read, held against the errors of appendix B, put to the vote."""

import pytest

from hoptrail.reasoning.replies.chains import elected, filled, parsed

GOOD = "Peer Gynt >> author >> #1; #1 >> place of birth >> #2; final answer: #2"


FIVE = "; ".join(f"#{n} >> a >> #{n + 1}" for n in range(1, 5))


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("A >> author >> #1; final answer: #1", "mask_underflow"),
        (
            "; ".join(f"#{n} >> a >> #{n + 1}" for n in range(1, 5)) + "; final answer: #5",
            "mask_overflow",
        ),
        ("A >> author >> #1; #1 >> spouse >> #3; final answer: #3", "discontinuous_mask"),
        (
            "A >> author >> #1; flag of # >> spouse >> #2; final answer: #2",
            "missing_mask_number",
        ),
        ("A >> author >> B; #1 >> spouse >> #2; final answer: #2", "missing_triple_mask"),
        ("A >> #1 >> #2; #2 >> spouse >> #1; final answer: #2", "relation_mask"),
        (
            "A >> of >> b >> #1; #1 >> c >> #2; #2 >> d >> #1; final answer: #2",
            "triple_format",
        ),
        ("A; B >> author >> #1; #1 >> spouse >> #2; final answer: #2", "triple_format"),
        ("A >> author >> #1; #1 >> spouse >> #2", "final_answer_format"),
        ("A >> author >> #1; #1 >> spouse >> #2; final answer: Ulm", "final_answer_format"),
        ("A >> author >> #1; #1 >> spouse >> #2; final answer: #3", "final_answer_format"),
        ("", "final_answer_format"),
        ("I do not know.", "final_answer_format"),
    ],
)
def test_each_syntactic_error_is_told(said, fault):
    found = parsed(said)
    assert found.chain is None
    assert fault in found.faults
    if fault not in ("final_answer_format", "relation_mask"):
        assert found.faults == (fault,)


def test_bounds_of_masks_are_settable():
    assert parsed("A >> author >> #1; final answer: #1", fewest=1).chain
    assert parsed(GOOD, most=1).faults == ("mask_overflow",)


@pytest.mark.parametrize(
    "said",
    [
        GOOD,
        f"Reasoning Chain: {GOOD}.",
        f"Let me see.\n\n**Answer:** {GOOD}",
        rf"$\boxed{{\text{{{GOOD}}}}}$",
        "Sure!\n\n**Chain:**\n1. Peer Gynt >> author >> #1;\n2. #1 >> place of birth >> #2;\n"
        "Final answer: #2",
        f"<think>Who wrote it?</think>\n```\n{GOOD}\n```",
        f"A >> b >> #1; #1 >> c >> #2; final answer: #2\n{GOOD}",
    ],
)
def test_a_chain_is_read_however_a_model_puts_it(said):
    assert str(parsed(said).chain) == GOOD


def test_masks_stand_inside_names_and_the_answer_may_be_worked_out():
    said = "Bahamas >> country >> #1; flag of the #1 >> animal >> #2; final answer: #answer"
    chain = parsed(said).chain
    assert (str(chain), chain.masks, chain.final) == (said, [1, 2], 0)


def test_most_chains_win_whatever_their_case_and_their_numbers_and_ties_go_to_the_first():
    said = (
        "A >> director >> #1; #1 >> spouse >> #2; final answer: #2",
        "a >> Author >> #2; #2 >> place of birth >> #1; final answer: #1",
        "A >> author >> #1; #1 >> place of birth >> #2; final answer: #2",
    )
    chains = [parsed(one).chain for one in said]
    assert elected(chains) == (chains[1], 2 / 3)
    assert elected(chains[:2]) == (chains[0], 1 / 2)


def test_a_filled_chain_gives_its_triples_and_the_final_answer():
    links, final = filled(
        "Filled chain:\nA >> author >> Bo; Bo >> born in >> #2; final answer: unknown."
    )
    assert [link.tail for link in links] == ["Bo", "#2"]
    assert final == "unknown"
