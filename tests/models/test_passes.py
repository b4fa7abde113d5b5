"""Forward passes side by side, each on one core."""

import os
import subprocess
import sys
import textwrap

import pytest
import torch

from hoptrail.models.passes import few_at_a_time


def test_a_pass_has_one_thread_and_the_process_keeps_its_own():
    before = torch.get_num_threads()

    def threads(_: int) -> int:
        torch.ones(512, 512).exp()  # torch sets its threads when a thread first computes
        return torch.get_num_threads()

    assert set(few_at_a_time(threads, range(8))) == {1}
    assert torch.get_num_threads() == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_has_passes_of_its_own():
    """As where a server of processes answers a question before it forks them."""
    script = """
        import os
        from hoptrail.models.encoder import SentenceEncoder
        encoder, texts = SentenceEncoder(), ["Glasverk was founded by Aino Koski."]
        before = encoder.encode_passages(texts).tolist()
        child = os.fork()
        if child == 0:
            os._exit(0 if encoder.encode_passages(texts).tolist() == before else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert encoder.encode_passages(texts).tolist() == before
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True, timeout=60)
