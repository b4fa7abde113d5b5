"""What low-rank adapters learn of an example."""

import pytest

from hoptrail.reasoning.training.lora import collated


def test_a_prompt_is_read_and_not_learned_by_heart():
    pytest.importorskip("torch")
    batch = collated([((5, 6, 7), (8, 9))])
    assert batch["input_ids"].tolist() == [[5, 6, 7, 8, 9]]
    assert batch["labels"].tolist() == [[-100, -100, -100, 8, 9]]  # where no loss is counted
