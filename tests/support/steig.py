"""A question of two hops, its passages, and a model that knows what prompts show it."""

import math
import re
from dataclasses import dataclass, field

import numpy as np
from support.building import page

from hoptrail.models.language import GREEDY, Completion, OptionScores
from hoptrail.reasoning.prompts.showing import SECTIONS

QUESTION = "What else did the creator of Shrek write?"
FILM = page("Shrek", "Shrek was created by William Steig.", mentions=("William Steig",))
BOOK = page("Doctor De Soto", "A mouse, by William Steig.", mentions=("William Steig",))
OTHERS = [page(f"Mill {n}", f"The mill of village number {n} grinds flour.") for n in range(4)]
FIRST, SECOND = "Who created Shrek?", "What else did William Steig write?"
STEIG, SOTO = "Shrek was created by William Steig.", "Steig also wrote Doctor De Soto."


def section(prompt: str, name: str) -> str:
    """What stands under the last heading of that name."""
    found = re.findall(rf"^## {name}\n(.*?)(?=\n## |\Z)", prompt, re.S | re.M)
    assert found, f"no section {name} in: {prompt}"
    return found[-1].strip()


@dataclass
class Steig:
    """A model that knows what the prompts show it, and fails on a prompt it does not know."""

    context_length: int = 4096
    name: str = "steig"
    fingerprint: str = "steig"
    prompts: list[str] = field(default_factory=list)

    def count_tokens(self, text):
        return len(text.split())

    def generate(self, prompts, decoding=GREEDY):
        assert decoding.stop == SECTIONS
        [prompt] = prompts
        self.prompts.append(prompt)
        task = prompt.partition("\n")[0]
        if task.startswith("Ask the next sub-question"):
            assert section(prompt, "Question") == QUESTION
            said = SECOND if STEIG in section(prompt, "Answered so far") else FIRST
        elif task.startswith("Answer a sub-question"):
            said = self.read(section(prompt, "Sub-question"), section(prompt, "Passages"))
        else:
            raise AssertionError(f"unexpected prompt: {task}")
        return [Completion(f" {said} ", None, "stop", self.count_tokens(prompt), 8)]

    def read(self, asked, passages):
        if asked == FIRST and "created by William Steig" in passages:
            return STEIG
        if asked == SECOND and "Doctor De Soto" in passages:
            return SOTO
        return "Unknown."

    def choose(self, prefix, tails, options):
        [tail] = tails
        prompt = prefix + tail
        assert tuple(options) == ("A", "B")
        assert prompt.endswith("## Verdict")
        found = section(prompt, "Found")
        assert FIRST not in found
        enough = 0.9 if SOTO in found else 0.2
        return OptionScores(np.array([[math.log(enough), math.log(1 - enough)]]))

    def close(self):
        pass
