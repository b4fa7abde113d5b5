"""Encrypted connections: each way in which they fail is named with what to do about it."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from support.java import CannotStart
from support.neo4j_server import GIVEN, LocalServer, versions

from hoptrail.kg.errors import StoreUnavailable
from hoptrail.kg.neo4j.store import Neo4jStore
from hoptrail.kg.neo4j.tls import tls_failure

# Each a key and a self-signed certificate until 2126; expired.pem until 2020.
CERTIFICATES = Path(__file__).parents[2] / "support" / "tls"
SECURE = ["bolt+s", "neo4j+s"]
TRUSTING = ["bolt+ssc", "neo4j+ssc"]


def tls(connection: socket.socket, certificate: str) -> None:
    """Shake hands and hang up: no Bolt is spoken."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATES / f"{certificate}.pem")
    with context.wrap_socket(connection, server_side=True) as wrapped:
        wrapped.recv(1)


def hanging_up(connection: socket.socket, _: str) -> None:
    connection.recv(100)


def http(connection: socket.socket, _: str) -> None:
    connection.recv(100)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


@pytest.fixture
def serving() -> Iterator:
    """Starts a server that answers so, and gives its port."""
    with ExitStack() as stack:

        def serve(answer, certificate: str = "localhost") -> int:
            listening = stack.enter_context(socket.create_server(("127.0.0.1", 0)))

            def one(connection: socket.socket) -> None:
                with connection, suppress(OSError):
                    answer(connection, certificate)

            def accept() -> None:
                with suppress(OSError):
                    while True:
                        connection, _ = listening.accept()
                        threading.Thread(target=one, args=(connection,), daemon=True).start()

            threading.Thread(target=accept, daemon=True).start()
            return listening.getsockname()[1]

        yield serve


def said(uri: str) -> str:
    """What a user is told whose graph is there."""
    with Neo4jStore(uri, password="x") as store, pytest.raises(StoreUnavailable) as caught:
        store.info()
    message = str(caught.value)
    assert message.startswith(uri)
    assert "\n" not in message
    return message


@pytest.mark.parametrize("scheme", SECURE)
def test_a_self_signed_certificate(serving, scheme):
    message = said(f"{scheme}://localhost:{serving(tls)}")
    assert "self-signed certificate that is not trusted here" in message
    assert f"{scheme}sc:// instead of {scheme}:// trusts any certificate" in message
    assert "SSL_CERT_FILE" in message


@pytest.mark.parametrize("scheme", SECURE)
@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_certificate_of_another_host(serving, monkeypatch, scheme, host):
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "elsewhere.pem"))
    message = said(f"{scheme}://{host}:{serving(tls, 'elsewhere')}")
    assert f"a certificate of another host name than '{host}'" in message
    assert f"{scheme}sc://" in message


@pytest.mark.parametrize("scheme", SECURE)
def test_a_certificate_that_has_expired(serving, monkeypatch, scheme):
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "expired.pem"))
    assert "has expired; renew it" in said(f"{scheme}://localhost:{serving(tls, 'expired')}")


@pytest.mark.parametrize("scheme", SECURE + TRUSTING)
@pytest.mark.parametrize("answer", [hanging_up, http])
def test_a_server_that_speaks_no_tls(serving, scheme, answer):
    message = said(f"{scheme}://localhost:{serving(answer)}")
    plain = scheme.partition("+")[0]
    assert "does not speak TLS" in message
    assert f"take {plain}:// instead of {scheme}://" in message
    assert "sc:// instead" not in message


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_a_server_that_speaks_nothing_but_tls(serving, scheme):
    message = said(f"{scheme}://localhost:{serving(tls)}")
    assert f"encrypted connections only; take {scheme}+s:// instead of {scheme}://" in message


@pytest.mark.parametrize("scheme", ["bolt", "neo4j"])
def test_a_plain_address_of_no_neo4j_is_no_matter_of_tls(serving, scheme):
    assert "can't be reached" in said(f"{scheme}://localhost:{serving(hanging_up)}")


@pytest.mark.parametrize("scheme", ["bolt", *SECURE, *TRUSTING])
def test_a_server_that_is_not_there_is_no_matter_of_tls(scheme):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        message = said(f"{scheme}://127.0.0.1:{free.getsockname()[1]}")
    assert "check that Neo4j runs there" in message


def test_encryption_that_works_is_not_blamed(serving, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "localhost.pem"))
    for scheme in SECURE + TRUSTING:
        assert "can't be reached" in said(f"{scheme}://localhost:{serving(tls)}")


def test_the_cause_is_found_where_the_driver_leaves_it_out(serving):
    """As those before 6 do when they route."""
    uri = f"neo4j+s://localhost:{serving(tls)}"
    assert "self-signed" in (tls_failure(uri, Exception("Unable to retrieve routing")) or "")


@pytest.fixture(scope="module")
def encrypted(tmp_path_factory) -> Iterator[LocalServer]:
    """A server that speaks Bolt both encrypted, with localhost.pem, and plain."""
    if versions()[0] == GIVEN:
        pytest.skip("a server that was given has the settings it has")
    home = tmp_path_factory.mktemp("neo4j-tls")
    key, begin, certificate = (CERTIFICATES / "localhost.pem").read_text().partition("-----BEGIN C")
    (home / "private.key").write_text(key)
    (home / "public.crt").write_text(begin + certificate)
    try:
        server = LocalServer(versions()[0], home)
    except CannotStart as error:
        pytest.skip(str(error))
    with ExitStack() as stack:
        stack.callback(server.stop)
        server.start(
            server__bolt__tls_level="OPTIONAL",
            dbms__ssl__policy__bolt__enabled="true",
            dbms__ssl__policy__bolt__base_directory=str(home),
            dbms__ssl__policy__bolt__client_auth="NONE",
        )
        yield server


def at(server: LocalServer, scheme: str) -> str:
    return f"{scheme}://localhost:{server.address.uri.rpartition(':')[2]}"


@pytest.mark.neo4j
@pytest.mark.parametrize("scheme", SECURE)
def test_what_the_message_says_to_do_works_on_a_neo4j(encrypted, monkeypatch, scheme):
    uri, password = at(encrypted, scheme), encrypted.address.password
    assert "self-signed certificate that is not trusted here" in said(uri)
    with Neo4jStore(f"{scheme}sc{uri.removeprefix(scheme)}", password=password) as store:
        assert store.info() is None
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "localhost.pem"))
    with Neo4jStore(uri, password=password) as store:
        assert store.info() is None


@pytest.mark.neo4j
@pytest.mark.parametrize("scheme", SECURE + TRUSTING)
def test_a_neo4j_without_a_certificate(neo4j_servers, scheme):
    address = neo4j_servers(versions()[0])
    if address.version == GIVEN:
        pytest.skip("a server that was given may have one")
    message = said(f"{scheme}://{address.uri.partition('://')[2]}")
    assert "does not speak TLS" in message


@pytest.mark.neo4j
@pytest.mark.filterwarnings("ignore:ssl.PROTOCOL_TLS is deprecated:DeprecationWarning")
def test_py2neo_speaks_tls_as_the_page_says(encrypted, monkeypatch):
    from py2neo import Graph

    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "localhost.pem"))
    for scheme in SECURE + TRUSTING:
        graph = Graph(at(encrypted, scheme), auth=("neo4j", encrypted.address.password))
        try:
            assert graph.evaluate("RETURN 1") == 1
        finally:
            graph.service.connector.close()
