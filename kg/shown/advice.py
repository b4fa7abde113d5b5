"""What to do where no answer is asserted, by what is missing: the table of docs/answers.md."""

import re

_NAME = "check how the name is spelt (`hoptrail show NAME` finds it), or ingest what speaks of it"
_SEARCH = "`hoptrail search` shows the passages"
_READ = "read the sentence quoted: it may answer all the same"
_BESIDE = "read the sentence quoted: what stands around it may tell it of what is asked about"
_UNTOLD = f"read the sentence quoted: what stands around it may tell more; {_SEARCH}"
_OTHERWISE = f"ask in other words, in those of the documents; {_SEARCH}"
_STEPS = f"ask for one thing at a time; {_SEARCH}"

_NEXT: tuple[tuple[str, str, bool], ...] = (
    (
        "no passage was found",
        "ask in other words, or with --retriever hop; `hoptrail stats` says what is ingested",
        False,
    ),
    (
        "what was found may not be about what the question describes",
        'ask for the thing described first ("Who founded X?"), then about it by name',
        True,
    ),
    (
        "what was found may not be about .*",
        "read the sentence quoted: if it is about that, it answers the question; else ask by the "
        "name that the documents use",
        True,
    ),
    ("no passage found says .*", _NAME, False),
    (
        "no passage found tells this: .*",
        f"ask just that in other words; {_SEARCH}",
        True,
    ),
    (
        "it takes two steps or more, .*",
        "check what it was found by way of; if that is right, ask for the rest by its name",
        True,
    ),
    ("no .* was found that is asked for", f"{_READ}; {_SEARCH}", True),
    (
        "what was found (?:is told of another|was so until|is said to be so no more).*",
        _BESIDE,
        True,
    ),
    (
        "what was found (?:does not stand near|is not said of both|is not said to be the same).*",
        _BESIDE,
        True,
    ),
    (
        "what was found (?:does not tell which|is a whole name|may be of another kind).*",
        _READ,
        True,
    ),
    ("it is not stated how what was found is related", _READ, True),
    ("the passages found say little of what is asked", _OTHERWISE, True),
    ("what was found (?:is what the question says|stands in a question|is set).*", _UNTOLD, False),
    (
        "what was found is not known to say yes or no",
        "read the sentence quoted: nothing that was found comes nearer to the question",
        True,
    ),
    (
        "the field that is asked for is empty",
        f"see whether another passage tells it; {_SEARCH}",
        False,
    ),
    ("nothing that was found reads like an answer", _OTHERWISE, True),
    (
        "the best candidate is .*",
        f"read the sentence quoted, or ask in the documents' own words; {_SEARCH}",
        True,
    ),
    (".* give one with --model", "", False),  # says it itself
    ("no source fills the question's chain|No sub-question .*", _STEPS, False),
)
"""What `Answer.missing` may say, what to do then, and whether a language model may tell more."""
_KNOWN = tuple((re.compile(said), todo, more) for said, todo, more in _NEXT)
LONGEST = 500  # characters of a reason
_MODEL = "or have a language model read it (--model)"


def advice_on(missing: str, *, quoted: bool, by_model: bool) -> str:
    """Say what to do about what is missing: a sentence; of what the reason says itself nothing.

    Args:
        quoted: whether a sentence is shown.
        by_model: whether a language model was asked.
    """
    missing = missing[:LONGEST].rstrip(".")
    known = ((todo, more) for said, todo, more in _KNOWN if said.fullmatch(missing))
    todo, more = next(known, (_OTHERWISE, True))
    if not todo:
        return ""
    if not quoted:
        todo = todo.replace("the sentence quoted", "the passages cited")
    told = "; ".join([todo, _MODEL] if more and not by_model else [todo])
    return f"{told[0].upper()}{told[1:]}."
