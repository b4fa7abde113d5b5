"""The process that ingests: it may die, and nothing else does."""

import json
import multiprocessing
import time

from .test_uploads import upload

ROWS = 100


def ingesting():
    """The processes that ingest now."""
    return [one for one in multiprocessing.active_children() if one.name == "ingesting"]


def rows(name):
    made = ({"title": f"{name} {n}", "text": f"{name} {n} lies in Oslo. " * 3} for n in range(ROWS))
    return "\n".join(map(json.dumps, made)).encode()


def killed_in(service, location):
    """Kill the process once it is at work on what was sent; the service reaps it, not the test."""
    end = time.monotonic() + 300
    while service.get(location).json()["state"] != "running":
        assert time.monotonic() < end
        time.sleep(0.02)
    [process] = ingesting()
    process.kill()
    return process.pid


def test_a_job_whose_process_was_killed_is_done_by_another(service):
    location = upload(service, "piers.jsonl", rows("Pier")).headers["location"]
    killed_in(service, location)
    assert service.get("/v1/search", params={"q": "salt"}).status_code == 200
    job = service.done(location)
    assert job["state"] == "done"
    assert job["report"]["documents"] + job["report"]["unchanged"] == ROWS


def test_a_job_that_kills_its_process_twice_is_given_up(service):
    location = upload(service, "quays.jsonl", rows("Quay")).headers["location"]
    wait_for_another(than=killed_in(service, location)).kill()
    job = service.done(location)
    assert (job["state"], job["problem"]["type"]) == ("failed", "/problems/too-much")
    assert "SIGKILL" in job["problem"]["detail"]
    sent = upload(service, "after.txt", b"After it the next one is read.")
    assert service.done(sent.headers["location"])["state"] == "done"
    assert not service.kept()


def wait_for_another(than):
    end = time.monotonic() + 300
    while not (found := [one for one in ingesting() if one.pid != than]):
        assert time.monotonic() < end
        time.sleep(0.02)
    [other] = found
    return other
