"""Settings of where the graph is and who may open it: options and environment variables."""

import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from ..kg.errors import BadRequest, StoreUnavailable
from ..kg.store import GraphStore
from ..reasoning import registry, sources

if TYPE_CHECKING:
    from ..kg.wikidata.endpoint import Endpoint

DEFAULT_GRAPH = "hoptrail.db"
AURA_URI = "NEO4J_URI"
"""It names the graph where the user names none; Aura's file of credentials sets it."""
DEFAULT_RETRIEVER = "hop"
SHOWN = 12  # things that `show` shows, and entries of their lists, unless told otherwise
RETRIEVERS = tuple(registry.RETRIEVERS)
METHODS = tuple(registry.METHODS)
TRIPLES = ("parse", "model")
SOURCES = sources.SOURCES
TRAINED = ("gnn-ret", "ranker")
"""For help texts: names alone, which load nothing they mean."""
SERVER_SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of the options before a command.

    Args:
        graph: a file or a URI.
        encoder: a sentence-transformers name or folder; None is the packaged one.
        pipeline: a spaCy pipeline; None is the packaged one.
        query_prefix: what an asymmetric encoder wants before queries.
        passage_prefix: and before passages.
        model: a language model as `models.opening.open_model` takes it; None for none.
        graph_variable: the environment variable that named the graph, where the user named none.
    """

    graph: str = DEFAULT_GRAPH
    encoder: str | None = None
    pipeline: str | None = None
    query_prefix: str = ""
    passage_prefix: str = ""
    model: str | None = None
    graph_variable: str = ""

    def store(self) -> GraphStore:
        """Make the store of the graph, see `open_store`."""
        return open_store(self.graph, self.graph_variable)

    def existing(self) -> Self:
        """Return these settings, for a command that reads: a file that is not there is no graph.

        A server says itself what it has.

        Raises:
            StoreUnavailable: they name a file that does not exist.
        """
        path = Path(self.graph)
        if "://" in self.graph or "\0" in self.graph or path.exists():
            return self
        lacking = f"There is no file {path.name} in {path.absolute().parent}"
        if self.graph == DEFAULT_GRAPH:
            raise StoreUnavailable(
                f"{lacking}: no graph yet. Make it: hoptrail ingest PATH. Or name another: "
                "--graph; `hoptrail demo` shows what a graph answers."
            )
        raise StoreUnavailable(
            f"{lacking}. Check --graph, or make "
            f"the graph: hoptrail ingest PATH --graph {shlex.quote(self.graph)}"
        )


def unnamed_graph() -> dict[str, str]:
    """Return `graph` and `graph_variable` of the settings of a user who names no graph."""
    if uri := os.environ.get(AURA_URI):
        return {"graph": uri, "graph_variable": AURA_URI}
    return {"graph": DEFAULT_GRAPH, "graph_variable": ""}


def open_store(where: str | Path, variable: str = "") -> GraphStore:
    """Make the store for a file path or a server URI; touches neither yet.

    User, password and database come from HOPTRAIL_NEO4J_USER, HOPTRAIL_NEO4J_PASSWORD and
    HOPTRAIL_NEO4J_DATABASE; where one of them is not set, from NEO4J_USERNAME, NEO4J_PASSWORD and
    NEO4J_DATABASE, see `_login`. User and database are neo4j by default. HOPTRAIL_NEO4J_PREFIX is
    what the labels of the graph begin with.

    Args:
        where: a path, or a URI.
        variable: the environment variable that names it, where the user did not.

    Raises:
        BadRequest: a URI of a scheme no store serves, or one that carries a password; no path.
    """
    text = str(where)
    if "\0" in text:
        raise BadRequest("The name of the graph holds a NUL, which no path does.")
    if variable or "://" in text:
        return _served(text, variable)
    from ..kg.sqlite.store import SqliteStore

    return SqliteStore(Path(text))


def _served(text: str, variable: str) -> GraphStore:
    """The store on the server of a URI."""
    scheme, _, rest = text.partition("://")
    if scheme not in SERVER_SCHEMES:
        raise BadRequest(
            f"{variable} names no server that holds a graph, and nothing else names the graph; "
            f"--graph {DEFAULT_GRAPH} takes a file."
            if variable
            else f"No store for {scheme}://…; --graph takes a file or one of "
            f"{', '.join(SERVER_SCHEMES)}. The address of a service is for ask, search and show."
        )
    if ":" in rest.rpartition("@")[0]:
        raise BadRequest(
            "The URI carries a password, which process lists and logs would show. "
            f"Put it into HOPTRAIL_NEO4J_PASSWORD and leave it out of {variable or '--graph'}."
        )
    try:
        urlsplit(text).port  # noqa: B018 - reading it checks it
    except ValueError as error:
        raise BadRequest(
            f"{text} is no URI ({error}); it looks like neo4j://localhost:7687"
        ) from None
    from ..kg.neo4j.server import Variables
    from ..kg.neo4j.store import Neo4jStore

    login, variables = _login(text)
    if prefix := os.environ.get("HOPTRAIL_NEO4J_PREFIX"):
        login["prefix"] = prefix
    return Neo4jStore(text, **login, variables=Variables(graph=variable, **variables))


def _login(uri: str) -> tuple[dict[str, Any], dict[str, str]]:
    """User, password and database, and the environment variable that each comes from.

    The variables of other programs are for the server of NEO4J_URI, where that is set: another one
    is never sent their password. Nor are they for a user whom the URI itself names.
    """
    theirs = os.environ.get(AURA_URI)
    shared = "@" not in uri and (not theirs or _address(theirs) == _address(uri))
    login: dict[str, Any] = {"database": "neo4j"}
    variables: dict[str, str] = {}
    for setting, other in (
        ("user", "USERNAME"),
        ("password", "PASSWORD"),
        ("database", "DATABASE"),
    ):
        for name in (f"HOPTRAIL_NEO4J_{setting.upper()}", f"NEO4J_{other}"):
            if (name.startswith("HOPTRAIL") or shared) and (value := os.environ.get(name)):
                login[setting], variables[setting] = value, name
                break
    return login, variables


def _address(uri: str) -> tuple[str | None, int | None]:
    """Host and port of a URI, which may be of another program; none where it has none."""
    try:
        parts = urlsplit(uri)
        return parts.hostname, parts.port or 7687
    except ValueError:
        return None, None


def open_endpoint(offline: bool = False, max_age: float | None = None) -> "Endpoint":
    """Make the SPARQL endpoint that HOPTRAIL_SPARQL names, else Wikidata's; asks nothing yet.

    Its answers are kept in HOPTRAIL_CACHE, see `models.cache.default_folder`. HOPTRAIL_CONTACT
    says whom its keepers may write to.

    Args:
        offline: answer from what is kept alone; HOPTRAIL_OFFLINE says so, too.
        max_age: seconds; an older answer is asked for anew. None for the usual.

    Raises:
        BadRequest: the address is none.
    """
    from ..kg.wikidata.endpoint import MAX_AGE, WIKIDATA, Endpoint
    from ..models.cache import default_responses

    said = os.environ.get("HOPTRAIL_OFFLINE", "").lower()
    return Endpoint(
        os.environ.get("HOPTRAIL_SPARQL") or WIKIDATA,
        kept=default_responses("wikidata.db"),
        offline=offline or said not in ("", "0", "no", "false"),
        max_age=MAX_AGE if max_age is None else max_age,
        contact=os.environ.get("HOPTRAIL_CONTACT", ""),
    )
