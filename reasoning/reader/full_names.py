"""A person's full name for one word of it."""

import re
from collections.abc import Sequence

from .asked.names import key
from .candidates import AnswerCandidate, Mention
from .pages import Evidence

_FAMILY = re.compile(r" (?:family|brothers|sisters|siblings|couple|twins|heirs)\b")
"""Behind a name: several people, whom a person's full name would not name."""
_MAX_NAME = 4  # words


def in_full(text: str, evidence: Evidence, found: Sequence[AnswerCandidate]) -> str:
    """Give a person's full name for one word of it, where the pages say one alone that has it."""
    if evidence.asked.kind != "person" or " " in text or not text:
        return text
    own = key(text)
    several = next((m for c in found if c.key == own for m in map(_family, c.mentions) if m), "")
    if several:
        return text + several
    of_place = re.compile(rf"\b{re.escape(text)} of [A-Z][\w'’-]+")
    noble = {name for page in evidence.pages for name in of_place.findall(page.text)}
    if len(noble) == 1:
        return noble.pop()
    whole = [
        c.text
        for c in found
        if c.label == "PERSON" and own in c.key.split()[-1:] + c.key.split()[:1]
    ]
    alone = (name for name in whole if "'" not in name and " and " not in name)
    full = [name for name in alone if 1 < len(name.split()) <= _MAX_NAME]
    return full[0] if len({key(name) for name in full}) == 1 else text


def _family(mention: Mention) -> str:
    behind = _FAMILY.match(mention.page.text, mention.end) if mention.end else None
    return behind.group() if behind else ""
