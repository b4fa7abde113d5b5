"""How chat models put what they say: with courtesies and Markdown, or after thoughts of their own.

A persona is told what is said plainly, in the form that the prompt asks for, and dresses it by that
form alone. Nothing is added that would say more or less.
"""

import re
from collections.abc import Callable, Mapping

from .joining import UNKNOWN

Persona = Callable[[str], str]

_ANSWER_LINE = "So the answer is: "
_FINAL = "So the final answer is: "
_THOUGHTS = (
    "Okay, let me see what is asked here. I should read everything carefully.",
    "Hmm, wait. Let me check that once more: perhaps the answer is Atlantis, but no.",
    "Follow up: do I know more? No. Action: search[nothing] would not help either.",
    "Let me put this together now.",
)


def chatty(told: str) -> str:
    """Greet, number thoughts in bold with blank lines between them, put labels in bold."""
    return _dressed(told, _CHATTY)


def thoughtful(told: str) -> str:
    """Think at length in tags, echo a heading, then speak with blank lines between the lines."""
    thoughts = "\n\n".join(_THOUGHTS * 3)
    return f"<think>\n{thoughts}\n</think>\n\n{_dressed(told, _THOUGHTFUL)}"


def _dressed(told: str, dresses: Mapping[str, Callable[[str], str]]) -> str:
    return next(dress(told) for form, dress in dresses.items() if re.match(form, told))


# -- chatty
def _explored(told: str) -> str:
    verdict, *lines = told.splitlines()
    if verdict.endswith("no"):
        pairs = (re.sub(r"^- (.+?): ", r"- **\1:** ", line) for line in lines[1:])
        return "\n".join(["**Sufficient:** No.", "", "**Retrieval guidance:**", "", *pairs])
    thought, answer = (line.partition(": ")[2] for line in lines)
    said = ["**Sufficient:** Yes!", f"**Thought:** {thought}", f"**Answer:** {_unsure(answer)}"]
    return "\n\n".join(["Sure! Let me check what is known.", *said])


def _listed(told: str) -> str:
    found = told.replace("⟨", "<").replace("⟩", ">").splitlines()
    lines = "\n".join(f"{n}. {line}" for n, line in enumerate(found, 1))
    return f"Sure! Here are the relations I found:\n\n{lines}\n\nLet me know if you need more!"


def _stepwise(told: str) -> str:
    *before, last = told.splitlines()
    steps = [f"**Step {n}:** {line}" for n, line in enumerate(before, 1)]
    answer = f"**Answer:** {_unsure(last.removeprefix(_ANSWER_LINE))}."
    return "\n\n".join(["Sure! Let me think step by step.", *steps, answer])


def _turn(told: str) -> str:
    thought, _, action = told.removeprefix("Thought: ").partition("\nAction: ")
    kind, _, argument = action.rstrip("]").partition("[")
    return f"**Thought:** {thought}\n\n**Action:** {kind.capitalize()}({argument})"


def _furthered(told: str) -> str:
    label, _, value = told.removeprefix("So the ").partition(": ")
    value = value if label == "Follow up" else _unsure(value.removeprefix("is: "))
    bold = label if label == "Follow up" else "Final answer"
    return f"Great question! Let me take this one step further.\n\n**{bold}:** {value}"


def _scored(told: str) -> str:
    lines = (f"- **{line.replace(':', ':**')}/10" for line in told.splitlines())
    return "\n".join(["Here are my scores:", "", *lines])


def _bulleted(told: str) -> str:
    return "\n".join(
        ["Here is what I found:", "", *(f"- **{line}**" for line in told.splitlines())]
    )


def _answered(told: str) -> str:
    return f"Based on what is given, I can tell you this.\n\n**Answer:** {_unsure(told)}"


def _unsure(answer: str) -> str:
    return "The answer is unknown (the passages do not tell)" if answer == UNKNOWN else answer


_CHATTY: dict[str, Callable[[str], str]] = {
    "Sufficient: ": _explored,
    "⟨": _listed,
    f"(?s)(?:.*\n)?{_ANSWER_LINE}": _stepwise,
    "Thought: ": _turn,
    f"Follow up: |{_FINAL}": _furthered,
    r"\d+: ": _scored,
    "(?s).*Critique: ": lambda told: (
        f"Sure! Let me check.\n\n{told.replace('Critique:', '**Critique:**')}"
    ),
    r".*\?$": "Great question! First this has to be known:\n\n**Sub-question:** {}".format,
    "I need to know ": "**Evidence needed:** {}".format,
    "nothing$": lambda told: "**Nothing** more is needed: the passages tell all that is asked.",
    "none$": lambda told: "There are none.",
    ".*\n": _bulleted,
    "": _answered,
}
"""How what has such a form is put."""


# -- after thoughts
def _spaced(told: str) -> str:
    *before, last = told.splitlines()
    answer = f"## Answer\n{_boxed(last.removeprefix(_ANSWER_LINE))}"
    return "\n\n".join(["## Thoughts", *before, answer])


def _boxed(answer: str) -> str:
    return "**Unknown**." if answer == UNKNOWN else f"$\\boxed{{\\text{{{answer}}}}}$"


_THOUGHTFUL: dict[str, Callable[[str], str]] = {
    "Sufficient: ": lambda told: "## Reply\n\n" + told.replace("\n", "\n\n"),
    "⟨": lambda told: f"```\n{told.replace('⟨', '(').replace('⟩', ')')}\n```",
    f"(?s)(?:.*\n)?{_ANSWER_LINE}": _spaced,
    "Thought: ": lambda told: "## Next turn\n\n" + told.replace("\n", "\n\n"),
    _FINAL: lambda told: f"## Next line\n\n{told.replace(': ', ': **')}**.",
    "Follow up: ": lambda told: f"## Next line\n\n{told.removeprefix('Follow up: ')}",
    r"(?s).*Critique: |.*\?$|I need to know |nothing$|none$|.*\n|\d+: ": "## Reply\n\n{}".format,
    "": lambda told: f"## Answer\n\n{_boxed(told)}",
}
