"""The order of numbered passages in replies, however it is written."""

import pytest

from hoptrail.reasoning.replies.rankings import ranking

ORDER = [3, 1, 4, 2]


@pytest.mark.parametrize(
    "reply",
    [
        "[3] > [1] > [4] > [2]",
        "[3]>[1]>[4]>[2].",
        "3 > 1 > 4 > 2",
        "3, 1, 4, 2",
        "3 1 4 2",
        "3\n1\n4\n2",
        "[3, 1, 4, 2]",
        "[03, 01, 04, 02]",
        "[٣, ١, ٤, ٢]",
        '{"order": [3, 1, 4, 2]}',
        "```json\n[3, 1, 4, 2]\n```",
        "Order: 3 > 1 > 4 > 2",
        "**Order:** [3] > [1] > [4] > [2]",
        "## Order\n\n[3] > [1] > [4] > [2]",
        "Sure! Here is the order:\n\n[3] > [1] > [4] > [2]\n\nLet me know if you need more!",
        "<think>\n[2] > [1] looks wrong.\n</think>\n\n[3] > [1] > [4] > [2]",
        "1. [3]\n2. [1]\n3. [4]\n4. [2]",
        "1. [3] The Salt Lantern\n2. [1] Vaagur\n3. [4] Jens Thorkil\n4. [2] Salt",
        "1. Passage 3\n2. Passage 1\n3. Passage 4\n4. Passage 2",
        "Passage 3 > Passage 1 > Passage 4 > Passage 2",
        "- **Passage 3**: states the author\n- **Passage 1**: the town\n- Passage 4\n- Passage 2",
        "(3) > (1) > (4) > (2)",
        "【3】>【1】>【4】>【2】",
        "3 → 1 → 4 → 2",
        "3 ≻ 1 ≻ 4 ≻ 2",
        "Document 3, then document 1, then document 4, last document 2.",
        "[3] > [3] > [1] > [9] > [4] > [0] > [2]",
        "$\\boxed{\\text{[3] > [1] > [4] > [2]}}$",
        "Ranking: [3] > [1] > [4] > [2]\n\nPassage [3] names the theatre.",
    ],
)
def test_an_order_is_read(reply):
    assert ranking(reply, 4) == ORDER


@pytest.mark.parametrize(
    ("reply", "numbers"),
    [
        ("[2]", [2]),
        ("Passage 2 is the most helpful.", [2]),
        ("2", [2]),
        ("none", []),
        ("", []),
        ("They are all alike.", []),
        ("The theatre opened in 1911.", []),
        ("[7] > [8]", []),
    ],
)
def test_what_names_few_or_none(reply, numbers):
    assert ranking(reply, 4) == numbers
