"""Forward passes side by side, each on one core."""

import torch

from hoptrail.models.passes import few_at_a_time


def test_a_pass_has_one_thread_and_the_process_keeps_its_own():
    before = torch.get_num_threads()

    def threads(_: int) -> int:
        torch.ones(512, 512).exp()  # torch sets its threads when a thread first computes
        return torch.get_num_threads()

    assert set(few_at_a_time(threads, range(8))) == {1}
    assert torch.get_num_threads() == before
