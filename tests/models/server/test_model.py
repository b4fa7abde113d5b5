import email.utils
import math
import threading
import time

import numpy as np
import pytest
from support.scripted_server import KEY, refuse, said

from hoptrail.kg.errors import BadRequest, ModelUnavailable
from hoptrail.models.language import Decoding, OutputForm
from hoptrail.models.server.model import OpenAIServer


def test_completions_come_in_the_order_of_their_prompts(server, model):
    server.replies = [
        lambda handler, body: handler.send(200, said(body["messages"][0]["content"].upper()))
    ] * 20
    prompts = [f"prompt {number}" for number in range(20)]
    assert [c.text for c in model.generate(prompts)] == [prompt.upper() for prompt in prompts]


def test_a_completion_counts_its_tokens(server, model):
    server.replies = [said("half a", finish="length")]
    [completion] = model.generate(["say"], Decoding(max_tokens=2, stop=("\n",), seed=3))
    assert (completion.tokens_in, completion.tokens_out, completion.finish) == (7, 2, "length")
    assert completion.log_probability == pytest.approx(-0.1)
    assert server.asked[0]["max_tokens"] == 2
    assert server.asked[0]["stop"] == ["\n"]
    assert server.asked[0]["seed"] == 3


def test_the_tokens_of_a_completion_spell_it(server, model):
    logs = [("<think>hm</think>", -9.0), ("Björ", -0.1), ("k", -0.3), (" Lund\n", -0.2), ("x", -7)]
    reply = said("Björk Lund\nx")
    reply["choices"][0]["logprobs"]["content"] = [
        {"token": token, "logprob": log, "bytes": list(token.encode())} for token, log in logs
    ]
    reply["choices"][0]["logprobs"]["content"][1:2] = [  # a character in two tokens
        {"token": "\ufffd", "logprob": log, "bytes": part}
        for log, part in ((-0.1, [66, 106, 195]), (-0.5, [182, 114]))
    ]
    server.replies = [reply]
    [completion] = model.generate(["say"], Decoding(stop=("\n",)))
    spelt = [("Bj", -0.1), ("ör", -0.5), ("k", -0.3), (" Lund", -0.2)]
    assert completion.tokens == tuple(spelt)
    assert completion.confidence() == pytest.approx(math.exp(-1.1 / 4))
    assert completion.confidence("Lund") == pytest.approx(math.exp(-0.2))


@pytest.mark.parametrize("logs", [None, {"content": [{"token": "other", "logprob": -0.1}]}])
def test_a_server_that_tells_no_tokens_of_the_text_gives_no_confidence(server, model, logs):
    server.replies = [said("yes")]
    server.replies[0]["choices"][0]["logprobs"] = logs
    [completion] = model.generate(["say"])
    assert (completion.text, completion.tokens, completion.confidence()) == ("yes", (), None)


@pytest.mark.parametrize("status", [400, 403])
def test_a_server_that_refuses_log_probabilities_answers_without(server, model, status):
    reply = said("yes")
    del reply["choices"][0]["logprobs"]
    server.replies = [refuse(status, "logprobs are not supported with this model"), reply, reply]
    for _ in range(2):
        [completion] = model.generate(["say"])
        assert (completion.text, completion.log_probability) == ("yes", None)
    assert [body.get("logprobs") for body in server.asked] == [True, None, None]


def test_requests_in_flight_are_limited(server, open_model):
    def slow(handler, body):
        time.sleep(0.05)
        handler.send(200, said("yes"))

    server.replies = [slow] * 12
    open_model(in_flight=3).generate(["say"] * 12)
    assert server.busiest == 3


def test_more_than_a_hundred_may_be_in_flight(server):
    """As when many questions are asked at once: none gets an answer before all are there."""
    every = threading.Barrier(101, timeout=60)

    def when_all_are_there(handler, body):
        every.wait()
        handler.send(200, said("yes"))

    server.replies = [when_all_are_there] * 101
    url = f"http://127.0.0.1:{server.server_port}/v1"
    model = OpenAIServer(url, "m", in_flight=101)
    assert len(model.generate(["say"] * 101)) == 101
    model.close()


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_busy_server_is_asked_again(server, model, status):
    server.replies = [refuse(status), refuse(status)]
    assert model.generate(["say"])[0].text == "yes"
    assert len(server.asked) == 3


