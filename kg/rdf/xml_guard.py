"""RDF/XML that can't grow without bound: a kilobyte of entities may else stand for gigabytes."""

from typing import IO
from xml.parsers import expat

from ..errors import BadRequest

MAX_DEPTH = 1000  # elements in one another; Oxigraph takes time by its square


class Guarded:
    """A file of RDF/XML, read through Expat, which says first what is wrong with it.

    Entities that abbreviate namespaces, as ontologies have them, are fine; those made of others,
    and those that stand elsewhere, are not. Expat itself ends what grows a hundredfold.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._depth = 0
        self._expat = expat.ParserCreate()
        self._expat.EntityDeclHandler = self._declared
        self._expat.StartElementHandler = self._begun
        self._expat.EndElementHandler = self._ended

    def read(self, size: int = -1) -> bytes:
        """Read on.

        Raises:
            BadRequest: an entity is more than an abbreviation, or elements nest too deep.
            SyntaxError: it is no XML, with the line.
        """
        data = self._file.read(size)
        try:
            self._expat.Parse(data, not data)
        except expat.ExpatError as error:
            said = expat.errors.messages[error.code]
            raise SyntaxError(f"{said} in the XML", (None, error.lineno, None, None)) from None
        return data

    def _declared(self, name: str, parameter: bool, value: str | None, *_: object) -> None:
        if value is None or parameter:
            raise BadRequest(f"The entity {name} of the RDF/XML stands elsewhere; write it out.")
        if "&" in value.replace("&#", ""):
            raise BadRequest(
                f"The entity {name} of the RDF/XML is made of others, which may grow without "
                "bound; write its text out."
            )

    def _begun(self, name: str, attributes: object) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise BadRequest(f"Elements of the RDF/XML nest more than {MAX_DEPTH:,} deep.")

    def _ended(self, name: str) -> None:
        self._depth -= 1
