"""What a user of each kind of server notices: the same calls, and an answer."""

import contextlib
import time

import numpy as np
import pytest
from support.model_servers import (
    THOUGHT,
    Array,
    Behind,
    Hosted,
    Kind,
    LlamaServer,
    Mistral,
    Ollama,
    Vllm,
    log,
    serving,
)

from hoptrail.kg.errors import BadRequest, ModelUnavailable
from hoptrail.models.language import TEMPLATE, Decoding, OutputForm, reserved
from hoptrail.models.server.model import OpenAIServer
from hoptrail.models.server.naming import named
from hoptrail.models.server.requests import Requests

YES_OR_NO = OutputForm('root ::= "yes" | "no"', "yes|no", {"enum": ["yes", "no"]})
LINE = Decoding(stop=("\n",), max_tokens=32, seed=7)


@pytest.fixture
def opened():
    """Serves a kind and opens a model on it: (model, what it was asked)."""
    with contextlib.ExitStack() as stack:

        def open_(kind, name="", key="", **settings):
            url = stack.enter_context(serving(kind))
            requests = Requests(url, key, retries=1, timeout=5.0, pause=0.01)
            model = OpenAIServer(url, name, key, requests=requests, **settings)
            stack.callback(model.close)
            return model

        yield open_


def chats(kind):
    return [body for path, body in kind.asked if path == "/v1/chat/completions"]


EVERY = [
    Kind(says="no"),
    LlamaServer(says="no"),
    Ollama(says="no"),
    Vllm(says="no"),
    Hosted(says="no"),
    Mistral(says="no"),
    Array(says="no"),
    Behind(says="no"),
]


@pytest.mark.parametrize("kind", EVERY, ids=lambda kind: type(kind).__name__)
def test_every_kind_answers_keeps_to_a_form_and_chooses(opened, kind):
    model = opened(kind)
    assert model.generate(["Is it?"], LINE)[0].text == "no"
    [held] = model.generate(["Is it?"], Decoding(form=YES_OR_NO, max_tokens=4))
    assert (held.text, held.finish) == ("no", "stop")
    kind.says = "B"
    chosen = model.choose("Which?", ["", " now"], ["A", "B"])
    np.testing.assert_array_equal(chosen.log_probabilities, [[-np.inf, 0.0]] * 2)
    assert chosen.named == {0, 1}
    assert not model.scores_options
    kind.says = "no"


def test_what_a_reasoning_api_refuses_is_asked_for_once(opened):
    kind = Hosted(says="no\nand more")
    model = opened(kind)
    assert model.generate(["Is it?"] * 3, LINE)[0].text == "no"  # the stop string is cut off here
    kind.asked.clear()
    model.generate(["Is it?"], LINE)
    [body] = chats(kind)
    assert not {"temperature", "stop", "logprobs", "max_tokens"} & set(body)
    assert (body["max_completion_tokens"], body["reasoning_effort"]) == (32, "minimal")
    assert set(model.left_out) == {"temperature", "stop", "logprobs"}


class Limited(Kind):
    """Knows some names of the limit, and tells of another only that it does not."""

    def __init__(
        self, *known, says="Unsupported parameter: '{}' is not supported with this model."
    ):
        super().__init__()
        self.known, self.refusal = known, says

    def refuses(self, body):
        unknown = {"max_tokens", "max_completion_tokens"} & set(body) - set(self.known)
        return self.refusal.format(*unknown) if unknown else ""

    def chat(self, body):
        return super().chat({"max_tokens": 32, **body})


@pytest.mark.parametrize(
    ("owner", "known"),
    [
        ("somebody", "max_completion_tokens"),
        ("openai", "max_tokens"),  # sent the newer name first
    ],
)
def test_a_limit_that_is_refused_by_name_is_sent_by_the_other(opened, owner, known):
    kind = Limited(known)
    kind.owner = owner
    model = opened(kind)
    assert model.generate(["Is it?"] * 3, LINE)[0].text == "yes"
    kind.asked.clear()
    model.generate(["Is it?"], LINE)
    [body] = chats(kind)
    assert body[known] == 32
    assert model.left_out == ()


def test_a_limit_that_is_refused_by_both_names_is_left_out(opened):
    kind = Limited()
    model = opened(kind)
    assert model.generate(["Is it?"], LINE)[0].text == "yes"
    assert model.left_out == ("max_tokens",)
    assert len(chats(kind)) == 3


@pytest.mark.parametrize(
    "says",
    [
        "{} is too large: 32. This model supports at most 16 tokens.",
        "Unsupported value: '{}' does not support 32 with this model.",
    ],
)
def test_a_limit_of_another_value_is_the_users_to_set(opened, says):
    with pytest.raises(BadRequest, match="max_tokens"):
        opened(Limited(says=says)).generate(["Is it?"], LINE)


def test_mistral_gets_its_own_name_of_the_seed(opened):
    kind = Mistral()
    model = opened(kind)
    model.generate(["Is it?"], LINE)
    assert chats(kind)[-1]["random_seed"] == 7
    assert "seed" not in model.left_out


