"""Models that think, in process: a thought is closed, or had and kept apart from the reply."""

import re

import pytest
from support.gguf_model import WholePrompts, write_model

from hoptrail.kg.errors import BadRequest, ModelMissing, ModelUnavailable
from hoptrail.models.language import Decoding, OutputForm, reserved, thinking_tokens
from hoptrail.models.llama.model import LlamaCpp

TURN = (
    "{{ bos_token }}{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}"
    "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n"
)
ASKED = "<|im_start|>user\nWhere?<|im_end|>\n<|im_start|>assistant\n"
OPEN = TURN + "<think>{% endif %}"  # whatever is asked, as R1, MiniMax-M2, StepFun
SWITCH = TURN + "{% if not enable_thinking %}<think>\n\n</think>\n\n{% endif %}{% endif %}"  # Qwen3
UNASKED = TURN + "{% endif %}{# the past goes: content.split('</think>')[-1] #}"  # LFM2.5, Kimi
COHERE = TURN + "<|START_THINKING|>{% if not thinking %}<|END_THINKING|>{% endif %}{% endif %}"
CHANNELS = (  # gpt-oss
    "{% for m in messages %}<|start|>{{ m['role'] }}<|message|>{{ m['content'] }}<|end|>"
    "{% if m.thinking %}<|channel|>analysis<|message|>{{ m.thinking }}{% endif %}{% endfor %}"
    "<|start|>assistant"
)
# What follows a token: the thought "Hm", closed, and the reply "Px".
SAYS = {
    "<think>": "H",
    "H": "m",
    "m": "</think>",
    "</think>": "P",
    "\n": "P",
    "P": "x",
    "x": "<|im_end|>",
}


def thinker(path, template=OPEN, says=SAYS, **settings):
    words = ["<think>", "</think>"]
    write_model(path, template=template, words=words, says=says, context=8192)
    return LlamaCpp(path, **settings)


@pytest.mark.parametrize(
    ("template", "ends"),
    [
        (OPEN, "<think>\n</think>\n\n"),
        (TURN + "<think>\n{% endif %}", "<think>\n\n</think>\n\n"),
        (SWITCH, "<think>\n\n</think>\n\n"),
        (UNASKED, "<think>\n\n</think>\n\n"),
        (UNASKED.replace("</think>", "</seed:think>"), "<seed:think>\n\n</seed:think>\n\n"),
        (UNASKED.replace("</think>", "[/THINK]"), "[THINK][/THINK]"),
        (TURN + "[THINK]{% endif %}", "[THINK][/THINK]"),
        (TURN + "◁think▷{% endif %}", "◁think▷\n◁/think▷\n\n"),
        (COHERE, "<|START_THINKING|><|END_THINKING|>"),
        (
            COHERE + "{# <|START_RESPONSE|> #}",
            "<|START_THINKING|><|END_THINKING|><|START_RESPONSE|>",
        ),
        (TURN + "{% endif %}", ""),
    ],
)
def test_thinking_is_off_a_thought_that_is_open_is_closed(tmp_path, template, ends):
    path = write_model(tmp_path / "m.gguf", template=template)
    expected = WholePrompts(path).choose(ASKED + ends, ["A", "B"], special=True)
    model = LlamaCpp(path, exact_memory=True)
    assert model.choose("Where?", [""], ["A", "B"]).log_probabilities[0] == pytest.approx(
        expected, abs=1e-4
    )
    assert not model.thinks


def test_an_opening_of_unknown_spelling_is_refused_with_the_reason(tmp_path):
    path = write_model(tmp_path / "m.gguf", template=TURN + "<|begin_of_thought|>{% endif %}")
    with pytest.raises(ModelMissing, match=r"opens a thought with '<\|begin_of_thought\|>'.*chat="):
        LlamaCpp(path).generate(["Where?"], Decoding(max_tokens=1))
    assert LlamaCpp(path, chat=False).generate(["Where?"], Decoding(max_tokens=1))


@pytest.mark.parametrize("template", [OPEN, UNASKED, SWITCH])
def test_the_thought_is_kept_apart_from_the_reply(tmp_path, template):
    says = SAYS if template == OPEN else {"\n": "H", "H": "m", "m": "<|im_end|>"}
    [said] = thinker(tmp_path / "m.gguf", template, says, thinking="on").generate(["Where?"])
    assert said.thought == "Hm"
    assert said.text == ("Px" if template == OPEN else "Hm")
    assert said.finish == "stop"


def test_off_the_same_model_replies_at_once(tmp_path):
    [said] = thinker(tmp_path / "m.gguf").generate(["Where?"])
    assert (said.text, said.thought, said.tokens_out) == ("Px", "", 2)


def test_a_thought_has_a_budget_and_is_closed_where_it_ends(tmp_path):
    model = thinker(tmp_path / "m.gguf", says={**SAYS, "m": "H"}, thinking="on", thinking_tokens=5)
    [said] = model.generate(["Where?"], Decoding(max_tokens=1))
    assert (said.thought, said.text, said.tokens_out) == ("HmHmH", "P", 6)
    assert (thinking_tokens(model), reserved(model) > 5) == (5, True)


def test_a_thought_that_ends_all_is_closed(tmp_path):
    model = thinker(tmp_path / "m.gguf", says={**SAYS, "m": "<|im_end|>"}, thinking="on")
    [said] = model.generate(["Where?"])
    assert (said.thought, said.text) == ("Hm", "Px")


