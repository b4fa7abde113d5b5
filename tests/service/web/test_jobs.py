"""The table of jobs, as the next process finds it."""

from hoptrail.service.web.jobs import Jobs


def test_what_ran_when_its_process_ended_waits_again_before_what_came_later(tmp_path):
    ended = Jobs(tmp_path)
    for id_ in ("first", "second"):
        ended.add(id_, f"{id_}.txt", "text", 3)
    ended.tell("first", "running", {"passages": 1})
    after = Jobs(tmp_path)
    after.resume()
    waiting = after.next()
    assert waiting is not None
    assert (waiting.id, waiting.state) == ("first", "queued")
