"""SPARQL over a graph as RDF, in memory: for small ones, which need no triple store."""

import json
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from ..errors import BadRequest
from .oxigraph import oxigraph
from .vocabulary import PREFIXES, XSD
from .writing import triples

MAX_TRIPLES = 1_000_000  # 0.45 GB in memory
MAX_RESULTS = 100_000  # rows or triples that a query gives
Form = Literal["select", "ask", "construct"]

_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})")
_NOT_SAID = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|' + r"'''(?:[^\\]|\\.)*?'''|" + r'"(?:[^"\\\n\r]|\\.)*"|'
    r"'(?:[^'\\\n\r]|\\.)*'|<[^<>\"{}|^`\\\x00-\x20]*>|#[^\n\r]*",
    re.S,
)
_SERVICE = re.compile(r"(?<![\w?$:.-])SERVICE(?![\w:.-])", re.I)


@dataclass(frozen=True, slots=True)
class Found:
    """What a query found.

    Args:
        form: "select" has columns and rows, "ask" a truth, "construct" Turtle.
        columns: names of variables.
        rows: terms as N-Triples writes them; None where a variable is not bound.
        truth: of ASK.
        json: the results as SPARQL 1.1 has them in JSON, of "construct" JSON-LD; plain values.
        turtle: of "construct".
    """

    form: Form
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str | None, ...], ...] = ()
    truth: bool = False
    json: Any = None
    turtle: str = ""


def load(records: Iterable[Mapping[str, Any]], limit: int = MAX_TRIPLES) -> Any:  # noqa: ANN401
    """Load a graph into a store of Oxigraph's, in memory.

    Raises:
        BadRequest: it has more triples than `limit`.
    """
    ox = oxigraph()
    store, iri = ox.Store(), ox.NamedNode
    rows = triples(records)

    def quads() -> Iterator[Any]:
        for subject, name, (value, datatype) in islice(rows, limit):
            object_ = iri(value) if datatype is None else ox.Literal(value, datatype=iri(datatype))
            yield ox.Quad(iri(subject), iri(name), object_)

    store.bulk_extend(quads())
    if next(rows, None) is not None:
        raise BadRequest(
            f"As RDF the graph has more than {limit:,} triples; `hoptrail export graph.nt.gz` and "
            "load it into a triple store (docs/rdf.md), or raise --limit."
        )
    return store


def ask(store: Any, query: str, seconds: float | None = None) -> Found:  # noqa: ANN401 - a module's
    """Ask a store. The prefixes of docs/rdf.md are declared; nothing is fetched from elsewhere.

    Args:
        store: of `load`.
        query: SELECT, ASK, CONSTRUCT or DESCRIBE.
        seconds: how long it may take.

    Raises:
        BadRequest: what is wrong with the query; it asks a SERVICE; it took too long.
    """
    _check(query)
    done: list[Found | BaseException] = []

    def run() -> None:
        try:
            done.append(_found(store.query(query, prefixes=PREFIXES)))
        except BaseException as error:  # noqa: BLE001 - raised where it was asked
            done.append(error.with_traceback(None))  # it holds results, which are this thread's

    # It can't be stopped; a daemon thread does not outlive the process.
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if not done:
        raise BadRequest(f"The query took more than {seconds:g} s; narrow it, or raise --timeout.")
    if isinstance(done[0], SyntaxError | OSError | ValueError):
        reason = str(done[0]).partition("expected one of")[0].rstrip(" ,:")
        raise BadRequest(f"The query can't be answered: {reason}.") from None
    if isinstance(done[0], BaseException):
        raise done[0]
    return done[0]


def _check(query: str) -> None:
    """Refuse what would ask others over the network, however it is spelled."""
    said = _ESCAPE.sub(lambda found: _character(found[1] or found[2]), query)
    if _ESCAPE.search(said):
        raise BadRequest("The query escapes escapes; write its characters as they are.")
    if _SERVICE.search(_NOT_SAID.sub(" ", said)):
        raise BadRequest(
            "SERVICE asks others over the network, which this does not; load the export into a "
            "triple store (docs/rdf.md) and ask there."
        )


def _character(code: str) -> str:
    point = int(code, 16)
    return chr(point) if point < 0x110000 else ""


def _found(results: Any) -> Found:  # noqa: ANN401 - a module's
    ox = oxigraph()
    if isinstance(results, ox.QueryBoolean):
        return Found("ask", truth=bool(results), json={"head": {}, "boolean": bool(results)})
    found = list(islice(results, MAX_RESULTS + 1))
    if len(found) > MAX_RESULTS:
        raise BadRequest(f"The query has more than {MAX_RESULTS:,} results; add a LIMIT.")
    if isinstance(results, ox.QueryTriples):
        turtle = ox.serialize(found, format=ox.RdfFormat.TURTLE, prefixes=PREFIXES)
        held = ox.serialize(found, format=ox.RdfFormat.JSON_LD)
        return Found("construct", json=json.loads(held), turtle=turtle.decode())
    columns = tuple(variable.value for variable in results.variables)
    rows = tuple(tuple(row[name] for name in columns) for row in found)
    bindings = [
        {name: _term(term, ox) for name, term in zip(columns, row, strict=True) if term is not None}
        for row in rows
    ]
    held = {"head": {"vars": list(columns)}, "results": {"bindings": bindings}}
    texts = tuple(tuple(None if term is None else str(term) for term in row) for row in rows)
    return Found("select", columns, texts, json=held)


def _term(term: Any, ox: Any) -> dict[str, str]:  # noqa: ANN401 - a module's
    """As SPARQL 1.1's results in JSON have it."""
    if isinstance(term, ox.NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, ox.BlankNode):
        return {"type": "bnode", "value": term.value}
    held = {"type": "literal", "value": term.value}
    if term.language:
        return {**held, "xml:lang": term.language}
    plain = term.datatype.value == f"{XSD}string"
    return held if plain else {**held, "datatype": term.datatype.value}
