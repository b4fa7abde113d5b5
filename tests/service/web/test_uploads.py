"""Documents over HTTP: sent, ingested by jobs, cancelled, removed."""

import errno
import io
import json
import sqlite3
from pathlib import Path

import pytest

from hoptrail.service.web import ingesting
from hoptrail.service.web.jobs import keeping
from hoptrail.service.web.problems import Refused

from .conftest import QUESTION, events, served


def upload(service, name, content):
    return service.post("/v1/documents", files={"file": (name, content)})


def titles(service):
    page = service.get("/v1/documents", params={"limit": 200}).json()
    return {one["title"]: one for one in page["documents"]}


def test_a_file_is_ingested_and_removed_again(service):
    sent = upload(service, "Lighthouse.txt", b"Marit Lund keeps the lighthouse of Kolka.")
    assert sent.status_code == 202
    job = service.done(sent.headers["location"])
    assert (job["state"], job["report"]["documents"]) == ("done", 1)
    document = titles(service)["Lighthouse"]
    assert document["source"] == "upload:Lighthouse.txt"
    hit = service.get("/v1/search", params={"q": "lighthouse of Kolka"}).json()["passages"][0]
    assert hit["title"] == "Lighthouse"
    assert service.delete(f"/v1/documents/{document['id']}").status_code == 204
    assert service.delete(f"/v1/documents/{document['id']}").status_code == 404
    assert "Lighthouse" not in titles(service)


def test_the_same_name_again_replaces_the_document(service):
    for text in (b"The ferry goes at ten.", b"The ferry goes at noon."):
        service.done(upload(service, "Ferry.md", text).headers["location"])
    document = titles(service)["Ferry"]
    [passage] = service.get(f"/v1/documents/{document['id']}").json()["passages"]
    assert "noon" in passage["text"]


def test_a_text_is_ingested_with_its_metadata(service):
    sent = {"title": "Harbour", "text": "The harbour is deep.", "metadata": {"year": 1931}}
    job = service.done(service.post("/v1/documents", json=sent).headers["location"])
    assert job["state"] == "done"
    assert titles(service)["Harbour"]["metadata"] == {"year": 1931}
    found = service.get("/v1/search", params={"q": "harbour", "where": "year=1931"}).json()
    assert [one["title"] for one in found["passages"]] == ["Harbour"]


def test_a_job_tells_of_itself_until_it_ends(service):
    sent = upload(service, "Pier.txt", b"The pier is long.")
    with service.stream("GET", sent.headers["location"] + "/events") as response:
        told = list(events(response))
    assert told[-1][0] == "done"
    assert told[-1][1]["state"] == "done"
    assert service.get("/v1/jobs").json()["jobs"][0]["source"] == "upload:Pier.txt"


def test_what_can_not_be_read_fails_with_the_reason(service):
    job = service.done(upload(service, "broken.pdf", b"%PDF-1.4 no").headers["location"])
    assert job["state"] == "failed"
    assert job["problem"]["detail"]
    assert not service.kept()


def test_a_job_is_cancelled_while_it_waits(service):
    first, waiting = (
        upload(service, f"{name}.jsonl", "\n".join(rows(name, 60)).encode()).headers["location"]
        for name in ("Early", "Late")
    )
    assert service.delete(waiting).status_code == 202
    assert service.get(waiting).json()["state"] == "cancelled"
    assert service.done(first)["state"] == "done"
    assert not any(title.startswith("Late") for title in titles(service))


def rows(name, count):
    for n in range(count):
        yield json.dumps({"title": f"{name} {n}", "text": f"Text {n} of Oslo. " * 30})


def test_a_job_is_cancelled(service):
    sent = upload(service, "many.jsonl", "\n".join(rows("T", 600)).encode())
    location = sent.headers["location"]
    assert service.delete(location).status_code == 202
    assert service.done(location)["state"] == "cancelled"
    assert service.delete("/v1/jobs/nothing").status_code == 404


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("../../etc/cron.d/x.txt", 202),
        ("..\\..\\x.txt", 202),
        ("x.exe", 415),
        ("..", 422),
        (".txt", 202),
        ("a\u202e.txt", 422),
        ("c:x.txt", 422),
        ("x" * 300 + ".txt", 422),
    ],
)
def test_a_name_is_its_last_part_alone(service, name, status):
    sent = upload(service, name, b"One two three.")
    assert sent.status_code == status
    if status == 202:
        assert "/" not in sent.json()["source"]
        service.done(sent.headers["location"])


