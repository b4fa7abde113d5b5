"""What may stand in a SPARQL query, and what stands in its answer."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ..errors import BadRequest

ENTITY = "http://www.wikidata.org/entity/"
DIRECT = "http://www.wikidata.org/prop/direct/"
LANGUAGES = ("en", "mul")
"""Of the names that are read: English, and what Wikidata keeps for all languages."""
_ID = re.compile(r"[QP][1-9]\d{0,17}")
_LANGUAGE = re.compile(r"[a-z]{2,8}(?:-[a-z0-9]{1,8})*")
_ESCAPES = str.maketrans(
    {"\\": r"\\", '"': r"\"", "\n": r"\n", "\r": r"\r", "\t": r"\t", "\b": r"\b", "\f": r"\f"}
)
_UNSENDABLE = re.compile("[\0\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Value:
    """A node in an answer.

    Args:
        kind: of node.
        text: an IRI, a blank node's label, or what a literal says.
        language: of a literal, "" where it has none.
        datatype: the IRI of a literal's type, "" where none is said.
    """

    kind: Literal["uri", "literal", "bnode"]
    text: str
    language: str = ""
    datatype: str = ""

    @property
    def item(self) -> str | None:
        """Give the QID of an item's IRI; None for all else: a file, a lexeme, an unknown value."""
        found = entity_id(self.text) if self.kind == "uri" else None
        return found if found and found[0] == "Q" else None


Row = dict[str, Value]
"""One solution: by variable, without those that are unbound."""


def is_id(text: str, letter: str = "QP") -> bool:
    """Say whether a text is a QID ("Q42") or a PID ("P31")."""
    return text[:1] in letter and _ID.fullmatch(text) is not None


def entity_id(iri: str) -> str | None:
    """Give the QID or PID that an IRI ends in: an entity's, or a direct claim's property."""
    for base in (ENTITY, DIRECT):
        if iri.startswith(base):
            found = iri[len(base) :]
            return found if is_id(found) else None
    return None


def ids(values: Iterable[str], letter: str) -> str:
    """Write QIDs as wd: IRIs or PIDs as wdt: ones, sorted, each once.

    Args:
        values: the ids.
        letter: Q or P, with which each has to begin.

    Raises:
        BadRequest: something is no such id.
    """
    found = sorted(set(values), key=lambda value: (len(value), value))
    for value in found:
        if not is_id(value, letter):
            raise BadRequest(f"{value[:40]!r} is no Wikidata id of the form {letter}42.")
    return " ".join(f"wd{'t' if letter == 'P' else ''}:{value}" for value in found)


def literals(texts: Iterable[str], languages: Iterable[str] = (*LANGUAGES, "")) -> str:
    """Write texts as literals, escaped, sorted, each in each of these languages; "" is none.

    What no query can carry (half a surrogate pair, NUL) is left out.
    """
    tags = [f"@{checked_language(language)}" if language else "" for language in languages]
    sendable = sorted({text for text in texts if text and not _UNSENDABLE.search(text)})
    return " ".join(f'"{text.translate(_ESCAPES)}"{tag}' for text in sendable for tag in tags)


def language_list(languages: Iterable[str] = LANGUAGES) -> str:
    """Write languages as the members of IN (…), and "" for names that have none."""
    return ", ".join(f'"{checked_language(one)}"' for one in languages) + ', ""'


def checked_language(language: str) -> str:
    """Return a language tag in lower case.

    Raises:
        BadRequest: it is none.
    """
    lower = language.lower()
    if not _LANGUAGE.fullmatch(lower):
        raise BadRequest(f"{language[:40]!r} is no language tag; one looks like en or pt-br.")
    return lower
