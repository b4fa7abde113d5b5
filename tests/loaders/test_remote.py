"""Sources by URL, on a real server of the test's own, and files that gzip has packed."""

import gzip
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from support.archives import sheets

from hoptrail.kg.types import Failure
from hoptrail.loaders import Meter, Options, documents, remote, walk

PAGE = b"<title>Ulm</title><p>Ulm lies on the Danube."
GIVEN = {
    "/page": ("text/html; charset=utf-8", PAGE),
    "/a.csv": ("text/plain", b"city,staff\nGraz,12\n"),
    "/book": (
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        sheets(A=[("City", "Staff"), ("Graz", 12)]),
    ),
    "/towers.rst": (
        "text/prs.fallenstein.rst",
        b"Towers\n======\n\nOne is of 1911.\n",
    ),
    "/picture.png": ("image/png", b"x"),
    "/large": ("text/plain", b"x" * 3000),
}


class Server(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path.startswith("/again"):
            self.send_response(302)
            self.send_header("Location", "/page" if self.path == "/again" else self.path + "+")
            self.end_headers()
            return
        kind, body = GIVEN.get(self.path, ("", b""))
        self.send_response(200 if kind else 404)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as serving:
        thread = threading.Thread(target=serving.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()
        thread.join()


def test_the_content_type_says_what_it_is(server):
    page, row, book = documents([f"{server}/page#part", f"{server}/a.csv", f"{server}/book"])
    assert (page.title, page.text, page.source) == (
        "Ulm",
        "Ulm lies on the Danube.",
        f"{server}/page",
    )
    assert (row.text, row.source) == ("city: Graz; staff: 12", f"{server}/a.csv")
    assert (book.text, book.title) == ("A\n\nCity: Graz; Staff: 12", "book")
    [towers] = documents([f"{server}/towers.rst"])
    assert (towers.title, towers.text.splitlines()[-1]) == (
        "Towers",
        "One is of 1911.",
    )
    [again] = documents([f"{server}/again"])
    assert again.text == page.text
    [same] = documents([f"{server}/page"])
    assert same.id == page.id


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/none", "the server answers 404"),
        ("/picture.png", "is image/png, which no loader reads"),
        ("/again+", "leads on more than 5 times"),
        ("/large", "larger than 0 MB"),
    ],
)
def test_what_cannot_be_fetched_says_why(server, path, reason, monkeypatch):
    monkeypatch.setattr(remote, "MAX_BYTES", 2000)
    [failure] = documents([server + path])
    assert isinstance(failure, Failure)
    assert failure.source == server + path
    assert reason in failure.reason


def test_no_server_is_a_failure_with_its_reason():
    [failure] = documents(["http://127.0.0.1:1/page"])
    assert "can't be fetched" in failure.reason


def test_a_packed_file_is_as_the_file(tmp_path):
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(b"city,staff\nGraz,12\n"))
    (tmp_path / "b.html.gz").write_bytes(gzip.compress(PAGE))
    row, page = documents([tmp_path])
    assert (row.text, row.source) == ("city: Graz; staff: 12", str(path))
    assert (page.title, page.source) == ("Ulm", str(tmp_path / "b.html.gz"))
    [same] = documents([tmp_path / "b.html.gz"])
    assert same == page


def test_what_is_packed_wrongly_or_too_much_says_so(tmp_path, monkeypatch):
    whole = gzip.compress(b"x" * 5000)
    for name, data in {"a": b"no gzip", "b": whole[:-9], "c": whole}.items():
        (tmp_path / f"{name}.txt.gz").write_bytes(data)
    monkeypatch.setattr(walk, "MAX_UNPACKED", 4000)
    reasons = [failure.reason for failure in documents([tmp_path])]
    assert ["damaged" in reasons[0], "damaged" in reasons[1], "refused" in reasons[2]] == [True] * 3


def test_what_a_folder_passes_over_is_counted(tmp_path):
    for name in ("a.txt", "b.PNG", "c.png", "Makefile", ".hidden"):
        (tmp_path / name).write_text("Text.")
    meter = Meter()
    assert len(list(documents([tmp_path], meter=meter))) == 1
    assert meter.passed_over == {".png": 2, "": 1}


def test_a_pattern_has_settings_of_its_own(tmp_path):
    (tmp_path / "films.csv").write_text("film,plot\nAlma,A storm.\n")
    (tmp_path / "cities.csv").write_text("nr,city\n1,Graz\n")
    from hoptrail.loaders.options import for_files

    files = tuple(map(for_files, ["film*.csv:text=plot:title=film", "*.csv:title=city"]))
    city, film = documents([tmp_path], Options(files=files))
    assert (film.title, film.text) == ("Alma", "A storm.")
    assert (city.title, city.text) == ("Graz (cities)", "nr: 1; city: Graz")


def test_the_password_of_a_url_is_kept_nowhere(server):
    secret = server.replace("://", "://ann:s3cret@")
    page, failure = documents([f"{secret}/page", f"{secret}/none"])
    assert (page.source, failure.source) == (f"{server}/page", f"{server}/none")
    assert "s3cret" not in f"{page} {failure}"
