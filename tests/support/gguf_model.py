"""Small random GGUF files: a real llama.cpp runs them; what they say means nothing."""

import collections
import ctypes
import re
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

import numpy as np

if TYPE_CHECKING:
    import gguf

CHAT_TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
CONTROL = ["<|begin|>", "<|im_start|>", "<|im_end|>"]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NORMAL, _CONTROL, _WHOLE = 1, 3, 4  # gguf.TokenType
_STRING, _ARRAY = 8, 9  # gguf.GGUFValueType
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 7: 1, 10: 8, 11: 8, 12: 8}  # bytes of its numbers, else 4


def write_model(
    path: Path,
    *,
    layers: int = 2,
    width: int = 64,
    heads: int = 4,
    feed_forward: int = 128,
    context: int = 2048,
    vocabulary: int = 0,
    template: str | None = None,
    text: str = "",
    dtype: type = np.float32,
    seed: int = 0,
    control: Sequence[str] = (),
    words: Sequence[str] = (),
    says: Mapping[str, str] | None = None,
    ends: bool = False,
) -> Path:
    """Write a llama with random weights and byte-level BPE tokens.

    Args:
        control: control tokens besides `CONTROL`.
        words: tokens that are found whole in a text.
        says: what the model says after each of these tokens; then its weights are not random.
        vocabulary: pads the tokens with unused ones up to this number.
        text: what merges are learnt from.
        ends: the file asks for an end token behind each text.
    """
    merges = learn_merges(text)
    tokens = [*_BYTES.values(), *(left + right for left, right in merges)]
    tokens += [f"<|unused{n}|>" for n in range(vocabulary - len(tokens) - len(CONTROL))]
    types = [_NORMAL] * len(tokens) + [_CONTROL] * len(CONTROL)
    types += [_CONTROL] * len(control) + [_WHOLE] * len(words)
    tokens += [*CONTROL, *control, *words]

    writer = _described(path, layers, width, heads, feed_forward, context, len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_merges([f"{left} {right}" for left, right in merges])
    writer.add_bos_token_id(tokens.index("<|begin|>"))
    writer.add_eos_token_id(tokens.index("<|im_end|>"))
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(ends)
    if template is not None:
        writer.add_chat_template(template)
    spelt = {_spelt(a, tokens): _spelt(b, tokens) for a, b in (says or {}).items()}
    weights = partial(_scripted, spelt) if says else partial(_weights, dtype=dtype, seed=seed)
    _finish(writer, weights, _shapes(layers, width, feed_forward, len(tokens)))
    return path


def write_with_vocabulary(path: Path, vocabulary: Path, template: str, context: int = 2048) -> Path:
    """Write a small llama with random weights and the vocabulary of another GGUF file.

    Its fields are taken as they are, in bytes, behind the header; texts and numbers of a hundred
    thousand tokens are slow to read. What is put in is filled up to whole tensor alignments.
    """
    read, fields, tokens = _tokenizer(vocabulary.read_bytes())
    width = 32
    writer = _described(path, 1, width, 2, width, context, tokens)
    writer.add_chat_template(template)
    _finish(writer, partial(_weights, dtype=np.float32, seed=0), _shapes(1, width, width, tokens))
    key = b"padding"
    fill = -(len(read) + 8 + len(key) + 4 + 8) % 32
    read += struct.pack(f"<Q{len(key)}sIQ{fill}x", len(key), key, _STRING, fill)
    made = path.read_bytes()
    (count,) = struct.unpack_from("<Q", made, 16)
    path.write_bytes(made[:16] + struct.pack("<Q", count + fields + 1) + read + made[24:])
    return path


def _tokenizer(raw: bytes) -> tuple[bytes, int, int]:
    """The fields "tokenizer.*" of a GGUF file but for its template: bytes, number, tokens."""
    (count,) = struct.unpack_from("<Q", raw, 16)
    at, kept, fields, tokens = 24, b"", 0, 0
    for _ in range(count):
        start, (length,) = at, struct.unpack_from("<Q", raw, at)
        key, at = raw[at + 8 : at + 8 + length].decode(), at + 8 + length
        (kind,) = struct.unpack_from("<I", raw, at)
        if key == "tokenizer.ggml.tokens":
            _, _, tokens = struct.unpack_from("<IIQ", raw, at)
        at = _after(raw, at + 4, kind)
        if key.startswith("tokenizer.") and key != "tokenizer.chat_template":
            kept, fields = kept + raw[start:at], fields + 1
    return kept, fields, tokens


def _after(raw: bytes, at: int, kind: int) -> int:
    """Where the value ends that begins there."""
    if kind == _STRING:
        return at + 8 + struct.unpack_from("<Q", raw, at)[0]
    if kind != _ARRAY:
        return at + _SIZES.get(kind, 4)
    of, length = struct.unpack_from("<IQ", raw, at)
    at += 12
    if of != _STRING:
        return at + length * _SIZES.get(of, 4)
    for _ in range(length):
        at += 8 + struct.unpack_from("<Q", raw, at)[0]
    return at


def _described(
    path: Path, layers: int, width: int, heads: int, feed_forward: int, context: int, tokens: int
) -> "gguf.GGUFWriter":
    import gguf

    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("random")
    writer.add_context_length(context)
    writer.add_embedding_length(width)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(feed_forward)
    writer.add_head_count(heads)
    writer.add_head_count_kv(heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(width // heads)
    writer.add_vocab_size(tokens)
    return writer


def _finish(
    writer: "gguf.GGUFWriter",
    weights: Callable[[str, tuple[int, ...]], np.ndarray],
    shapes: Mapping[str, tuple[int, ...]],
) -> None:
    for name, shape in shapes.items():
        writer.add_tensor(name, weights(name, shape))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def quantised(path: Path, kind: str) -> Path:
    """Write a file beside a model of F32 weights, by llama.cpp's own quantiser.

    Args:
        kind: "F16", "Q8_0", "Q4_K_M", "Q6_K"; K kinds take widths that are multiples of 256.
    """
    import llama_cpp

    from hoptrail.models.llama.vocabulary import library

    library()  # quiet
    params = llama_cpp.llama_model_quantize_default_params()
    params.ftype, params.nthread = getattr(llama_cpp, f"LLAMA_FTYPE_MOSTLY_{kind}"), 1
    made = path.with_name(f"{path.stem}-{kind}.gguf")
    code = llama_cpp.llama_model_quantize(
        str(path).encode(), str(made).encode(), ctypes.byref(params)
    )
    assert code == 0
    return made


def learn_merges(text: str, count: int = 300) -> list[tuple[str, str]]:
    """Byte-pair merges: first a blank with each capital (option letters), then the text's own."""
    blank = _BYTES[ord(" ")]
    merges = [(blank, letter) for letter in LETTERS]
    found = collections.Counter(re.findall(r" ?\w+", text))
    words = {word: [_BYTES[byte] for byte in word.encode()] for word in found}
    words = {word: _merged(parts, set(merges)) for word, parts in words.items()}
    while len(merges) < count:
        pairs = collections.Counter()
        for word, parts in words.items():
            for pair in pairwise(parts):
                pairs[pair] += found[word]
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        words = {word: _merged(parts, {best}) for word, parts in words.items()}
    return merges


def _merged(parts: list[str], pairs: set[tuple[str, str]]) -> list[str]:
    out: list[str] = []
    for part in parts:
        if out and (out[-1], part) in pairs:
            out[-1] += part
        else:
            out.append(part)
    return out


def _byte_letters() -> dict[int, str]:
    """GPT-2's printable stand-in for every byte."""
    printable = {*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = (byte for byte in range(256) if byte not in printable)
    moved = {byte: chr(256 + number) for number, byte in enumerate(others)}
    return {byte: moved.get(byte, chr(byte)) for byte in range(256)}


_BYTES = _byte_letters()


def _shapes(layers: int, width: int, wide: int, tokens: int) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {
        "token_embd.weight": (tokens, width),
        "output_norm.weight": (width,),
        "output.weight": (tokens, width),
    }
    for n in range(layers):
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            shapes[f"blk.{n}.{part}.weight"] = (width, width)
        for part in ("attn_norm", "ffn_norm"):
            shapes[f"blk.{n}.{part}.weight"] = (width,)
        for part in ("ffn_gate", "ffn_up"):
            shapes[f"blk.{n}.{part}.weight"] = (wide, width)
        shapes[f"blk.{n}.ffn_down.weight"] = (width, wide)
    return shapes


def _weights(name: str, shape: tuple[int, ...], dtype: type, seed: int) -> np.ndarray:
    if len(shape) == 1:
        return np.ones(shape, np.float32)
    chance = np.random.default_rng([seed, *name.encode()])
    scale = 3 if name == "output.weight" else 1  # a model with opinions, not near uniform
    values = chance.standard_normal(shape, np.float32) * (scale / np.sqrt(shape[-1]))
    return values.astype(dtype)


def _spelt(text: str, tokens: list[str]) -> int:
    known = text in tokens
    return tokens.index(text if known else "".join(_BYTES[byte] for byte in text.encode()))


def _scripted(spelt: Mapping[int, int], name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Weights that look at the last token alone: each has a dimension of its own."""
    made = np.zeros(shape, np.float32)
    if len(shape) == 1:
        return made + 1
    for place, (token, after) in enumerate(spelt.items(), 1):
        if name == "token_embd.weight":
            made[token, place] = 1
        elif name == "output.weight":
            made[after, place] = 5
    if name == "token_embd.weight":
        made[made.sum(axis=1) == 0, 0] = 1
    return made


class WholePrompts:
    """The package's own class, reading every prompt whole, in F32: an independent opinion."""

    def __init__(self, path: Path) -> None:
        import llama_cpp

        # Repacked, a quantised file may end the process: see `llama.trial`.
        params = llama_cpp.llama_cpp.llama_model_default_params()
        params.use_extra_bufts = False
        defaults = "llama_model_default_params"
        with mock.patch.object(llama_cpp.llama_cpp, defaults, return_value=params):
            self.llama = llama_cpp.Llama(
                str(path),
                n_ctx=2048,
                n_batch=2048,
                type_k=0,
                type_v=0,
                n_threads=1,
                n_threads_batch=1,
                verbose=False,
            )

    def log_probabilities(
        self, prompt: str, special: bool = False, said: Sequence[str] = ()
    ) -> np.ndarray:
        """Of the token after a prompt, and after tokens that were said to it."""
        self.llama.reset()
        read = self.llama.tokenize(prompt.encode(), add_bos=True, special=special)
        self.llama.eval([*read, *map(self.token, said)])
        raw = self.llama._ctx.get_logits_ith(-1)
        logits = np.ctypeslib.as_array(raw, shape=(self.llama.n_vocab(),)).astype(np.float64)
        return logits - np.logaddexp.reduce(logits)

    def choose(self, prompt: str, options: Iterable[str], special: bool = False) -> np.ndarray:
        """With " A" and "A" summed."""
        every = self.log_probabilities(prompt, special)
        both = [np.logaddexp(every[self.token(o)], every[self.token(f" {o}")]) for o in options]
        return both - np.logaddexp.reduce(both)

    def token(self, text: str) -> int:
        (token,) = self.llama.tokenize(text.encode(), add_bos=False)
        return token