def test_settings_can_be_left_out_before_a_server_is_asked(opened):
    kind = Kind(says="no\nmore")
    model = opened(kind, leave_out=("temperature", "seed", "stop"))
    assert model.generate(["Is it?"], LINE)[0].text == "no"
    [body] = chats(kind)
    assert not {"temperature", "stop", "seed"} & set(body)


def test_what_is_refused_for_another_reason_is_still_an_error(opened):
    class Strict(Kind):
        def refuses(self, body):
            return "Requested logprobs of 20, which is greater than max allowed: 5"

    with pytest.raises(BadRequest, match="max allowed: 5"):
        opened(Strict(scores=log(A=0.9))).choose("Which?", [""], ["A", "B"])


# Models, contexts, tokens


def test_a_bare_array_of_models_is_a_list_of_models(opened):
    model = opened(Array(names=("first", "second")))
    assert (model.name, model.context_length) == ("first", 1234)


def test_without_tokenize_tokens_are_estimated(opened):
    kind = Behind()
    model = opened(kind)
    assert model.count_tokens("x" * 30) == 10
    assert model.count_tokens("x" * 60) == 20
    assert [path for path, _ in kind.asked].count("/tokenize") == 1
    assert reserved(model) == TEMPLATE


def test_a_router_is_told_which_model_is_meant(opened):
    kind = LlamaServer(names=("small", "a-larger-one"))
    model = opened(kind, "a-larger-one")
    assert model.context_length == 4096 + len("a-larger-one")
    assert model.count_tokens("three words here") == 3
    assert model.generate(["Is it?"])[0].text == "yes"
    assert {body["model"] for path, body in kind.asked if body} == {"a-larger-one"}
    with pytest.raises(ModelUnavailable, match="it has: a-larger-one, small"):
        opened(LlamaServer(names=("small", "a-larger-one")), "huge").generate(["Is it?"])


def test_the_templates_tokens_are_measured(opened):
    assert 40 <= reserved(opened(LlamaServer())) <= 42
    assert reserved(opened(Vllm())) == 6
    assert reserved(opened(Vllm(), thinking="on", thinking_tokens=500)) == 506


def test_a_redirect_takes_the_key_nowhere(opened):
    elsewhere = Kind()
    with serving(elsewhere) as other:

        class Moved(Kind):
            def post(self, path, body):
                return 307, other.removesuffix("/v1") + path

        model = opened(Moved(), key="sk-secret-1234")
        with pytest.raises(ModelUnavailable, match=f"redirects to {other}/chat") as caught:
            model.generate(["Is it?"])
    assert elsewhere.asked == []
    assert "secret" not in str(caught.value)


# Log-probabilities


def test_probabilities_are_used_where_there_are_any(opened):
    model = opened(Vllm(scores=log(A=0.2, B=0.6, The=0.1)))
    chosen = model.choose("Which?", [""], ["A", "B"])
    np.testing.assert_allclose(np.exp(chosen.log_probabilities), [[0.25, 0.75]])
    assert (chosen.named, model.scores_options) == (frozenset(), True)


def test_a_server_that_stops_giving_probabilities_is_an_error(opened):
    kind = Vllm(scores=log(A=0.2, B=0.6))
    model = opened(kind)
    model.choose("Which?", [""], ["A", "B"])
    kind.scores = None
    with pytest.raises(ModelUnavailable, match="did not answer with log-probabilities"):
        model.choose("Which?", [""], ["A", "B"])


def test_options_that_are_all_bounds_are_an_error(opened):
    model = opened(Kind(scores=log(Okay=0.9, The=0.05)))
    with pytest.raises(ModelUnavailable, match=r"None of the options A to C .*'Okay', 'The'"):
        model.choose("Which?", [""], ["A", "B", "C"])


def test_a_model_that_names_no_option_is_an_error_that_quotes_it(opened):
    with pytest.raises(ModelUnavailable, match="says 'I can not tell' where it has to name one"):
        opened(Kind(says="I can not tell")).choose("Which?", [""], ["A", "B"])


@pytest.mark.parametrize(
    "says",
    [
        *("B", " B", "(B)", "B. The river", '"B"', "**B**", "b", "**B**: the river"),
        *("Answer: B", "**Answer:** B", "Option B", "The answer is B.", "So the answer is: **b**"),
        *(r"\boxed{B}", r"The answer is $\boxed{\text{B}}$.", "B\n\nA good choice, as it flows."),
    ],
)
def test_an_option_is_understood_as_models_name_it(opened, says):
    chosen = opened(Kind(says=says)).choose("Which?", [""], ["A", "B"])
    assert chosen.log_probabilities[0].argmax() == 1


@pytest.mark.parametrize(
    "says",
    [
        *("A good choice would be B", "a river", "The answer is a river", "Answer: A good one"),
        *(
            "A or B",
            "Option A or B",
            "A, B",
            "A\n\nB",
            "A.D. 900",
            "A's",
            "A\ngood choice would be B",
        ),
    ],
)
def test_no_option_is_named_by_what_only_begins_with_its_letter(opened, says):
    with pytest.raises(ModelUnavailable, match="has to name one of the options A, B, I"):
        opened(Kind(says=says)).choose("Which?", [""], ["A", "B", "I"])


