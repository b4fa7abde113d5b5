"""Every Cypher statement, one a file, loaded by name: `query("read/passages", (2026, 8))`."""

import functools
from importlib.resources import files

Version = tuple[int, int]

SEARCH_CLAUSE: Version = (2026, 2)
"""The first release whose Cypher 25 has SEARCH; others are asked in Cypher 5, see `query`."""

_ROOT = files(__package__ or "hoptrail.cypher")


@functools.cache
def query(name: str, server: Version = SEARCH_CLAUSE) -> str:
    """Return the text of a statement as a server of this version (year or major, minor) takes it.

    `<name>.cypher`, or `<name>.v5.cypher` where there is one and the server is older than
    SEARCH_CLAUSE; its first comment (purpose, parameters, columns) included.
    """
    older = _ROOT.joinpath(f"{name}.v5.cypher")
    if server < SEARCH_CLAUSE and older.is_file():
        return older.read_text("utf-8")
    return _ROOT.joinpath(f"{name}.cypher").read_text("utf-8")
