"""LlamaCpp.generate on real llama.cpp and a small random model: nonsense, but by the rules."""

import os
import re
from pathlib import Path

import numpy as np
import pytest
from support.gguf_model import WholePrompts

from hoptrail.kg.errors import BadRequest
from hoptrail.models.language import Decoding, OutputForm
from hoptrail.models.llama.model import LlamaCpp

OPTIONS = ["A", "B", "C"]
WORD = OutputForm(r'root ::= "<" [a-z]{1,3} (";" [a-z]{1,3})* ">"', r"<[a-z]{1,3}(;[a-z]{1,3})*>")


@pytest.fixture(scope="module")
def model(gguf_file) -> LlamaCpp:
    return LlamaCpp(gguf_file, exact_memory=True)


@pytest.fixture(scope="module")
def opinion(gguf_file) -> WholePrompts:
    return WholePrompts(gguf_file)


def test_a_seed_repeats_and_neighbours_do_not_matter(model):
    prompts = ["Bergen lies in", "Grieg was", "Bergen lies in"]
    first = model.generate(prompts, Decoding(temperature=1.0, seed=7, max_tokens=12))
    assert first == model.generate(prompts, Decoding(temperature=1.0, seed=7, max_tokens=12))
    assert first[0] == first[2] != first[1]
    assert (
        model.generate(prompts[1:2], Decoding(temperature=1.0, seed=7, max_tokens=12)) == first[1:2]
    )
    assert (
        model.generate(prompts[:1], Decoding(temperature=1.0, seed=8, max_tokens=12)) != first[:1]
    )
    greedy = model.generate(prompts, Decoding(max_tokens=12))
    assert greedy == model.generate(prompts, Decoding(max_tokens=12, seed=9))


def test_greedy_takes_the_likeliest_and_says_how_likely(model, opinion):
    every = opinion.log_probabilities("Bergen lies in")
    (said,) = model.generate(["Bergen lies in"], Decoding(max_tokens=1))
    assert said.log_probability == pytest.approx(every.max(), abs=1e-4)
    assert (said.finish, said.tokens_out) == ("length", 1)
    assert said.tokens_in == 1 + model.count_tokens("Bergen lies in")  # with BOS


def test_each_token_is_as_likely_as_when_the_whole_text_is_read(model, opinion):
    ascii_ = OutputForm("root ::= [a-z]{8}", "[a-z]{8}")  # half a character can't be read alone
    decoding = Decoding(form=ascii_, temperature=1.0, seed=3, max_tokens=8)
    for prompt in ("Bergen lies in", "Grieg was"):
        (said,) = model.generate([prompt], decoding)
        texts = [token.text for token in said.tokens]
        assert "".join(texts) == said.text
        logs = [
            opinion.log_probabilities(prompt, said=texts[:n])[opinion.token(text)]
            for n, text in enumerate(texts)
        ]
        assert [t.log_probability for t in said.tokens] == pytest.approx(logs, abs=1e-3)
        assert said.confidence() == pytest.approx(np.exp(np.mean(logs)), rel=1e-3)
        assert said.log_probability == pytest.approx(sum(logs), abs=1e-2)


def test_tokens_spell_what_is_left_of_a_completion(model):
    (whole,) = model.generate(["Say:"], Decoding(temperature=1.0, seed=5, max_tokens=12))
    stop = whole.text[4:6]
    (cut,) = model.generate(["Say:"], Decoding(None, (stop,), 12, 1.0, 5))
    assert cut.text == whole.text[: whole.text.find(stop)]
    assert "".join(token.text for token in cut.tokens) == cut.text
    assert [t.log_probability for t in cut.tokens] == [
        t.log_probability for t in whole.tokens[: len(cut.tokens)]
    ]


def test_a_grammar_is_never_violated(model):
    prompts = [f"Name {n}:" for n in range(10)]
    finished = 0
    for seed in range(100):
        for said in model.generate(
            prompts, Decoding(form=WORD, temperature=1.5, seed=seed, max_tokens=10)
        ):
            if said.finish == "stop":
                finished += 1
                assert re.fullmatch(WORD.pattern, said.text)
            else:
                assert said.tokens_out == 10
                assert re.match(r"<[a-z]{1,3}(;[a-z]{0,3})*>?$", said.text)
    assert 100 < finished < 1000  # both ends were seen


def test_what_the_grammar_completes_at_the_last_token_is_not_cut_off(model):
    (said,) = model.generate(
        ["Say:"], Decoding(form=OutputForm('root ::= "x" "y"', "xy"), max_tokens=2)
    )
    assert (said.text, said.finish) == ("xy", "stop")
    (cut,) = model.generate(
        ["Say:"], Decoding(form=OutputForm('root ::= "x" "y"', "xy"), max_tokens=1)
    )
    assert (cut.text, cut.finish) == ("x", "length")


