"""Every SPARQL query, one a file, loaded by name: `query("named", names=…)`.

SPARQL 1.1 with every prefix declared, no label service and no hints, so that any endpoint takes
them. What varies enters as text that `kg.wikidata.values` has checked, never as it came.
"""

import functools
from importlib.resources import files
from string import Template

_ROOT = files(__package__ or "hoptrail.kg.wikidata.queries")


@functools.cache
def _template(name: str) -> Template:
    return Template(_ROOT.joinpath(f"{name}.rq").read_text("utf-8"))


def query(name: str, **values: str) -> str:
    """Return the text of a query with its parameters filled in.

    Args:
        name: of the file.
        values: SPARQL terms as `kg.wikidata.values` writes them.

    Raises:
        KeyError: a parameter is missing.
    """
    lines = _template(name).substitute(values).splitlines()
    return "\n".join(line for line in lines if not line.startswith("#"))
