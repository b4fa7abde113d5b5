"""Oxigraph's Python package, loaded where RDF is read, written or asked; and the formats."""

from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from ..errors import BadRequest

FORMATS = {
    ".nt": "N_TRIPLES",
    ".ttl": "TURTLE",
    ".rdf": "RDF_XML",
    ".owl": "RDF_XML",
    ".jsonld": "JSON_LD",
    ".nq": "N_QUADS",
    ".trig": "TRIG",
}
"""By suffix, before one of PACKED."""
PACKED = (".gz", ".bz2")
NAMES = tuple(suffix[1:] for suffix in FORMATS)


class Named(NamedTuple):
    """What the name of a file says: "" for what it does not."""

    suffix: str
    packed: str


def named(file: Path) -> Named:
    """Read format and packing off a name; the suffix is "" where it is not one of RDF."""
    name = file.name.lower()
    packed = next((end for end in PACKED if name.endswith(end)), "")
    suffix = Path(name.removesuffix(packed)).suffix
    return Named(suffix if suffix in FORMATS else "", packed)


def oxigraph() -> ModuleType:
    """Load pyoxigraph.

    Raises:
        BadRequest: it is not installed.
    """
    try:
        import pyoxigraph
    except ImportError:
        raise BadRequest('RDF needs the extra rdf: pip install "hoptrail[rdf]"') from None
    return pyoxigraph