@pytest.mark.parametrize("as_date", [False, True])
def test_retry_after_is_waited_for(server, model, as_date):
    wait = email.utils.formatdate(time.time() + 2, usegmt=True) if as_date else "0.6"
    server.replies = [refuse(429, Retry_After=wait)]
    started = time.monotonic()
    assert model.generate(["say"])[0].text == "yes"
    assert time.monotonic() - started > 0.5


def test_a_server_that_asks_to_wait_for_an_hour_is_given_up(server, model):
    server.replies = [refuse(429, "quota", Retry_After="3600")]
    with pytest.raises(ModelUnavailable, match="429: quota"):
        model.generate(["say"])
    assert len(server.asked) == 1


@pytest.mark.parametrize("wait", ["nan", "soon", "-5", "Mon, 01 Jan 0001 00:00:00 -0000"])
def test_a_wait_that_is_no_time_is_not_waited_for(server, model, wait):
    server.replies = [refuse(429, Retry_After=wait)]
    assert model.generate(["say"])[0].text == "yes"


def test_a_server_that_stays_busy_is_an_error_that_says_so(server, model):
    server.replies = [refuse(503, "loading model")] * 9
    with pytest.raises(ModelUnavailable, match=r"503: loading model.*Check that the server runs"):
        model.generate(["say"])


def cut(handler, body):
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices": [')
    handler.close_connection = True


def dripping(handler, body):
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    for _ in range(30):  # each piece in time, the whole not
        try:
            handler.wfile.write(b" ")
        except OSError:
            return
        time.sleep(0.1)


@pytest.mark.parametrize(
    "fault",
    [
        cut,
        dripping,
        lambda handler, body: handler.send(200, b"<html>proxy</html>"),
        lambda handler, body: handler.send(200, b""),
        lambda handler, body: handler.send(200, [1, 2]),
    ],
    ids=["cut", "slow", "html", "empty", "list"],
)
def test_a_broken_reply_is_asked_for_again(server, model, fault):
    server.replies = [fault]
    assert model.generate(["say"])[0].text == "yes"
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    "reply", [{}, {"choices": []}, {"choices": [{"text": "old"}]}, {"choices": [{"message": 3}]}]
)
def test_json_of_another_kind_is_an_error_that_names_the_api(server, model, reply):
    server.replies = [reply]
    with pytest.raises(ModelUnavailable, match=r"choices\[0\].message.*docs/models.md"):
        model.generate(["say"])


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_named_by_its_variable_and_never_shown(server, model, status):
    server.replies = [refuse(status, f"Incorrect API key provided: {KEY}")]
    with pytest.raises(ModelUnavailable, match="HOPTRAIL_API_KEY was refused") as caught:
        model.generate(["say"])
    assert KEY not in str(caught.value) + repr(model)
    assert len(server.asked) == 1


def test_a_missing_key_is_named_by_its_variable(server, open_model):
    server.replies = [refuse(401, "no key")]
    model = open_model()
    model.requests.key = ""
    with pytest.raises(ModelUnavailable, match="HOPTRAIL_API_KEY is missing"):
        model.generate(["say"])


def test_a_wrong_request_is_not_repeated_and_the_server_is_quoted(server, model):
    server.replies = [refuse(400, "maximum context length is 8192")]
    with pytest.raises(BadRequest, match="maximum context length is 8192"):
        model.generate(["say"])
    assert len(server.asked) == 1


def test_no_server_is_an_error_that_names_the_address(open_model):
    model = open_model("http://127.0.0.1:9/v1")
    with pytest.raises(ModelUnavailable, match=r"127\.0\.0\.1:9.*Check that the server runs"):
        model.generate(["say"])


