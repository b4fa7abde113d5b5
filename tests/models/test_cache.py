import json
import multiprocessing
import sqlite3
from dataclasses import dataclass, field

import numpy as np
import pytest

from hoptrail.kg.errors import BadRequest, ModelUnavailable
from hoptrail.models.cache import Cached, Responses
from hoptrail.models.language import (
    GREEDY,
    TEMPLATE,
    Completion,
    Decoding,
    OptionScores,
    OutputForm,
    Token,
)


@dataclass
class Parrot:
    """Says a prompt's last word, and counts how often it is asked."""

    fingerprint: str = "parrot-1"
    name: str = "parrot"
    context_length: int = 100
    finish: str = "stop"
    asked: list[str] = field(default_factory=list)

    def count_tokens(self, text):
        self.asked.append(text)
        return len(text.split())

    def generate(self, prompts, decoding=GREEDY):
        self.asked += prompts
        return [
            Completion(w, -1.5, self.finish, 3, 1, tokens=(Token(w, -1.5),))
            for w in (p.split()[-1] for p in prompts)
        ]

    def choose(self, prefix, tails, options):
        self.asked += [prefix + tail for tail in tails]
        logs = np.log(np.full((len(tails), len(options)), 1 / len(options)))
        return OptionScores(logs, frozenset({(len(tails) - 1, 0)}), 7)

    def close(self):
        pass


@pytest.fixture
def file(tmp_path):
    return tmp_path / "cache" / "responses.db"


def test_the_same_request_is_made_once_also_after_a_restart(file):
    first, again = Parrot(), Parrot()
    said = Cached(first, Responses(file)).generate(["say one", "say two", "say one"])
    assert [completion.text for completion in said] == ["one", "two", "one"]
    assert first.asked == ["say one", "say two"]
    assert Cached(again, Responses(file)).generate(["say two", "say three"])[0] == said[1]
    assert again.asked == ["say three"]


@pytest.mark.parametrize(
    "other",
    [
        {"form": OutputForm('root ::= "one"', "one")},
        {"stop": ("\n",)},
        {"max_tokens": 5},
        {"temperature": 0.7},
        {"seed": 1},
        {"adapter": "explore"},
    ],
)
def test_another_sampling_is_another_request(file, other):
    model = Parrot()
    cached = Cached(model, Responses(file))
    cached.generate(["say one"])
    cached.generate(["say one"], Decoding(**other))
    assert len(model.asked) == 2


def test_another_model_is_asked_afresh(file):
    Cached(Parrot(), Responses(file)).generate(["say one"])
    other = Parrot(fingerprint="parrot-2")
    Cached(other, Responses(file)).generate(["say one"])
    assert other.asked == ["say one"]


def test_choices_come_back_with_their_bounds(file):
    first, again = Parrot(), Parrot()
    asked = Cached(first, Responses(file)).choose("Q ", ["a", "b"], ["A", "B"])
    kept = Cached(again, Responses(file)).choose("Q ", ["b", "a"], ["A", "B"])
    assert again.asked == []
    assert asked.bounded == {(1, 0)}
    assert kept.bounded == {(0, 0)}
    assert kept.tokens_in == 7
    np.testing.assert_array_equal(kept.log_probabilities, asked.log_probabilities)


def test_an_invalid_response_is_asked_for_again(file):
    model = Parrot(finish="invalid")
    for _ in range(2):
        assert Cached(model, Responses(file)).generate(["say one"])[0].finish == "invalid"
    assert len(model.asked) == 2


def test_a_replay_needs_no_model_and_names_the_first_prompt_it_lacks(file):
    recorded = Cached(Parrot(), Responses(file))
    said = recorded.generate(["say one"])
    tokens = recorded.count_tokens("two words")
    gone = Parrot(fingerprint="unknown", context_length=0)
    replay = Cached(gone, Responses(file), replay=True)
    assert replay.generate(["say one"]) == said
    assert replay.count_tokens("two words") == tokens
    assert replay.context_length == 100
    gone.reserved_tokens = 7
    assert replay.reserved_tokens == TEMPLATE != 7  # recorded before it was measured
    with pytest.raises(ModelUnavailable, match=r"lacks the answer[^\n]*\nsay two"):
        replay.generate(["say one", "say two", "say three"])
    assert gone.asked == []


def test_a_replay_of_a_model_that_never_ran_says_so(file):
    with pytest.raises(ModelUnavailable, match="holds nothing that parrot said"):
        Cached(Parrot(), Responses(file), replay=True).generate(["say one"])


def test_what_was_not_used_for_longest_goes_when_the_cache_is_full(file):
    responses = Responses(file, size=10_000)
    responses.put("often", "x" * 400)
    for number in range(60):
        responses.put(f"once-{number}", "x" * 400)
        assert responses.get("often")
    assert responses.get("once-59")
    assert responses.get("once-0") is None
    assert sum(responses.get(f"once-{n}") is not None for n in range(60)) < 26


def _fill(file, start):
    responses = Responses(file)
    for number in range(start, start + 200):
        responses.put(str(number), {"n": number})
    responses.close()


def test_two_processes_write_at_once_and_nothing_is_lost(file):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_fill, args=(file, start)) for start in (0, 100)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(600)  # a busy machine takes a minute to start two interpreters
    assert [worker.exitcode for worker in workers] == [0, 0]
    responses = Responses(file)
    assert all(responses.get(str(number)) == {"n": number} for number in range(300))


def test_a_file_that_is_no_cache_is_an_error_that_helps(file):
    file.parent.mkdir()
    file.write_text("not a database, but long enough to look like one " * 100)
    with pytest.raises(BadRequest, match="HOPTRAIL_CACHE"):
        Cached(Parrot(), Responses(file)).generate(["say one"])


def test_prompts_with_half_a_surrogate_pair_are_requests_too(file):
    model = Parrot()
    Cached(model, Responses(file)).choose("\ud800 ", ["a"], ["A"])
    assert model.asked == ["\ud800 a"]


def test_the_file_is_plain_sqlite_with_json(file):
    Cached(Parrot(), Responses(file)).generate(["say ø"])
    with sqlite3.connect(file) as db:
        [value] = db.execute("SELECT value FROM response").fetchone()
    db.close()
    assert json.loads(value)["text"] == "ø"


def test_what_was_said_before_a_failure_is_kept(file):
    class Dies(Parrot):
        def generate(self, prompts, decoding):
            if "say five" in prompts:
                raise ModelUnavailable("gone")
            return super().generate(prompts, decoding)

    prompts = [f"say {number}" for number in ("one", "two", "three", "four", "five", "six")]
    with pytest.raises(ModelUnavailable):
        Cached(Dies(), Responses(file)).generate(prompts)
    again = Parrot()
    said = Cached(again, Responses(file)).generate(prompts)
    assert [completion.text for completion in said] == [p.split()[1] for p in prompts]
    assert again.asked == ["say five", "say six"]
