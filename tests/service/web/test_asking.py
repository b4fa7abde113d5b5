"""Questions over HTTP: answered, streamed, refused, cancelled."""

import threading
import time
from unittest.mock import Mock

import httpx
import pytest

from hoptrail.kg.errors import EmptyGraph, EncoderMismatch

from .conftest import QUESTION, events


def test_a_question_is_answered_with_its_chain_and_then_recorded(service):
    said = service.post("/v1/ask", json={"question": QUESTION}).json()
    assert (said["answer"], said["abstained"]) == ("Vaagur", False)
    ends = [(t["head_id"], t["tail_id"]) for t in said["chains"][0]["triples"]]
    assert ends == [("salt lantern", "runa eide"), ("runa eide", "vaagur")]
    assert {p["source"] for p in said["passages"]} <= {
        f"{t}.txt" for t in ("The Salt Lantern", "Runa Eide", "Vaagur", "Salt")
    }
    end = time.monotonic() + 10
    while (shown := service.get(f"/v1/answers/{said['id']}")).status_code == 404:
        assert time.monotonic() < end
        time.sleep(0.02)
    assert shown.json()["chains"][0]["triples"][0]["stated"][0]["sentence"].startswith("The Salt")


def test_steps_come_as_events_that_end_in_the_answer(service):
    with service.stream("POST", "/v1/ask/stream", json={"question": QUESTION}) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        assert response.headers["x-accel-buffering"] == "no"
        told = list(events(response))
    names = [name for name, _ in told]
    assert names[0] == "started"
    assert set(names[1:-1]) == {"step"}
    assert told[1][1]["kind"] == "retrieve"
    assert "Runa Eide" in {passage["title"] for passage in told[1][1]["passages"]}
    assert (names[-1], told[-1][1]["answer"]) == ("answer", "Vaagur")


def test_the_chains_under_way_come_as_data(service):
    with service.stream("POST", "/v1/ask/stream", json={"question": QUESTION}) as response:
        steps = [said for name, said in events(response) if name == "step"]
    first, *_, last = [step["beams"] for step in steps if step["kind"] == "choose"]
    assert {len(beam["triples"]) for beam in first} == {1}
    assert [beam["score"] for beam in last] == sorted((b["score"] for b in last), reverse=True)
    ends = [{(t["head_id"], t["tail_id"]) for t in beam["triples"]} for beam in last]
    assert ("runa eide", "vaagur") in ends[0]
    assert max(map(len, ends)) > 1
    for triple in last[0]["triples"]:
        assert service.get(f"/v1/passages/{triple['passage_ids'][0]}").status_code == 200
    assert not [step for step in steps if step["beams"] and step["kind"] != "choose"]


def test_what_goes_wrong_in_a_stream_is_its_last_event(service):
    asked = {"question": QUESTION, "method": "rag"}
    with service.stream("POST", "/v1/ask/stream", json=asked) as response:
        *_, (name, said) = events(response)
    assert (name, said["status"]) == ("error", 422)
    assert "language model" in said["detail"]


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"method": "ranker:file=/etc/passwd"}, "method"),
        ({"retriever": "ranker:file=/etc/passwd"}, "retriever"),
        ({"settings": {"file": "/etc/passwd"}}, "file"),
        ({"settings": {"beams": 300}}, "beams"),
        ({"settings": {"passages": 10**9}}, "passages"),
        ({"record": 0}, "record"),
        ({"question": ""}, "question"),
        ({"question": "x" * 5000}, "question"),
        ({"where": ["title=" + "a*" * 20]}, "where"),
        ({"where": ["no condition"]}, "where"),
        ({"timeout": 1e-9}, "timeout"),
        ({"unknown": 1}, "unknown"),
        ({"sources": ["documents", "web"]}, "sources"),
    ],
)
def test_what_clients_may_not_set_is_refused(service, more, what):
    for path in ("/v1/ask", "/v1/ask/stream"):
        refused = service.post(path, json={"question": QUESTION, **more})
        assert refused.status_code == 422
        assert refused.headers["content-type"] == "application/problem+json"
        assert what in refused.json()["detail"]


