"""A question of two hops, its passages, and a model that knows what prompts show it."""

import re
from dataclasses import dataclass, field

from support.building import page

from hoptrail.models.language import GREEDY, Completion
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
    """A model that knows what the prompts show it, and fails on a prompt it does not know.

    It gives no probabilities and can't choose.

    Args:
        verdicts: of its self-critique, what it says where it has enough and where not.
    """

    context_length: int = 4096
    name: str = "steig"
    fingerprint: str = "steig"
    verdicts: tuple[str, str] = ("Critique: yes", "Critique: no")
    prompts: list[str] = field(default_factory=list)

    def count_tokens(self, text):
        return len(text.split())

    def generate(self, prompts, decoding=GREEDY):
        assert decoding.stop == SECTIONS
        [prompt] = prompts
        self.prompts.append(prompt)
        said = self.say(prompt, prompt.partition("\n")[0])
        return [Completion(f" {said} ", None, "stop", self.count_tokens(prompt), 8)]

    def say(self, prompt, task):
        if task.startswith("Ask the next sub-question"):
            assert section(prompt, "Question").startswith(QUESTION)
            return SECOND if STEIG in section(prompt, "Sub-questions") else FIRST
        if task.startswith("Answer a sub-question"):
            return self.read(section(prompt, "Sub-question"), section(prompt, "Passages"))
        if task.startswith("Judge whether"):
            return self.judge(section(prompt, "Found"))
        if task.startswith("Answer the question from the answers"):
            assert f"Sub-question: {SECOND}\nAnswer: {SOTO}" in section(prompt, "Sub-questions")
            return "Doctor De Soto"
        assert task.startswith("Answer the question from the passages"), f"unexpected: {task}"
        return "unknown"

    def read(self, asked, passages):
        if asked == FIRST and "created by William Steig" in passages:
            return STEIG
        if asked == SECOND and "Doctor De Soto" in passages:
            return SOTO
        return "Unknown."

    def judge(self, found):
        assert FIRST not in found
        enough = SOTO in found
        lines = [f"It is known: {line}" for line in found.splitlines()]
        lines += [] if enough else ["No other work of his is named."]
        return "\n".join([*lines, self.verdicts[not enough]])

    def close(self):
        pass