def test_options_that_differ_in_case_alone_are_told_apart(opened):
    chosen = opened(Kind(says="Answer: b")).choose("Which?", [""], ["B", "b"])
    assert chosen.log_probabilities[0].argmax() == 1


@pytest.mark.parametrize("begins", ["", "A", "A\n\n", "answer", "the ", "boxed", "answer is"])
def test_long_replies_that_name_no_option_are_soon_read(begins):
    for unit in ("_", " ", "\n", "the ", "answer ", "boxed{", "A\n\n", " \n", "A.", "*", "}"):
        started = time.process_time()
        assert named(begins + unit * (80_000 // len(unit)) + "x", ["A", "B"]) in (None, 0)
        assert time.process_time() - started < 1.0


# Models that think


@pytest.mark.parametrize("kind", [LlamaServer, Ollama, Vllm])
def test_thinking_is_off_in_the_way_the_server_takes_it(opened, kind):
    served = kind(says="Vienna", thinks=True, scores=log(A=0.2, B=0.8))
    model = opened(served)
    [said] = model.generate(["Where?"], LINE)
    assert (said.text, said.thought) == ("Vienna", "")
    assert model.choose("Which?", [""], ["A", "B"]).log_probabilities[0].argmax() == 1


@pytest.mark.parametrize("kind", [LlamaServer, Ollama, Vllm])
def test_a_thought_has_a_budget_of_its_own_and_is_no_part_of_the_answer(opened, kind):
    served = kind(says="Vienna\nor so", thinks=True, scores=log(A=0.2, B=0.8))
    model = opened(served, thinking="on", thinking_tokens=100)
    [said] = model.generate(["Where?"], LINE)
    assert (said.text, said.thought) == ("Vienna", THOUGHT)
    body = chats(served)[-1]
    assert body.get("max_tokens") == 132
    assert "stop" not in body  # it would end the thought
    served.says = "B"
    chosen = model.choose("Which?", [""], ["A", "B"])
    assert (chosen.named, chosen.thoughts) == ({0}, (THOUGHT,))
    assert chosen.log_probabilities[0].argmax() == 1


class Stubborn(Kind):
    """Thinks whatever it is told."""

    def silent(self, body):
        return False


def test_nothing_but_a_thought_is_an_error_that_names_it(opened):
    model = opened(Stubborn(thinks=True))
    with pytest.raises(ModelUnavailable, match=r"m thought \(4 tokens: 'Okay, the .*thinking=on"):
        model.generate(["Where?"], Decoding(max_tokens=4))
    model = opened(Stubborn(thinks=True), thinking="on", thinking_tokens=2)
    with pytest.raises(ModelUnavailable, match=r"Let it think longer: :thinking_tokens=4"):
        model.generate(["Where?"], Decoding(max_tokens=2))


def test_a_thought_that_no_field_shows_is_told_by_what_it_took(opened):
    class Hidden(Stubborn):
        def chat(self, body):
            reply = super().chat(body)
            del reply["choices"][0]["message"]["reasoning_content"]
            return reply

    with pytest.raises(ModelUnavailable, match=r"m thought \(4 tokens\) and gave no answer"):
        opened(Hidden(thinks=True)).generate(["Where?"], Decoding(max_tokens=4))


def test_a_model_that_thinks_first_has_chosen_nothing(opened):
    model = opened(Stubborn(thinks=True, scores=log(A=0.2, B=0.8)))
    with pytest.raises(ModelUnavailable, match="thinks first, turn that off"):
        model.choose("Which?", [""], ["A", "B"])


@pytest.mark.parametrize(
    ("content", "text", "thought"),
    [
        ("<think>\nHm.\n</think>\n\nVienna", "Vienna", "Hm."),
        ("<think>\n\n</think>\n\nVienna", "Vienna", ""),
        ("Hm.\n</think>\nVienna\nindeed", "Vienna", "Hm."),
        ("[THINK]Hm.[/THINK]Vienna", "Vienna", "Hm."),
        (
            [
                {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]},
                {"type": "text", "text": "Vienna"},
            ],
            "Vienna",
            "Hm.",
        ),
    ],
)
def test_a_thought_is_told_from_the_answer_wherever_it_stands(opened, content, text, thought):
    class Tagged(Kind):
        def held(self, body):
            return content

    [said] = opened(Tagged()).generate(["Where?"], LINE)
    assert (said.text, said.thought) == (text, thought)


def test_a_thought_that_is_cut_off_in_the_content_is_an_error(opened):
    with pytest.raises(ModelUnavailable, match="gave no answer"):
        opened(Kind(says="<think>\nHm, the")).generate(["Where?"], LINE)


@pytest.mark.parametrize(
    "settings", [{"top": 0}, {"timeout": 0.0}, {"thinking_tokens": 0}, {"context": -1}]
)
def test_settings_that_can_not_be_are_named(settings):
    [name] = settings
    with pytest.raises(BadRequest, match=name):
        OpenAIServer("http://localhost/v1", **settings)