def test_after_close_it_is_an_error(model):
    model.generate(["say"])
    model.close()
    model.close()
    with pytest.raises(BadRequest, match="closed"):
        model.generate(["say"])


LETTER = OutputForm('root ::= "A" | "B"', "A|B", {"enum": ["A", "B"]})


@pytest.mark.parametrize(
    ("owner", "field", "value"),
    [
        ("llamacpp", "grammar", LETTER.gbnf),
        ("vllm", "structured_outputs", {"grammar": LETTER.gbnf}),
        (
            "library",  # Ollama
            "response_format",
            {
                "type": "json_schema",
                "json_schema": {
                    "name": "reply",
                    "strict": True,
                    "schema": {  # OpenAI wants an object at the root
                        "type": "object",
                        "properties": {"reply": {"type": "string", "enum": ["A", "B"]}},
                        "required": ["reply"],
                        "additionalProperties": False,
                    },
                },
            },
        ),
    ],
)
def test_the_form_goes_where_the_server_takes_it(server, model, owner, field, value):
    server.owner, server.replies = owner, [said("A")]
    server.entry = {"max_model_len": 4096}
    assert model.generate(["say"], Decoding(form=LETTER))[0].text == "A"
    assert server.asked[0][field] == value


def test_llama_cpp_pythons_server_is_told_to_leave_the_model_as_it_is(server, model):
    """Of itself it makes what was said before less likely: greedy replies became others."""
    server.owner, server.replies = "me", [said("A")]
    model.generate(["say"])
    assert server.asked[0]["repeat_penalty"] == 1.0


def test_what_lacks_the_form_is_asked_for_once_more(server, model):
    server.replies = [said("Sure! A"), said("A")]
    [completion] = model.generate(["say"], Decoding(form=OutputForm('root ::= "A"', "A")))
    assert (completion.text, completion.finish, completion.tokens_in) == ("A", "stop", 14)
    assert server.asked[1]["messages"][1] == {"role": "assistant", "content": "Sure! A"}


def test_what_lacks_the_form_twice_is_invalid(server, model):
    server.replies = [said("Sure! A"), said("Of course")]
    [completion] = model.generate(["say"], Decoding(form=OutputForm('root ::= "A"', "A")))
    assert (completion.text, completion.finish) == ("Of course", "invalid")
    assert len(server.asked) == 2


def test_what_was_cut_off_is_not_held_to_the_form(server, model):
    server.replies = [said("A", finish="length")]
    assert (
        model.generate(["say"], Decoding(form=OutputForm('root ::= "AB"', "AB")))[0].finish
        == "length"
    )


def test_both_spellings_of_an_option_are_summed_and_missing_ones_bounded(server, model):
    top = [("A", 0.4), (" A", 0.2), ("The", 0.15), ("B", 0.1)]
    entries = [{"token": token, "logprob": math.log(p)} for token, p in top]
    server.replies = [said("A", top=entries)]
    choices = model.choose("Which?", [" now"], ["A", "B", "C"])
    expected = np.array([[0.6, 0.1, 0.1]]) / 0.8
    np.testing.assert_allclose(np.exp(choices.log_probabilities), expected)
    assert choices.bounded == {(0, 2)}
    assert server.asked[0]["messages"][0]["content"] == "Which? now"


def test_where_no_log_probabilities_come_an_option_has_to_be_named(server, model):
    reply = said("A")
    reply["choices"][0]["logprobs"] = None
    server.replies = [reply, said('{"reply": "B"}'), said('{"reply": "A"}'), said("perhaps")]
    assert model.choose("Which?", [""], ["A", "B"]).log_probabilities.tolist() == [[-np.inf, 0]]
    assert model.choose("Which?", [""], ["A", "B"]).named == {0}
    assert "top_logprobs" not in server.asked[2]  # not asked for again
    with pytest.raises(ModelUnavailable, match="log-probabilities"):
        model.choose("Which?", [""], ["A", "B"])


