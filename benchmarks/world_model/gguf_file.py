"""The trained network as GGUF files: F16, and Q8_0 by llama.cpp's own quantiser."""

import ctypes
import json
from pathlib import Path
from typing import Any

import gguf
import llama_cpp
import numpy as np
import vocabulary
from network import BASE, EPSILON, Network, Shape
from tokenizers import Tokenizer

NAME = "hoptrail world model"


def write(network: Network, tokenizer: Tokenizer, path: Path) -> Path:
    """Write the F16 file: matrices in F16, norms in F32; the output matrix is the embeddings."""
    shape = network.shape
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name(NAME)
    writer.add_license("Apache-2.0")
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.feed_forward)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.heads)
    writer.add_layer_norm_rms_eps(EPSILON)
    writer.add_key_length(shape.size)
    writer.add_value_length(shape.size)
    writer.add_rope_dimension_count(shape.size)
    writer.add_rope_freq_base(BASE)
    writer.add_vocab_size(shape.vocabulary)
    _add_vocabulary(writer, tokenizer)
    for name, tensor in network.weights().items():
        writer.add_tensor(name, tensor.astype(np.float16 if tensor.ndim == 2 else np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add_vocabulary(writer: gguf.GGUFWriter, tokenizer: Tokenizer) -> None:
    """Tokens, merges, and the chat template."""
    told = json.loads(tokenizer.to_str())
    tokens = sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().__getitem__)
    control = set(vocabulary.CONTROL)
    normal, special = gguf.TokenType.NORMAL, gguf.TokenType.CONTROL
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(vocabulary.PRE)
    writer.add_token_list(tokens)
    writer.add_token_types([special if token in control else normal for token in tokens])
    writer.add_token_merges([f"{a} {b}" for a, b in told["model"]["merges"]])
    writer.add_bos_token_id(tokens.index(vocabulary.BEGIN))
    writer.add_eos_token_id(tokens.index(vocabulary.END))
    writer.add_eot_token_id(tokens.index(vocabulary.END))
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(False)
    writer.add_chat_template(vocabulary.TEMPLATE)


def read(path: Path) -> tuple[Network, Tokenizer]:
    """Read what `write` wrote, or what was quantised from it."""
    file = gguf.GGUFReader(path)

    def told(key: str) -> Any:  # noqa: ANN401 - a number or a list, as the field has
        return file.fields[key].contents()

    tokens, merges = (told(f"tokenizer.ggml.{what}") for what in ("tokens", "merges"))
    shape = Shape(
        len(tokens),
        told("llama.embedding_length"),
        told("llama.block_count"),
        told("llama.attention.head_count"),
        told("llama.attention.key_length"),
        told("llama.feed_forward_length"),
        told("llama.context_length"),
    )
    network = Network(shape)
    network.take({t.name: gguf.dequantize(t.data, t.tensor_type) for t in file.tensors})
    return network, vocabulary.of(tokens, merges)


def quantised(path: Path, out: Path) -> Path:
    """Write the Q8_0 file of an F16 one."""
    params = llama_cpp.llama_model_quantize_default_params()
    params.ftype, params.nthread = llama_cpp.LLAMA_FTYPE_MOSTLY_Q8_0, 1
    if llama_cpp.llama_model_quantize(str(path).encode(), str(out).encode(), ctypes.byref(params)):
        raise RuntimeError(f"llama.cpp can't quantise {path}.")
    return out