def test_stop_texts_and_forms_hold_for_the_reply_alone(tmp_path):
    model = thinker(tmp_path / "m.gguf", says={**SAYS, "</think>": "\n"}, thinking="on")
    for stop in ("m", "x"):
        [said] = model.generate(["Where?"], Decoding(stop=(stop,)))
        assert (said.thought, said.text) == ("Hm", "P" if stop == "x" else "Px")
    form = OutputForm('root ::= "x" "P"', "xP")
    [said] = model.generate(["Where?"], Decoding(form=form))
    assert (said.thought, said.text) == ("Hm", "xP")


def test_options_are_scored_after_the_thought(tmp_path):
    model = thinker(tmp_path / "m.gguf", thinking="on", exact_memory=True)
    chosen = model.choose("Wh", ["y?", "en?"], ["P", "Q"])
    assert chosen.thoughts == ("Hm", "Hm")
    assert chosen.log_probabilities.argmax(axis=1).tolist() == [0, 0]
    assert chosen.tokens_out == 6
    assert not chosen.named
    path = write_model(tmp_path / "random.gguf", template=OPEN, seed=3)
    random = LlamaCpp(path, thinking="on", thinking_tokens=1, exact_memory=True)
    [said] = random.generate(["Where?"], Decoding(max_tokens=1))
    whole = f"{ASKED}<think>{said.thought}\n</think>\n\n"
    assert random.choose("Where?", [""], ["A", "B"]).log_probabilities[0] == pytest.approx(
        WholePrompts(path).choose(whole, ["A", "B"], special=True), abs=1e-4
    )


def test_the_reply_is_read_from_the_final_channel(tmp_path):
    control = ["<|channel|>", "<|message|>", "<|start|>", "<|end|>"]
    says = dict(zip([*"Hm"], [*"m", "<|end|>"], strict=True))
    says |= {"<|message|>": "H", "<|end|>": "<|start|>", "<|start|>": "assistant"}
    says |= {"assistant": "<|channel|>", "<|channel|>": "final", "final": "<|message|>"}
    path = tmp_path / "m.gguf"
    words = ["assistant", "final", "analysis"]
    template = CHANNELS + "{# <|channel|>final<|message|> #}"
    write_model(path, template=template, control=control, words=words, says=says, context=8192)
    [off] = LlamaCpp(path).generate(["Where?"])
    assert (off.text, off.thought, off.tokens_out) == ("Hm", "", 2)
    [on] = LlamaCpp(path, thinking="on").generate(["Where?"])
    assert (on.text, on.thought) == ("Hm", "Hm")


def test_nothing_but_a_thought_is_an_error_that_names_it(tmp_path):
    silent = {**SAYS, "\n": "<|im_end|>", "</think>": "<|im_end|>"}
    with pytest.raises(ModelUnavailable, match=r"'Hm'.*no answer.*thinking_tokens=4096"):
        thinker(tmp_path / "m.gguf", says=silent, thinking="on").generate(["Where?"])
    plain = TURN + "{% endif %}"  # does not tell that the model thinks
    unasked = {**SAYS, "\n": "<think>"}
    with pytest.raises(ModelUnavailable, match=r"'Hm'.*no answer.*thinking=on"):
        thinker(tmp_path / "n.gguf", plain, {**unasked, "m": "<|im_end|>"}).generate(["Where?"])
    [said] = thinker(tmp_path / "o.gguf", plain, unasked).generate(["Where?"])
    assert (said.thought, said.text) == ("Hm", "Px")


def test_a_prompt_has_room_for_the_thought_or_is_refused(tmp_path):
    model = thinker(tmp_path / "m.gguf", thinking="on", thinking_tokens=8000)
    with pytest.raises(BadRequest, match=r"a thought of 80.. exceed the context of 8192"):
        model.generate(["Where?"])


def test_without_a_template_there_is_no_thinking(gguf_file):
    with pytest.raises(ModelMissing, match="no chat template"):
        LlamaCpp(gguf_file, thinking="on").generate(["Where?"])
    with pytest.raises(BadRequest, match="chat template"):
        LlamaCpp(gguf_file, thinking="on", chat=False)


TOOLS = re.compile(r"tool_use|firefunction")  # render with tools alone


@pytest.mark.parametrize("thinking", ["off", "on"])
def test_real_templates_end_in_a_thought_only_where_it_is_wanted(tmp_path, real_models, thinking):
    ends = re.compile(
        r"(<(\w+:)?think(:\w+)?>|\[THINK\]|<\|START_THINKING\|>|<\|inner_prefix\|>|<\|think\|>|"
        r"analysis<\|message\|>|to=self<\|message\|>|channel>thought|think<\|sep\|>|steps:)\s*$"
    )
    for file in sorted(real_models.glob("templates/*.jinja")):
        if TOOLS.search(file.name) and "r7b" not in file.name:
            continue
        path = write_model(tmp_path / "m.gguf", template=file.read_text(), context=8192)
        model = LlamaCpp(path, thinking=thinking, thinking_tokens=3)
        with model._use() as loaded:
            text, tokens = loaded.read("Where?")
            bos = loaded.format.tokenise("")
        assert tokens[:1] == bos != tokens[1:2], file.name
        assert bool(ends.search(text)) == (thinking == "on"), file.name
        model.close()