def test_other_bodies_are_refused(service):
    assert service.post("/v1/documents", content=b"x").status_code == 415
    form = {"content-type": "multipart/form-data; boundary=x"}
    assert service.post("/v1/documents", content=b"no form", headers=form).status_code == 400
    two = [("file", ("a.txt", b"a")), ("file", ("b.txt", b"b"))]
    assert service.post("/v1/documents", files=two).status_code == 422
    for text in ({"title": "A"}, {"title": "A", "text": "b", "metadata": {"a": [1]}}):
        assert service.post("/v1/documents", json=text).status_code == 422
    as_json = {"content-type": "application/json"}
    for value in ("NaN", "-Infinity", "1e999"):
        text = f'{{"title": "A", "text": "b", "metadata": {{"a": {value}}}}}'
        refused = service.post("/v1/documents", content=text, headers=as_json)
        assert (refused.status_code, refused.json()["detail"][:10]) == (422, "metadata.a")
    assert upload(service, "long.txt", b"x" * (2 << 20)).status_code == 413


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS])
def test_a_disk_that_can_not_be_written_is_told_and_keeps_nothing(service, monkeypatch, code):
    class Full(io.FileIO):
        def write(self, data):
            raise OSError(code, "It can't be written")

    inbox = service.app.state.jobs.folder / "inbox"
    before, opened, made = {*inbox.iterdir()} if inbox.exists() else set(), Path.open, []

    def full(path, *arguments, **named):
        if path.name != "sent":
            return opened(path, *arguments, **named)
        made.append(Full(path, "wb"))
        return made[-1]

    monkeypatch.setattr(Path, "open", full)
    refused = upload(service, "Buoy.txt", b"The buoy is red.")
    told = (507, "/problems/disk-full") if code != errno.EROFS else (503, "/problems/not-kept")
    assert (refused.status_code, refused.json()["type"]) == told
    assert refused.headers["content-type"] == "application/problem+json"
    assert "defect" not in refused.text
    assert str(service.app.state.jobs.folder) not in refused.text
    assert [one.closed for one in made] == [True]
    assert {*inbox.iterdir()} <= before
    monkeypatch.undo()
    assert service.done(upload(service, "Buoy.txt", b"It is red.").headers["location"])


def test_a_full_table_of_jobs_is_a_full_disk(tmp_path):
    table = sqlite3.connect(tmp_path / "jobs.db")
    table.execute("PRAGMA max_page_count = 1")
    with pytest.raises(Refused, match="The disk is full") as refused, keeping(tmp_path):
        table.execute("CREATE TABLE a (b)")
    assert refused.value.status == 507
    table.close()


def test_questions_are_answered_where_documents_can_not_be_kept(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(ingesting, "UNKEPT", 0.2)
    place = tmp_path / "jobs"
    place.write_text("no folder")
    with served(tmp_path) as service:
        assert service.post("/v1/ask", json={"question": QUESTION}).json()["answer"] == "Vaagur"
        text = {"title": "Buoy", "text": "The buoy is red."}
        for refused in (
            upload(service, "Buoy.txt", b"The buoy is red."),
            service.post("/v1/documents", json=text),
            service.get("/v1/jobs"),
        ):
            assert (refused.status_code, refused.json()["type"]) == (503, "/problems/not-kept")
            assert "Questions are answered" in refused.json()["detail"]
        assert f"documents can't be sent, {place} can't be written" in caplog.text
        place.unlink()
        sent = upload(service, "Buoy.txt", b"The buoy is red.")
        assert service.done(sent.headers["location"])["state"] == "done"


def test_a_file_may_come_encoded_and_beside_other_fields(service):
    lines = (
        b"--x",
        b'Content-Disposition: form-data; name="note"',
        b"",
        b"no file",
        b"--x",
        b'Content-Disposition: form-data; name="file"; filename="Dock.txt"',
        b"Content-Transfer-Encoding: base64",
        b"",
        b"VGhlIGRvY2sgaXMgZHJ5Lg==",
        b"--x--",
        b"",
    )
    form = {"content-type": "multipart/form-data; boundary=x"}
    sent = service.post("/v1/documents", content=b"\r\n".join(lines), headers=form)
    service.done(sent.headers["location"])
    [document] = service.get("/v1/documents", params={"where": "title=Dock"}).json()["documents"]
    [passage] = service.get(f"/v1/documents/{document['id']}").json()["passages"]
    assert passage["text"] == "The dock is dry."
