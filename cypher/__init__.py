"""Every Cypher statement, one a file, loaded by name: `query("passages/nearest")`."""

import functools
from importlib.resources import files

_ROOT = files(__package__ or "hoptrail.cypher")


@functools.cache
def query(name: str) -> str:
    """The text of `<name>.cypher`, its first comment (purpose, parameters, columns) included."""
    return _ROOT.joinpath(f"{name}.cypher").read_text(encoding="utf-8")
