"""An endpoint's answers, on real servers, and what is made of every fault that one can have."""

import email.utils
import json
import re
import socket
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from support.sparql_servers import refused_port

from hoptrail.kg.errors import BadRequest, EndpointUnavailable
from hoptrail.kg.wikidata.endpoint import Endpoint
from hoptrail.kg.wikidata.values import entity_id, ids, language_list, literals
from hoptrail.models.cache import Responses

NAMES = ["The Salt Lantern", "Ilse Maria Marn", "Björn Håkansson", 'I. "Ilka" Marn', "Nobody"]
EMPTY = {"head": {"vars": ["name", "item"]}, "results": {"bindings": []}}


@pytest.fixture
def kept(tmp_path):
    responses = Responses(tmp_path / "wikidata.db")
    yield responses
    responses.close()


def named(endpoint, names=("The Salt Lantern",)):
    return endpoint.ask_each("named", "names", names, literals)


class Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True


class Script(BaseHTTPRequestHandler):
    """Answers each query by the next of `server.replies`, the last of them again and again."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        [query] = urllib.parse.parse_qs(body)["query"]
        self.answer(query)

    def do_GET(self):
        self.answer(self.path)

    def answer(self, query):
        server = self.server
        with server.lock:
            server.asked.append((time.monotonic(), query, dict(self.headers)))
            server.busy += 1
            server.busiest = max(server.busiest, server.busy)
            reply = server.replies.pop(0) if len(server.replies) > 1 else server.replies[0]
        try:
            reply(self, query) if callable(reply) else self.send(200, reply)
        except (BrokenPipeError, ConnectionResetError):
            pass
        finally:
            with server.lock:
                server.busy -= 1

    def send(self, status, body, **headers):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content_Length": str(len(content)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args):
        pass


@pytest.fixture
def scripted():
    """Makes an endpoint that answers by a script."""
    server = Server(("127.0.0.1", 0), Script)
    server.asked, server.busy, server.busiest, server.lock = [], 0, 0, threading.Lock()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()

    def make(*replies, **settings):
        server.replies = list(replies)
        endpoint = Endpoint(f"http://127.0.0.1:{server.server_port}/sparql", **settings)
        endpoint.transport.pause = 0.05
        endpoint.server = server
        return endpoint

    yield make
    server.shutdown()
    server.server_close()
    thread.join()


def refuse(status, body=b"", **headers):
    return lambda script, query: script.send(status, body, **headers)


# -- real servers


def test_names_find_the_items_that_have_them(sparql):
    rows = named(Endpoint(sparql), NAMES).rows
    found = {(row["name"].text, row["item"].item) for row in rows}
    assert found == {
        ("The Salt Lantern", "Q9000001"),
        ("The Salt Lantern", "Q9000002"),
        ("Ilse Maria Marn", "Q9000003"),
        ('I. "Ilka" Marn', "Q9000003"),
        ("Björn Håkansson", "Q9000006"),
    }


def test_statements_come_with_their_types(sparql):
    answered = Endpoint(sparql).ask_each(
        "statements",
        "items",
        ["Q9000003"],
        lambda items: ids(items, "Q"),
        languages=language_list(),
    )
    by_property = {}
    for row in answered.rows:
        if (found := entity_id(row["property"].text)) is not None:
            by_property.setdefault(found, []).append(row)
    assert set(by_property) == {"P19", "P22", "P26", "P569"}
    [born] = by_property["P569"]
    assert born["value"].datatype.endswith("dateTime")
    assert [row["name"].text for row in by_property["P19"]] == ["Vaagur"]
    # Somebody unknown is a URI, and no item.
    assert {row["value"].item for row in by_property["P26"]} == {"Q9000004", None}


def test_no_name_breaks_out_of_a_query(sparql):
    nasty = ['" } ?s ?p ?o . { "', "\\", "a\nb", "'", "$names", "\ud800", "\0", "} #", "\u202e"]
    assert named(Endpoint(sparql), nasty).rows == []


@pytest.mark.parametrize("value", ["Q", "q42", "Q42>", "P31", "Q0", "Q42 wd:Q1", "", "Q٣"])
def test_what_is_no_id_enters_no_query(value):
    with pytest.raises(BadRequest, match="no Wikidata id"):
        ids([value], "Q")


def test_many_names_go_in_batches(sparql):
    endpoint = Endpoint(sparql, batch=3)
    assert len(named(endpoint, [*NAMES, *map(str, range(8))]).rows) == 5
    assert endpoint.asked == 5


def test_a_query_that_the_server_finds_wrong_says_so(oxigraph):
    with pytest.raises(EndpointUnavailable, match="refuses the query"):
        Endpoint(oxigraph).ask("named", names="no literal")


# -- kept answers


def test_an_answer_is_asked_for_once(oxigraph, kept):
    assert named(Endpoint(oxigraph, kept=kept), NAMES).rows
    again = Endpoint(oxigraph, kept=kept)
    assert len(named(again, reversed(NAMES)).rows) == 5
    assert again.asked == 0


def test_an_old_answer_is_asked_for_anew(oxigraph, kept):
    named(Endpoint(oxigraph, kept=kept))
    later = Endpoint(oxigraph, kept=kept, max_age=0.0)
    named(later)
    assert later.asked == 1


def test_offline_answers_from_what_is_kept_alone(oxigraph, kept):
    before = named(Endpoint(oxigraph, kept=kept))
    offline = Endpoint(oxigraph, kept=kept, offline=True, max_age=0.0)
    assert named(offline) == before
    with pytest.raises(EndpointUnavailable, match="HOPTRAIL_OFFLINE"):
        named(offline, ["Somebody else"])
    assert offline.asked == 0


def test_answers_of_another_endpoint_are_another_s(scripted, oxigraph, kept):
    named(Endpoint(oxigraph, kept=kept))
    other = scripted(EMPTY, kept=kept)
    assert named(other).rows == []


def test_a_failure_is_not_kept(scripted, kept):
    endpoint = scripted(refuse(400), EMPTY, kept=kept)
    with pytest.raises(EndpointUnavailable):
        named(endpoint)
    assert named(endpoint).rows == []


# -- manners


def test_it_says_who_asks(scripted):
    endpoint = scripted(EMPTY, contact="mailto:ada@example.org")
    named(endpoint)
    [(_, query, headers)] = endpoint.server.asked
    assert re.fullmatch(r"Hoptrail/\S+ \(mailto:ada@example.org\) \S+", headers["User-Agent"])
    assert "PREFIX rdfs:" in query


def test_at_most_five_queries_are_under_way(scripted):
    def slow(script, query):
        time.sleep(0.1)
        script.send(200, EMPTY)

    endpoint = scripted(slow, batch=1)
    named(endpoint, map(str, range(20)))
    assert endpoint.server.busiest == 5


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"Retry_After": "1"}, b""),
        ({"Retry_After": "date"}, b""),
        ({}, b"<html>Too Many Requests - Please retry in 1 seconds</html>"),
    ],
)
def test_who_is_told_to_wait_waits(scripted, headers, body):
    def busy(script, query):
        if headers.get("Retry_After") == "date":
            script.send(429, body, Retry_After=email.utils.formatdate(time.time() + 2))
        else:
            script.send(429, body, **headers)

    endpoint = scripted(busy, EMPTY)
    assert named(endpoint).rows == []
    (first, *_), (second, *_) = endpoint.server.asked
    assert second - first > 0.9


def test_all_threads_wait_when_one_is_told_to(scripted):
    endpoint = scripted(refuse(429, Retry_After="1"), EMPTY, batch=1)
    named(endpoint, ["a", "b"])
    first, *others = (when for when, *_ in endpoint.server.asked)
    assert sum(when - first > 0.9 for when in others) >= 1


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (refuse(429, Retry_After="3600"), "wait for 3600 s"),
        (refuse(403, b"<p>You have been banned until 2026-12-01"), "has banned this address"),
        (refuse(403), "HOPTRAIL_CONTACT"),
        (refuse(500, b"something else"), "HTTP 500: something else"),
        (refuse(503), "does not take queries now"),
        (refuse(307, Location="http://example.org/"), "redirects to 'http://example.org/'"),
        (refuse(302, Location="http://127.0.0.1:9/"), "redirects to 'http://127.0.0.1:9/'"),
        (refuse(200, b"<html>Welcome</html>"), "does not answer as a SPARQL endpoint"),
        (refuse(200, b""), "with 'nothing'"),
        (refuse(200, b"null"), "does not answer as"),
        ({"head": {}, "boolean": True}, "does not answer as"),
        ({"results": {"bindings": [{"item": 1}]}}, "does not answer as"),
        ({"results": {"bindings": ["item"]}}, "does not answer as"),
        ({"results": {"bindings": [{"item": {"type": "uri", "value": None}}]}}, "not answer as"),
        (refuse(200, b'{"results": {"bindings": ['), "breaks off"),
        (refuse(200, b"[" * 100_000), "does not answer as"),
        (refuse(200, b'{"results"', Content_Length="5000"), "breaks off"),
    ],
)
def test_a_fault_is_an_error_that_says_which(scripted, reply, says):
    with pytest.raises(EndpointUnavailable, match=re.escape(says)):
        named(scripted(reply))


def test_a_server_that_is_not_there_is_an_error():
    with pytest.raises(EndpointUnavailable, match=r"can't be reached.*HOPTRAIL_OFFLINE"):
        named(Endpoint(f"http://127.0.0.1:{refused_port()}/sparql"))


def drip(script, query):
    script.send_response(200)
    script.end_headers()
    for _ in range(100):
        script.wfile.write(b" ")
        time.sleep(0.1)


def drip_headers(script, query):
    for _ in range(100):
        script.wfile.write(b"HTTP/1.1 200 OK\r\n"[:1])
        time.sleep(0.1)


@pytest.mark.parametrize("slow", [drip, drip_headers, lambda *_: time.sleep(3)])
def test_a_server_that_hangs_or_drips_is_given_up(scripted, slow):
    endpoint = scripted(slow, timeout=0.5)
    with pytest.raises(EndpointUnavailable, match=r"within 0\.5 s"):
        named(endpoint)


def test_an_answer_that_does_not_end_is_given_up(scripted):
    endpoint = scripted(refuse(200, b" " * (3 << 20)))
    endpoint.transport.max_bytes = 1 << 20
    with pytest.raises(EndpointUnavailable, match="more than 1 MiB"):
        named(endpoint)


def test_a_connection_that_breaks_is_an_error(scripted):
    def cut(script, query):
        script.connection.shutdown(socket.SHUT_RDWR)

    with pytest.raises(EndpointUnavailable, match="can't be reached"):
        named(scripted(cut))


@pytest.mark.parametrize(
    "late",
    [
        refuse(500, b"SPARQL-QUERY: ... java.util.concurrent.TimeoutException at ..."),
        refuse(504),
        refuse(503, b"Query timed out"),
        refuse(200, b'{"results": {"bindings": [ java.util.concurrent.TimeoutException'),
        refuse(414),
    ],
)
def test_what_takes_too_long_is_halved_and_never_asked_again(scripted, late):
    def answer(script, query):
        one = len(re.findall(r'"[a-d]"@en', query)) == 1
        script.send(200, EMPTY) if one else late(script, query)

    endpoint = scripted(answer)
    assert named(endpoint, "abcd").rows == []
    queries = [query for _, query, _ in endpoint.server.asked]
    assert len(queries) == len(set(queries)) == 7


def test_what_is_too_much_for_one_value_is_an_error(scripted):
    with pytest.raises(EndpointUnavailable, match="out of time"):
        named(scripted(refuse(504)), "ab")


@pytest.mark.parametrize("url", ["ftp://example.org", "example.org", "http://u:secret@host/", ""])
def test_what_is_no_address_is_refused(url):
    with pytest.raises(BadRequest) as error:
        Endpoint(url)
    assert "secret" not in str(error.value)


def test_names_are_searched_by_the_api_where_there_is_one(scripted):
    endpoint = scripted({"search": [{"id": "Q9000001"}, {"id": "Q9000002"}]})
    endpoint.api = endpoint.url
    assert endpoint.search("Salt & Lantern", limit=2) == ["Q9000001", "Q9000002"]
    [(_, path, _)] = endpoint.server.asked
    assert "search=Salt+%26+Lantern" in path
    assert scripted(EMPTY).search("Salt") == []


def test_an_error_of_the_api_is_one(scripted):
    endpoint = scripted({"error": {"code": "maxlag"}})
    endpoint.api = endpoint.url
    with pytest.raises(EndpointUnavailable):
        endpoint.search("Salt")
