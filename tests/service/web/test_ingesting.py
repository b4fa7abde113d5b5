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
    """Kill the process once it is at work on what was sent."""
    end = time.monotonic() + 300
    while service.get(location).json()["state"] != "running":
        assert time.monotonic() < end
        time.sleep(0.02)
    [process] = ingesting()
    process.kill()
    process.join()


def test_a_job_whose_process_was_killed_is_done_by_another(service):
    location = upload(service, "piers.jsonl", rows("Pier")).headers["location"]
    killed_in(service, location)
    assert service.get("/v1/search", params={"q": "salt"}).status_code == 200
    job = service.done(location)
    assert job["state"] == "done"
    assert job["report"]["documents"] + job["report"]["unchanged"] == ROWS


def test_a_job_that_kills_its_process_twice_is_given_up(service):
    location = upload(service, "quays.jsonl", rows("Quay")).headers["location"]
    killed_in(service, location)
    [other] = wait_for_another()
    other.kill()
    job = service.done(location)
    assert (job["state"], job["problem"]["type"]) == ("failed", "/problems/too-much")
    assert "SIGKILL" in job["problem"]["detail"]
    sent = upload(service, "after.txt", b"After it the next one is read.")
    assert service.done(sent.headers["location"])["state"] == "done"
    assert not service.kept()


def wait_for_another():
    end = time.monotonic() + 300
    while not (found := ingesting()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return found
