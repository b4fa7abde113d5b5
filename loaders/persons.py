"""Names of persons: whole ones in tables ("Ann Lee" for "Lee, Ann" and "Lee", "Ann"), authors'."""

import re
from collections.abc import Mapping

_FIRST = frozenset(["first name", "firstname", "forename", "given name", "vorname"])
_LAST = frozenset(["surname", "last name", "lastname", "family name", "nachname"])
_WHOLE = frozenset(
    ["name", "full name", "member", "employee", "person", "student", "player", "participant"]
)
_NAME = "Name"
_TURNED = re.compile(
    r"([^\W\d_a-z][\w'’-]*(?: [^\W\d_a-z][\w'’-]*)?), ?"
    r"([^\W\d_a-z][\w'’-]*(?: [^\W\d_a-z][\w'’.-]*)?)"
)
_AND = re.compile(r"(?:,| and\b|;|&)\s*")
_WORD = r"[^\W\d_a-z][^\W\d_]+(?:['’-][^\W\d_]+)*"
_PART = rf"[^\W\d_a-z]\.|{_WORD}|van|von|vom|der|den|de|del|da|di|la|le|zu|ter"
_PERSON = re.compile(rf"{_WORD}(?: (?:{_PART})){{0,3}} {_WORD}")
_NO_PERSON = frozenset(  # programs and bodies sign files, too
    """account admin administrator adobe apache association authors client committee community
    company contributors corporation default desktop developers documentation editor foundation
    free google group guest gnu institute microsoft office organization owner pc project publisher
    research server software system team test the university unknown user windows word workstation
    your""".split()
)


def persons(said: str) -> list[str]:
    """Give the names in an author's field that are whole names of persons."""
    names = (name.strip() for name in _AND.split(said))
    return [
        name
        for name in names
        if _PERSON.fullmatch(name) and _NO_PERSON.isdisjoint(name.lower().split())
    ]


def with_whole_names(values: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """Put first name and surname of a row together: (its values, the name or "").

    Args:
        values: of a row by column.
    """
    said = {column.strip(" *:").casefold(): column for column in values}
    first = next((said[name] for name in _FIRST if name in said), None)
    last = next((said[name] for name in (*_LAST, "name") if name in said), None)
    if first and last and values[first].strip() and values[last].strip():
        whole = f"{values[first].strip()} {values[last].strip()}"
        rest = {c: value for c, value in values.items() if c not in (first, last)}
        return {_NAME: whole} | rest, whole
    turned = {
        column: f"{found[2]} {found[1]}"
        for name, column in said.items()
        if name in _WHOLE and (found := _TURNED.fullmatch(values[column].strip()))
    }
    return dict(values) | turned, next(iter(turned.values()), "")
