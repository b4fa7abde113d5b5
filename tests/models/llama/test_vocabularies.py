"""Real vocabularies under random weights: options, BOS, grammars, stop texts."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.gguf_model import CHAT_TEMPLATE, LETTERS, WholePrompts, write_with_vocabulary

from hoptrail.models.language import Decoding, OutputForm
from hoptrail.models.llama.model import LlamaCpp

NAMES = """aquila baichuan command-r deepseek-coder deepseek-llm falcon gemma-4 gpt-2 gpt-neox
llama-bpe llama-spm mpt phi-3 qwen2 qwen35 refact starcoder""".split()
"""All but those of encoders, which generate no text."""
PROMPTS = [
    "Which triple helps?\nA. ⟨Grieg; born in; Bergen⟩\nB. none\nAnswer:",
    "Wo liegt Bergen? 🎻\n\n## Answer\n",
    "Кто написал «Пер Гюнт»?\nОтвет:",
    "谁写了？\n答案：",
    "The answer (a letter) is **",
    'Rate it, 7/10: "',
]
OPTIONS = [list(LETTERS), ["1", "2", "3"], ["yes", "no"], [" A", " B"]]
FORM = OutputForm(r'root ::= "<" [a-z]{1,3} (";" [a-z]{1,3})* ">"', r"<[a-z]{1,3}(;[a-z]{1,3})*>")


class Real:
    """A model with this vocabulary, in chat and without, and an independent opinion."""

    def __init__(self, path: Path) -> None:
        self.plain = LlamaCpp(path, exact_memory=True, chat=False)
        self.chat = LlamaCpp(path, exact_memory=True)
        self.opinion = WholePrompts(path)
        llama = self.opinion.llama
        self.bos = llama.detokenize([llama.token_bos()], special=True).decode()
        self.adds_bos = self.tokens("x", False)[0] == llama.token_bos()

    def in_chat(self, prompt: str) -> str:
        """As the template renders it, but for a BOS that is added to every text."""
        turn = f"<|im_start|>user\n{prompt}<|im_end|>\n<|im_start|>assistant\n"
        return turn if self.adds_bos else self.bos + turn

    def chosen(self, prompt: str, options: list[str], special: bool) -> np.ndarray:
        """The full softmax restricted to what follows the whole prompt as one token."""
        before, every = (
            self.tokens(prompt, special),
            self.opinion.log_probabilities(prompt, special),
        )
        sums = []
        for option in options:
            after = [self.tokens(prompt + spelt, special) for spelt in (option, f" {option}")]
            accepted = {tokens[-1] for tokens in after if tokens[:-1] == before}
            sums.append(np.logaddexp.reduce(every[sorted(accepted)]))
        return sums - np.logaddexp.reduce(sums)

    def tokens(self, text: str, special: bool) -> list[int]:
        return self.opinion.llama.tokenize(text.encode(), add_bos=True, special=special)


@pytest.fixture(scope="module", params=NAMES)
def real(request, real_models, tmp_path_factory):
    path = tmp_path_factory.mktemp("real") / f"{request.param}.gguf"
    vocabulary = real_models / f"ggml-vocab-{request.param}.gguf"
    made = Real(write_with_vocabulary(path, vocabulary, CHAT_TEMPLATE))
    yield made
    for one in (made.plain, made.chat, made.opinion.llama):
        one.close()
    path.unlink()


def test_options_get_what_whole_prompts_give_them(real):
    half = len(PROMPTS[0]) // 2
    for prompt in PROMPTS:
        for options in OPTIONS:
            scores = real.plain.choose(prompt[:half], [prompt[half:]], options).log_probabilities[0]
            assert scores == pytest.approx(real.chosen(prompt, options, special=False), abs=1e-4)
        scores = real.chat.choose("", [prompt], OPTIONS[0]).log_probabilities[0]
        expected = real.chosen(real.in_chat(prompt), OPTIONS[0], special=True)
        assert scores == pytest.approx(expected, abs=1e-4)


def test_bos_is_there_once_where_vocabulary_or_template_wants_it(real):
    prompt = f"Where is {real.bos}?"  # a document's own is text
    with real.plain._use() as loaded:
        plain = loaded.read(prompt)[1]
    with real.chat._use() as loaded:
        chat = loaded.read(prompt)[1]
    token = real.opinion.llama.token_bos()
    assert plain.count(token) == (plain[0] == token) == real.adds_bos
    assert chat.count(token) == (chat[0] == token) == 1


def test_a_grammar_holds(real):
    finished = 0
    for seed in range(6):
        wild = Decoding(form=FORM, temperature=1.5, seed=seed, max_tokens=12)
        [said] = real.plain.generate(["Say:"], wild)
        finished += said.finish == "stop"
        whole = re.fullmatch(FORM.pattern, said.text)
        assert whole or (said.finish == "length" and re.match("<[a-z;]*", said.text))
    assert finished


def test_a_stop_text_ends_what_is_said_before_it(real):
    for seed in range(3):
        free = Decoding(temperature=1.0, seed=seed, max_tokens=30)
        [said] = real.plain.generate(["Bergen"], free)
        middle = said.text[len(said.text) // 2 :][:2]
        [cut] = real.plain.generate(["Bergen"], replace(free, stop=("\0no", middle)))
        assert (cut.text, cut.finish) == (said.text[: said.text.index(middle)], "stop")
