"""SPARQL servers with the slice made for the tests: each kind once a session."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from support.java import CannotStart
from support.sparql_servers import SERVERS, running


@pytest.fixture(scope="session")
def sparql_servers(tmp_path_factory) -> Iterator[Callable[[str], str]]:
    """Starts the server of a kind on first use; gives its endpoint."""
    started: dict[str, str] = {}
    with ExitStack() as stack:

        def server(kind: str) -> str:
            if kind not in started:
                try:
                    home = tmp_path_factory.mktemp(kind)
                    started[kind] = stack.enter_context(running(kind, home))
                except CannotStart as error:
                    if os.environ.get("CI"):
                        pytest.fail(f"in CI the tests of {kind} have to run: {error}")
                    pytest.skip(str(error))
            return started[kind]

        yield server


@pytest.fixture(params=SERVERS)
def sparql(request, sparql_servers) -> str:
    """The endpoint of each kind of server in turn."""
    return sparql_servers(request.param)


@pytest.fixture
def oxigraph(sparql_servers) -> str:
    return sparql_servers("oxigraph")
