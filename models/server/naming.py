"""How models name an option in so many words: "B", "Answer: b", "The answer is B.", a box."""

import json
import re
from collections.abc import Sequence

from ..language import OutputForm

_LEAD = (
    r"(?:(?:so|thus|therefore|then|the|my|final|correct|right|best)[\W_]++)*+"
    r"(?:answer|option|choice|letter)[\W_]++"
    r"(?:(?:is|would[\W_]++be)[\W_]++)?+(?:(?:option|choice|letter)[\W_]++)?+"
)
_BOX = r"boxed[\W_]++(?:text(?:bf)?[\W_]++)?+"  # \boxed{\text{B}}
_QUOTED = r"[*_`\"'\]}]*+"  # what closes around a name that more follows
_BLANK = r"[^\w\n]*\n[^\S\n]*\n"


def naming(options: Sequence[str]) -> OutputForm:
    """Make the form of a reply that names one of the options; see `named`.

    A name stands alone, or before a mark (`B. The river`, `**B**: …`) or a blank line; so no letter
    is taken that begins a sentence ("A good choice would be B").
    """
    either = "|".join(map(re.escape, options))
    # No name where others follow, each in a paragraph: those are the options, told again.
    another = rf"(?![\W_]*+(?!(?P=name))(?:{either})(?:[.):]|[\W_]*\Z|[^\w\n]*\n))"
    behind = (
        rf"(?:[\W_]*+\Z|{_QUOTED}(?:[):]|\.(?!\w\.)).*|{_BLANK}{another}.*)"  # "A.D. 900" is none
    )
    case = "" if len({option.casefold() for option in options}) < len(options) else "i"
    return OutputForm(
        "root ::= " + " | ".join(map(json.dumps, options)),
        rf"(?s{case})[\W_]*+(?i:{_LEAD})?+(?i:{_BOX})?+(?P<name>{either}){behind}",
        {"enum": list(options)},
    )


def named(reply: str, options: Sequence[str]) -> int | None:
    """Tell which option a reply names, by its place; None where it names none."""
    found = re.fullmatch(naming(options).pattern, reply)
    if found is None:
        return None
    for spelt in (str, str.casefold):  # as it stands first: options may differ in case alone
        for place, option in enumerate(options):
            if spelt(option) == spelt(found["name"]):
                return place
    return None  # a letter that only some alphabets take for another's: "ı" for "I"