def test_one_condition_needs_no_list(service):
    asked = {"question": QUESTION, "where": "title=Salt", "record": False}
    answer = service.post("/v1/ask", json=asked).json()
    assert {one["title"] for one in answer["passages"]} <= {"Salt"}
    wrong = service.post("/v1/ask", json={**asked, "where": "Salt"}).json()["detail"]
    assert wrong.startswith("body.where.0: 'Salt' is no condition. Write a field")


def test_clients_are_told_no_commands(service, monkeypatch):
    def told():
        return service.post("/v1/ask", json={"question": QUESTION, "method": "rag"}).json()

    assert told()["detail"] == (
        "rag takes a language model, and this service has none. These methods do without: trace, "
        "semi_structured."
    )

    def refuse(error):
        monkeypatch.setattr(service.hop, "search", Mock(side_effect=error))
        return service.get("/v1/search", params={"q": "x"}).json()["detail"]

    assert "/v1/documents" in refuse(EmptyGraph("It is empty. Fill it: hoptrail ingest PATH"))
    assert refuse(EncoderMismatch("Another encoder.", "Use that one (--encoder).")) == (
        "Another encoder."
    )


def test_settings_within_bounds_are_taken(service):
    said = service.post(
        "/v1/ask", json={"question": QUESTION, "settings": {"beams": 1, "chains": 1}}
    )
    assert len(said.json()["chains"]) == 1
    direct = {"question": QUESTION, "method": "direct", "settings": {"beams": 1}}
    assert "no setting 'beams'" in service.post("/v1/ask", json=direct).json()["detail"]


@pytest.mark.parametrize(("timeout", "deadline"), [(60, 60), (3600, 120), (None, 120)])
def test_a_client_may_ask_for_less_time_not_for_more(service, timeout, deadline):
    asked = {"question": QUESTION, "timeout": timeout}
    with service.stream("POST", "/v1/ask/stream", json=asked) as response:
        (name, said), *_ = events(response)
    assert (name, said["deadline"]) == ("started", deadline)


def test_a_deadline_ends_a_question(waiting):
    started = time.monotonic()
    late = waiting.post("/v1/ask", json={"question": QUESTION, "method": "rag", "timeout": 0.3})
    assert (late.status_code, late.json()["type"]) == (504, "/problems/deadline-passed")
    assert time.monotonic() - started < 20
    assert waiting.free(5)


@pytest.mark.parametrize("path", ["/v1/ask", "/v1/ask/stream"])
def test_a_client_that_leaves_frees_its_thread(waiting, path):
    asked = {"question": QUESTION, "method": "rag"}
    with (
        pytest.raises(httpx.ReadTimeout),
        waiting.stream("POST", path, json=asked, timeout=0.5) as response,
    ):
        for _ in response.iter_lines():
            pass
    assert waiting.free(1.5)


def test_too_many_questions_are_refused_and_the_others_are_not(waiting):
    statuses = []

    def ask() -> None:
        asked = {"question": QUESTION, "method": "rag", "timeout": 2}
        statuses.append(waiting.post("/v1/ask", json=asked))

    threads = [threading.Thread(target=ask) for _ in range(7)]
    for thread in threads:
        thread.start()
        time.sleep(0.02)
    assert waiting.get("/health").status_code == 200
    assert waiting.get("/v1/search", params={"q": "Vaagur"}).status_code == 200
    for thread in threads:
        thread.join()
    refused = [one for one in statuses if one.status_code == 503]
    assert len(refused) == 3  # two are answered at a time, two wait
    assert {one.headers["retry-after"] for one in refused} == {"2"}
    assert {one.status_code for one in statuses} == {503, 504}
