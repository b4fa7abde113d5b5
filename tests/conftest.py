"""Every store in turn: SQLite in a temporary file, Neo4j on a real server that the tests start."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import settings
from support.fakes import WordEncoder
from support.gguf_model import write_model
from support.java import CannotStart
from support.neo4j_server import NotEmpty, ServerAddress, running_server, versions
from support.sparql_fixtures import oxigraph, sparql, sparql_servers  # noqa: F401

from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.kg.store import GraphStore

# What other programs are told about a server: no test may reach that.
for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE"):
    os.environ.pop(name, None)

settings.register_profile("unhurried", deadline=None)  # a busy machine is not a defect
settings.load_profile("unhurried")

STORES = [
    "sqlite",
    *(pytest.param(f"neo4j-{v}", marks=pytest.mark.neo4j) for v in versions()),
]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what would ask a further release for what tests of stores and statements ask all.

    The last one asks, as what names none runs beside the first.
    """
    others = versions()[:-1]
    again = [
        item
        for item in items
        if item.get_closest_marker("one_release") and any(one in item.nodeid for one in others)
    ]
    if again:
        config.hook.pytest_deselected(items=again)
        items[:] = [item for item in items if item not in set(again)]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """For `pytest -n 2`: tests on a server of one version stay in one process, as those of a file.

    A server holds one database, and starting another one costs more than it gains.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            named = [version for version in versions() if version in nodeid]
            if named or "neo4j" in nodeid:
                return (named or versions())[0]
            return nodeid.partition("::")[0]

    return Scheduling(config, log)


@pytest.fixture
def encoder() -> WordEncoder:
    return WordEncoder()


@pytest.fixture(scope="session")
def gguf_file(tmp_path_factory) -> Path:
    """A small random language model without a chat template."""
    text = "Which river crosses the town where the composer was born? Bergen lies in Norway."
    return write_model(tmp_path_factory.mktemp("gguf") / "random.gguf", text=text)


@pytest.fixture(scope="session")
def neo4j_servers(tmp_path_factory) -> Iterator[Callable[[str], ServerAddress]]:
    """Starts the server of a version on first use, stops all of them at the end."""
    started: dict[str, ServerAddress | CannotStart | NotEmpty] = {}
    with ExitStack() as stack:

        def server(version: str) -> ServerAddress:
            if version not in started:
                home = tmp_path_factory.mktemp(f"neo4j-{version}")
                try:
                    started[version] = stack.enter_context(running_server(version, home))
                except (CannotStart, NotEmpty) as error:
                    started[version] = error
            address = started[version]
            if isinstance(address, NotEmpty):
                pytest.fail(str(address), pytrace=False)
            if isinstance(address, CannotStart):
                if os.environ.get("CI"):
                    pytest.fail(f"in CI the Neo4j tests have to run: {address}")
                pytest.skip(str(address))
            return address

        yield server


@pytest.fixture(params=STORES)
def new_store(request, tmp_path: Path) -> Iterator[Callable[[], GraphStore]]:
    """Gives an empty store of each kind, not prepared.

    A Neo4j server has one database: what the store before held goes, so take its `records()` first.
    """
    with ExitStack() as stack:
        if request.param == "sqlite":
            names = (tmp_path / f"graph{number}.db" for number in range(1000))
            yield lambda: stack.enter_context(SqliteStore(next(names)))
        else:
            address = request.getfixturevalue("neo4j_servers")(request.param.removeprefix("neo4j-"))
            stack.callback(_empty, address)
            yield lambda: stack.enter_context(emptied(address))


@pytest.fixture
def store(new_store, encoder) -> GraphStore:
    """An empty graph, prepared for `encoder`, in each kind of store."""
    fresh = new_store()
    fresh.prepare(encoder.fingerprint)
    return fresh


def emptied(address: ServerAddress) -> GraphStore:
    """A store on this server, after everything there has gone."""
    from hoptrail.kg.neo4j.store import Neo4jStore

    _empty(address)
    return Neo4jStore(address.uri, address.user, address.password)


def _empty(address: ServerAddress) -> None:
    """Take away all nodes, and vector indexes of other dimensions than the tests' usual ones."""
    import neo4j

    usual = WordEncoder().fingerprint.dimension
    with neo4j.GraphDatabase.driver(address.uri, auth=(address.user, address.password)) as driver:
        driver.execute_query("MATCH (n) DETACH DELETE n")
        rows = driver.execute_query("SHOW VECTOR INDEXES YIELD name, options").records
        for name, options in rows:
            if options["indexConfig"].get("vector.dimensions") != usual:
                driver.execute_query(f"DROP INDEX `{name}`")
