"""A byte-pair vocabulary of its own, and prompts and replies as the tokens that llama.cpp reads.

Capital letters stand alone and digits, too: a name that no training world has is written with
pieces that all of them have, and begins alike with and without a blank before it.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

SIZE = 1536
BEGIN, USER, ASSISTANT, END = CONTROL = ("<|begin|>", "<|user|>", "<|assistant|>", "<|end|>")
TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}<|{{ message['role'] }}|>"
    "{{ message['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
PRE = "smollm"
"""What llama.cpp calls the splitting into words and single digits."""


def learned(texts: Iterable[str]) -> Tokenizer:
    """Learn the merges from these texts."""
    tokenizer = Tokenizer(models.BPE())
    capitals = pre_tokenizers.Split(Regex(r" ?[A-Z]"), "isolated")
    tokenizer.pre_tokenizer = _words(capitals)
    trainer = trainers.BpeTrainer(
        vocab_size=SIZE - len(CONTROL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return _whole(tokenizer)


def of(tokens: Sequence[str], merges: Sequence[str]) -> Tokenizer:
    """The one that has these tokens, by number, and merges, as a GGUF file tells them."""
    numbers = {t: n for n, t in enumerate(tokens) if t not in CONTROL}
    pairs = [(first, second) for first, _, second in (m.partition(" ") for m in merges)]
    return _whole(Tokenizer(models.BPE(numbers, pairs)))


def _whole(tokenizer: Tokenizer) -> Tokenizer:
    tokenizer.pre_tokenizer = _words()
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(text, special=True) for text in CONTROL])
    return tokenizer


def _words(*between: pre_tokenizers.PreTokenizer) -> pre_tokenizers.PreTokenizer:
    digits = pre_tokenizers.Digits(individual_digits=True)
    return pre_tokenizers.Sequence(
        [digits, *between, pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )


def opened(path: Path) -> Tokenizer:
    """Read what `Tokenizer.save` wrote."""
    return Tokenizer.from_file(str(path))


def tokenised(
    tokenizer: Tokenizer, told: Sequence[tuple[str, str]]
) -> list[tuple[list[int], list[int]]]:
    """Tokens of prompts in their template, and of replies with the token that ends them."""
    prompts = [f"{BEGIN}{USER}{prompt}{END}{ASSISTANT}" for prompt, _ in told]
    replies = [f"{said}{END}" for _, said in told]
    both = tokenizer.encode_batch_fast([*prompts, *replies])
    ids = [one.ids for one in both]
    return list(zip(ids[: len(told)], ids[len(told) :], strict=True))