@pytest.mark.parametrize(
    "gbnf",
    [
        "",
        "root ::= missing",
        'wurzel ::= "x"',
        'root ::= "x',
        'root ::= root "x" | "y"',
        'root ::= "x"{1000000}',
        'root ::= "x"{3,1}',
        "root ::= " + "(" * 100_000 + '"x"' + ")" * 100_000,
        'root ::= "x"\0',
        "root ::= r0\n" + "".join(f"r{n} ::= r{n + 1}\n" for n in range(6_000)) + 'r6000 ::= "x"',
    ],
    ids=[
        "empty",
        "missing",
        "no-root",
        "open",
        "left",
        "repeated",
        "reversed",
        "deep",
        "nul",
        "chain",
    ],
)
def test_an_invalid_grammar_is_an_error_and_the_process_goes_on(model, gbnf):
    with pytest.raises(BadRequest, match="GBNF"):
        model.generate(["Say:"], Decoding(form=OutputForm(gbnf, "")))
    assert model.generate(["Say:"], Decoding(form=OutputForm('root ::= "x"', "x")))[0].text == "x"


def test_a_stop_string_ends_the_text_before_it(model):
    (free,) = model.generate(["Bergen"], Decoding(temperature=1.0, max_tokens=30))
    middle = free.text[len(free.text) // 2 :][:2]
    (said,) = model.generate(
        ["Bergen"], Decoding(temperature=1.0, max_tokens=30, stop=("\0no", middle))
    )
    assert said.text == free.text[: free.text.index(middle)]
    assert said.finish == "stop"


def test_texts_are_valid_unicode_however_wild_the_sampling(model):
    said = model.generate([f"{n}:" for n in range(20)], Decoding(temperature=5.0, max_tokens=40))
    assert "\ufffd" not in "".join(s.text for s in said)
    assert any(ord(c) > 0xFF for s in said for c in s.text)  # of several bytes


def test_memory_stays_over_ten_thousand_decodes(model):
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    if not Path("/proc/self/statm").exists():
        pytest.skip("reads /proc")

    def decodes(count: int) -> None:
        while count > 0:
            (said,) = model.generate(
                [f"{count}:"], Decoding(form=WORD, temperature=1.5, seed=count)
            )
            model.choose("Choose", [f" {count}", f" {-count}"], OPTIONS)
            count -= 1 + said.tokens_out + 2

    decodes(1_000)
    before = resident()
    decodes(10_000)
    assert resident() - before < 4 << 20


def test_a_prompt_longer_than_the_context_names_both_and_the_next_one_works(model):
    long = "Bergen " * 3000
    tokens = 1 + model.count_tokens(long)
    assert tokens > model.context_length == 2048
    for ask in (lambda: model.choose(long, [""], OPTIONS), lambda: model.generate([long])):
        with pytest.raises(BadRequest, match=r"\d{4,} tokens.* 2048 tokens"):
            ask()
    with pytest.raises(BadRequest, match=rf"{tokens} tokens and .* 256 .* 2048"):
        model.generate([long])
    assert model.generate(["Bergen"], Decoding(max_tokens=3))[0].tokens_out == 3


def test_a_completion_has_room_or_is_refused_never_clipped(gguf_file):
    short = LlamaCpp(gguf_file, context=64)
    assert short.context_length == 64
    tokens = 1 + short.count_tokens("Bergen")
    (said,) = short.generate(
        ["Bergen"], Decoding(max_tokens=64 - tokens, form=OutputForm("root ::= [a-z]*", ""))
    )
    assert said.tokens_out <= 64 - tokens
    with pytest.raises(BadRequest, match=f"{tokens} tokens and a completion of {65 - tokens}"):
        short.generate(["Bergen"], Decoding(max_tokens=65 - tokens))
    with pytest.raises(BadRequest, match="at least 1"):
        short.generate(["Bergen"], Decoding(max_tokens=0))


def test_the_context_is_the_models_own_where_that_is_less(model):
    assert model.context == 8192
    assert model.context_length == 2048


@pytest.mark.parametrize("prompt", ["", " \n"])
def test_an_empty_prompt_is_refused(model, prompt):
    with pytest.raises(BadRequest, match="empty"):
        model.generate([prompt])
    with pytest.raises(BadRequest, match="empty"):
        model.choose("", [prompt], OPTIONS)


def test_odd_text_is_read(model):
    odd = ["a\0b", "\ud800", "𝄞" * 50, "\n" * 200 + "x"]
    assert len(model.generate(odd, Decoding(max_tokens=2))) == 4