@pytest.mark.parametrize(
    "fenced",
    ['```json\n{"reply": "B"}\n```', '```\n{"reply": "B"}\n```\n', '```JSON\n"B"\n```'],
)
def test_a_reply_of_json_may_stand_in_a_code_fence(server, model, fenced):
    reply = said("A")
    reply["choices"][0]["logprobs"] = None
    server.replies = [reply, said(fenced)]
    assert model.choose("Which?", [""], ["A", "B"]).log_probabilities.tolist() == [[-np.inf, 0]]
    assert len(server.asked) == 2  # it is not asked for once more


def test_a_prompt_longer_than_the_context_is_an_error_with_both_lengths(server, model):
    server.owner, server.entry = "vllm", {"max_model_len": 50}
    server.replies = [{"count": 60}]
    with pytest.raises(BadRequest, match=r"has 60 tokens.*context of m is 50"):
        model.generate(["word " * 60], Decoding(max_tokens=10))


def test_the_first_failure_ends_a_batch(server, model):
    server.replies = [refuse(400, "no")] * 100
    with pytest.raises(BadRequest):
        model.generate(["say"] * 100)
    assert len(server.asked) < 40


def test_a_key_that_no_header_may_have_is_refused_and_never_shown(server, open_model):
    model = open_model()
    model.requests.key = "sk-secret\n1234"
    with pytest.raises(BadRequest, match="HOPTRAIL_API_KEY can't be sent") as caught:
        model.generate(["say"])
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "logs",
    [
        [1],
        {"content": [{"x": 1}]},
        {"content": [{"token": "A", "logprob": None}]},
        {"content": [{"token": "A", "logprob": 10**400}]},
        {"content": [{"token": "A", "logprob": math.nan, "top_logprobs": []}]},
        "?",
        math.nan,
    ],
)
def test_log_probabilities_of_another_kind_are_none(server, model, logs):
    reply = said("yes")
    reply["choices"][0]["logprobs"] = logs
    server.replies = [reply] * 2
    [completion] = model.generate(["say"])
    assert (completion.text, completion.log_probability) == ("yes", None)
    with pytest.raises(ModelUnavailable, match="log-probabilities"):
        model.choose("Which?", [""], ["A"])


def test_a_completion_is_never_more_than_certain(server, model):
    server.replies = [said("yes")]
    server.replies[0]["choices"][0]["logprobs"]["content"][0]["logprob"] = 800.0
    assert model.generate(["say"])[0].log_probability == 0


@pytest.mark.parametrize("tokens", [-7, 10**400, "7", 7.5, None])
def test_a_count_of_tokens_that_is_none_counts_nothing(server, model, tokens):
    server.replies = [{**said("yes"), "usage": {"prompt_tokens": tokens, "completion_tokens": 2}}]
    [completion] = model.generate(["say"])
    assert (completion.tokens_in, completion.tokens_out) == (0, 2)


@pytest.mark.parametrize("count", [-7, 10**400, "7", None])
def test_a_server_that_can_not_count_is_an_error(server, model, count):
    server.owner, server.replies = "vllm", [{"count": count}]
    with pytest.raises(ModelUnavailable, match="a count of tokens"):
        model.count_tokens("say")


@pytest.mark.parametrize("log", [math.nan, -(10**400)], ids=["nan", "huge"])
def test_a_log_probability_that_is_no_number_is_an_error(server, model, log):
    server.replies = [said("A", top=[{"token": "A", "logprob": log}])]
    with pytest.raises(ModelUnavailable, match="log-probabilities"):
        model.choose("Which?", [""], ["A", "B"])


def test_a_context_that_is_no_number_is_the_one_set(server, open_model):
    server.entry = {"meta": "?", "max_model_len": "many"}
    assert open_model(context=512).context_length == 512


def test_half_a_surrogate_pair_is_replaced_on_both_ways(server, model):
    server.replies = [said("na\udc80ïve \ud83d\ude00")]
    [completion] = model.generate(["say \ud800"])
    assert completion.text == "na\ufffdïve \U0001f600"
    assert server.asked[0]["messages"][0]["content"] == "say \ufffd"
    assert model.count_tokens("\ud800") == 1
