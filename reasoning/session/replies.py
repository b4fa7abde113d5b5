"""What replies of a language model mean, in the words that the prompts ask for."""

import re

UNKNOWN = "unknown"
"""What the prompts ask for when the evidence does not tell."""
_CONCLUSION = re.compile(r"\banswer is:?\s*(.*)", re.IGNORECASE)


def told(answer: str) -> str:
    """Give the answer, "" where it says that the evidence does not tell."""
    return "" if answer.strip().rstrip(".").casefold() == UNKNOWN else answer.strip()


def concludes(thoughts: str) -> bool:
    """Tell whether "the answer is" stands in thoughts."""
    return bool(_CONCLUSION.search(thoughts))


def conclusion(thoughts: str) -> str:
    """Give what follows "the answer is"; "" where nothing does, or where it is unknown."""
    found = _CONCLUSION.findall(thoughts)
    return told(found[-1].strip(" *").rstrip(".")) if found else ""
