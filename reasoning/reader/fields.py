"""Rows and labelled lines: "City: Graz; Staff: 12"."""

import re

from ...kg.text.lines import ABBREVIATED

Fields = tuple[tuple[str, int, int], ...]
"""(name, first character of the value, one past its last) of each."""
YEARS = r"[12]\d{3}(?:[/–-]\d{2,4})?(?: \([^()\n;:]{1,15}\))?"
"""A column's name: "2024", "2023/24", "2023 (kWh)"."""
_FIELD = re.compile(  # "Loan no.: 17", "Dep. Port Carrow: 12:30", "Remote?: no", "…; 2024: 5"
    rf"(?:^|; ?)[*•-]? ?([^\W\d_](?:[^:;.?!]|\.(?=:|-| [a-z+&])|{ABBREVIATED}|\?(?=:)){{0,38}}?"
    rf"|(?<=; ){YEARS})"
    r"[^\S\n]*:[^\S\n]+"
    r"([^\n;]*[^\s;])"
)
_NAMELESS = re.compile(
    rf"[*•-]? ?([^:;.?!\n]{{1,60}}); ?(?=(?:[^\W\d_][^:;.?!\n]{{0,38}}|{YEARS}):[^\S\n])"
)
"""A row's first cell, whose column has no name: "Ann Lee" of "Ann Lee; Room: 4"."""
WHOM = frozenset({"name", "person", "full name", "employee", "member", "contact"})
"""Columns that name whom the rest of a row is about."""


def fields_of(text: str, start: int) -> Fields:
    """Find the fields of a row ("City: Graz; Staff: 12") or a labelled line ("Author: Ann Lee").

    The first name, or a cell without one ("Ann Lee; Room: 4"), opens the sentence, whose first
    character is `start`; a value ends with the field or the line.
    """
    nameless = _NAMELESS.match(text)
    if not nameless and not _FIELD.match(text):
        return ()
    first = [("", start + nameless.start(1), start + nameless.end(1))] if nameless else []
    found = _FIELD.finditer(text)
    return (*first, *((m.group(1), start + m.start(2), start + m.end(2)) for m in found))
