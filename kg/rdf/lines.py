"""N-Triples and N-Quads of which some lines are broken: these are left out, and told."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any

from ..errors import BadRequest

LINES = ("N_TRIPLES", "N_QUADS")
"""Formats in which a line stands for itself; elsewhere what follows a fault can't be trusted."""
CHUNK = 1 << 20
"""Bytes that are parsed at once; line by line where that fails."""
LONGEST = 1 << 25
"""Bytes of a line."""
MAX_TOLD = 20


@dataclass
class Broken:
    """Lines that are no triples.

    Args:
        count: of all.
        told: the first MAX_TOLD, as "file, line 3: why".
    """

    count: int = 0
    told: list[str] = field(default_factory=list)

    def add(self, source: str, line: int, why: object) -> None:
        """Count a line."""
        self.count += 1
        if len(self.told) < MAX_TOLD:
            self.told.append(f"{source}, line {line:,}: {why}")


def parsed(opened: IO[bytes], ox: Any, format_: Any, source: str, broken: Broken) -> Iterator[Any]:  # noqa: ANN401 - Oxigraph's
    """Give the quads of all lines that are whole; Oxigraph alone would lose what follows a fault.

    Args:
        opened: a file of lines.
        ox: the module.
        format_: of LINES.
        source: what the file is called.
        broken: is told of the others.

    Raises:
        BadRequest: a line is longer than LONGEST.
    """
    before = 0
    for chunk in _chunks(opened, source):
        try:
            yield from list(ox.parse(chunk, format_))
        except (SyntaxError, MemoryError):
            for number, line in enumerate(chunk.split(b"\n"), before + 1):
                try:
                    quads = list(ox.parse(line, format_))
                except (SyntaxError, MemoryError) as error:
                    broken.add(source, number, getattr(error, "msg", error))
                else:
                    yield from quads
        before += chunk.count(b"\n")


def _chunks(opened: IO[bytes], source: str) -> Iterator[bytes]:
    """The file in parts that end with a line."""
    rest = b""
    while data := opened.read(CHUNK):
        whole, end, left = data.rpartition(b"\n")
        if end:
            yield rest + whole + end
            rest = left
        else:
            rest += data
        if len(rest) > LONGEST:
            raise BadRequest(f"{source} holds a line of more than {LONGEST >> 20} MiB.")
    if rest:
        yield rest
