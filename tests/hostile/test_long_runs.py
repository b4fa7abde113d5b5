"""Long runs of one character: what took the square of their length would not end here."""

import pytest

from hoptrail.kg.errors import BadRequest
from hoptrail.kg.text.words import bare_title, normal_title
from hoptrail.kg.where import Condition
from hoptrail.reasoning.replies.answers import conclusion, told

RUN = 1_000_000


@pytest.mark.parametrize("run", [" ", "\n", "\t\n", "(", ") "])
def test_titles_end(run):
    title = f"Lilu{run * (RUN // len(run))}Lake (Oslo)"
    assert bare_title(title).endswith("Lake")
    assert normal_title("Lilu (mythology)  ") == "lilu"


@pytest.mark.parametrize("run", [" ", "\n", "\t\n"])
def test_replies_end(run):
    gap = run * (RUN // len(run))
    assert conclusion(f"{gap}He was born there.{gap}So the answer is:{gap}Oslo{gap}") == "Oslo"
    assert told(f"<answer>{gap}Oslo{gap}") == "Oslo"


def test_conditions_end():
    assert Condition.read(f"title{' ' * RUN}~{' ' * RUN}Oslo ") == Condition("title", "~", "Oslo")
    with pytest.raises(BadRequest, match="is no condition"):
        Condition.read(" " * RUN)
