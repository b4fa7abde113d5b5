"""What a model refuses, and models that a server does not list."""

import pytest
from support.scripted_server import refuse, said

from hoptrail.kg.errors import BadRequest, ModelUnavailable


def refused(**message):
    reply = said(None, finish=message.pop("finish", "stop"))
    reply["choices"][0]["message"].update(message)
    return reply


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (refused(refusal="I'm sorry, I can't.", finish="content_filter"), "I'm sorry, I can't"),
        (refused(refusal="I'm sorry, I can't."), "I'm sorry, I can't"),
        (refused(content=[{"type": "refusal", "refusal": "I'm sorry."}]), "I'm sorry"),
        (refused(content="The founder is", finish="content_filter"), "stopped by a filter"),
        (refused(finish="content_filter"), "stopped by a filter"),
    ],
)
def test_what_a_model_refuses_is_an_error_and_no_answer(server, model, reply, says):
    server.replies = [reply] * 2
    with pytest.raises(ModelUnavailable, match=f"^m .*{says}.*take another model"):
        model.generate(["say"])
    with pytest.raises(ModelUnavailable, match=f"^m .*{says}.*take another model"):
        model.choose("Which?", [""], ["A", "B"])
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (404, "no such route"),
        (404, "The model `gpt` does not exist or you do not have access to it."),
        (400, "model 'gpt' not found"),
        (400, "gpt is not a valid model ID"),
        (400, "Invalid model: gpt"),
        (400, "Model Not Exist"),
    ],
)
def test_a_model_the_server_lacks_is_an_error_that_lists_those_it_has(
    server, open_model, status, message
):
    server.replies = [refuse(status, message)]
    with pytest.raises(ModelUnavailable, match="serves no model 'gpt'; it has: m") as caught:
        open_model(name="gpt").generate(["say"])
    assert message in str(caught.value)
    assert open_model(name="").name == "m"


def test_a_model_that_works_but_is_not_listed_is_used(server, open_model):
    model = open_model(name="new")
    assert model.generate(["say"])[0].text == "yes"
    assert [body["model"] for body in server.asked] == ["new"]
    assert (model.context_length, model.count_tokens("x" * 30)) == (8192, 10)


def test_what_else_a_server_refuses_of_a_model_that_is_not_listed_is_said_as_it_is(
    server, open_model
):
    server.replies = [refuse(400, "n is not supported with this model")]
    with pytest.raises(BadRequest, match="n is not supported") as caught:
        open_model(name="new").generate(["say"])
    assert "serves no model" not in str(caught.value)
