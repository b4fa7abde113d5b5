"""Every Cypher statement, one a file, loaded by name: `query("read/passages", (2026, 8))`."""

import functools
from importlib.resources import files

Version = tuple[int, int]

SEARCH_CLAUSE: Version = (2026, 2)
"""The first release whose Cypher 25 has SEARCH; others are asked in Cypher 5, see `query`."""
PREFIX = "Hoptrail"
"""The mark of a graph: all its labels begin with it, and the names of its indexes in lower case."""

_ROOT = files(__package__ or "hoptrail.cypher")


@functools.cache
def query(name: str, server: Version = SEARCH_CLAUSE, prefix: str = PREFIX) -> str:
    """Return the text of a statement as a server of this version (year or major, minor) takes it.

    `<name>.cypher`, or `<name>.v5.cypher` where there is one and the server is older than
    SEARCH_CLAUSE; its first comment (purpose, parameters, columns) included.

    Args:
        name: of the file, with its folder.
        server: version.
        prefix: of the labels, see `kg.neo4j.server.check_prefix`.
    """
    older = _ROOT.joinpath(f"{name}.v5.cypher")
    file = older if server < SEARCH_CLAUSE and older.is_file() else _ROOT.joinpath(f"{name}.cypher")
    text = file.read_text("utf-8")
    if prefix == PREFIX:
        return text
    return text.replace(PREFIX, prefix).replace(f"{PREFIX.lower()}_", f"{prefix.lower()}_")
