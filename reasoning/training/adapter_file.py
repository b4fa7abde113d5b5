"""Adapters as GGUF files for llama.cpp, tried against the model that was trained."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kg.errors import ModelMissing
from ...models.llama.model import LlamaCpp
from .lora import Lora, library

TRIED = 4  # prompts
_SIDES = {"lora_A": "lora_a", "lora_B": "lora_b"}
Scores = NDArray[np.float64]


def write_adapter(
    model: Any,  # noqa: ANN401
    how: Lora,
    base: LlamaCpp,
    prompts: Sequence[Sequence[int]],
    out: Path,
) -> None:
    """Write the adapter of a peft model for the GGUF file of its base.

    Some architectures, Llama's among them, have the rows of queries and keys in another order in a
    GGUF file. Which order holds is not looked up but tried: in llama.cpp the adapter has to change
    the scores of the next token as it does in the model that was trained.

    Args:
        prompts: tokens of some; they are tried on.

    Raises:
        ModelMissing: the weights that were trained are not those of the file, or neither order
            gives the same scores.
    """
    prompts = prompts[:TRIED]
    with model.disable_adapter():
        before = _scores(model, prompts)
    plain = np.array([_centred(base.next_token(tokens)) for tokens in prompts])
    noise = _norm(plain - before)
    if noise > 0.3 * _norm(before):
        raise ModelMissing(
            f"The weights that were trained score tokens otherwise than {base.name} does. Name the "
            "folder that the file was made from: --weights FOLDER."
        )
    wanted = _scores(model, prompts) - before
    for rotated in (True, False):
        part = out.with_name(f"{out.stem}-{rotated}.part")
        try:
            _write(model, how, base.path, part, rotated)
            after = np.array([_centred(base.next_token(tokens, part)) for tokens in prompts])
            if _norm(after - plain - wanted) <= 0.5 * _norm(wanted) + 2 * noise:
                part.replace(out)
                return
        finally:
            part.unlink(missing_ok=True)
    raise ModelMissing(
        f"llama.cpp computes an adapter of {base.name} otherwise than it was trained, so it is of "
        "no use here. The folder that was trained has what transformers can load."
    )


def _scores(model: Any, prompts: Sequence[Sequence[int]]) -> Scores:  # noqa: ANN401
    """Scores of the next token: (n_prompts, n_vocabulary)."""
    torch = library("torch")
    with torch.no_grad():
        rows = (model(torch.tensor([list(t)], device=model.device)).logits[0, -1] for t in prompts)
        return np.array([_centred(row.float().cpu().numpy()) for row in rows])


def _centred(row: NDArray[np.float32]) -> Scores:
    wide = row.astype(np.float64)
    return wide - wide.mean()


def _norm(scores: Scores) -> float:
    return float(np.linalg.norm(scores))


def _write(model: Any, how: Lora, base: str | Path, out: Path, rotated: bool) -> None:  # noqa: ANN401
    gguf = library("gguf")
    architecture = gguf.GGUFReader(base).fields["general.architecture"].contents()
    writer = gguf.GGUFWriter(out, architecture)
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string(gguf.Keys.Adapter.TYPE, "lora")
    writer.add_float32(gguf.Keys.Adapter.LORA_ALPHA, float(how.alpha))
    for name, tensor in _tensors(model, architecture, rotated):
        writer.add_tensor(name, tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _tensors(
    model: Any,  # noqa: ANN401
    architecture: str,
    rotated: bool,
) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Matrices by their names in a GGUF file: `blk.0.attn_q.weight.lora_a` (rank, n_in)."""
    gguf, peft, config = library("gguf"), library("peft"), model.config
    known = {name: key for key, name in gguf.MODEL_ARCH_NAMES.items()}
    names = gguf.get_tensor_name_map(known[architecture], config.num_hidden_layers)
    heads = {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}
    for key, tensor in peft.get_peft_model_state_dict(model, save_embedding_layers=False).items():
        layer, side, _ = key.removeprefix("base_model.model.").rsplit(".", 2)
        name, matrix = names.get_name(layer), tensor.float().cpu().numpy()
        if name is None:
            raise ModelMissing(f"A GGUF file of {architecture} has no place for {layer}.")
        kind = layer.rpartition(".")[2]
        if rotated and side == "lora_B" and kind in heads:
            matrix = _rotated(matrix, heads[kind])
        yield f"{name}.weight.{_SIDES[side]}", np.ascontiguousarray(matrix)


def _rotated(matrix: NDArray[np.float32], heads: int) -> NDArray[np.float32]:
    """Rows of each head with those that turn together side by side, not half a head apart."""
    rows, rank = matrix.shape
    halves = matrix.reshape(heads, 2, rows // heads // 2, rank)
    return halves.swapaxes(1, 2).reshape(rows, rank)
