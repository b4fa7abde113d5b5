"""The names in a question, and stand-ins for them, so that a title's words are not parsed."""

import re
from typing import NamedTuple

STAND_INS = "Alda Berta Carla Dora Emma Flora Greta Helga Irma Jutta".split()
"""A tagger takes each for a name, and so a title for one: "Rose O' The Sea", "Good-Time Girl"."""
_PIECE = re.compile(r"\([^()]*\)|\"[^\"]+\"|“[^”]+”|[^\s,;:?!\"“”()]+|[,;:?!]")
_SMALL = frozenset("of the de da do von van der la le for in to a at on with & - ' al bin".split())
_ASKING = frozenset(
    "who whom whose what which where when how why is are was were do does did has have had can "
    "could in on at of from to for by with the a an both between among since until before after "
    "name during as if while and or this that these those it its he she his her they their there "
    "through under into about".split()
)
_CLASS = r"(?i:film|song|movie|album|single|band|book|novel|play|opera|magazine|company)s?:?"
_POSSESSIVE = re.compile(r"['’]s$|(?<=s)['’]$")


class Named(NamedTuple):
    """A question whose names are stood in for.

    Args:
        text: the question with the stand-ins.
        names: what each stands for, as the question spells it.
    """

    text: str
    names: dict[str, str]


def stood_in(question: str, joined: bool = True) -> Named:
    """Put a stand-in for each name: a run of capitals, a title in quotes, with what is in brackets.

    Args:
        joined: a comma or an "and" may stand within a name ("Joan, Lady of Wales"); not where a
            question sets one thing against another.
    """
    pieces = list(_PIECE.finditer(question))
    names, out, at, place = dict[str, str](), [], 0, 0
    while place < len(pieces):
        end = _end(pieces, place, joined) if _begins(pieces, place) else place
        if end == place or len(names) == len(STAND_INS):
            place += 1
            continue
        start, stop = pieces[place].start(), pieces[end - 1].end()
        found = question[start:stop]
        if own := _POSSESSIVE.search(found):
            found, stop = found[: own.start()], stop - len(own.group())
        alone = STAND_INS[len(names)]
        names[alone] = found.strip("\"“” '")
        out += [question[at:start], alone]
        at, place = stop, end
    text = "".join([*out, question[at:]])
    return Named(re.sub(rf"\b{_CLASS} (?={'|'.join(STAND_INS)})", "", text), names)


def _begins(pieces: list[re.Match[str]], place: int) -> bool:
    said = pieces[place].group()
    if said[0] in '"“':
        return True
    capital = said[:1].isupper() or (said[:1].isdigit() and place > 0)
    if not capital or (said.isdigit() and len(said) < 5):
        return False
    following = pieces[place + 1].group() if place + 1 < len(pieces) else ""
    if said.casefold() in _ASKING:  # "The Blue Umbrella", but not "The director", "Did Alda"
        article = said in ("The", "A", "An") or place > 0
        return article and following[:1].isupper()
    return True


def _end(pieces: list[re.Match[str]], place: int, joined: bool) -> int:
    """One past the last piece of the name that begins here."""
    end = place + 1
    if pieces[place].group()[0] in '"“':
        return end
    while end < len(pieces) and not pieces[end - 1].group().endswith(("'s", "’s")):
        ahead = end
        while ahead < len(pieces) and (
            pieces[ahead].group() in _SMALL
            or (
                ahead == end
                and pieces[ahead].group() in (("and", ",", ":", ";") if joined else ":;")
            )
        ):
            ahead += 1
        if ahead == len(pieces) or not _goes_on(pieces[ahead].group(), ahead == end):
            break
        end = ahead + 1
    return end


def _goes_on(said: str, adjacent: bool) -> bool:
    if said[0] == "(":
        return adjacent
    return said[:1].isupper() or (adjacent and said[:1].isdigit())
