"""One llama.cpp context: tokens in, logits out; of a prompt only what is new gets decoded."""

import ctypes
import os
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...kg import until
from ...kg.errors import ModelMissing
from .adapters import Adapters
from .file import check_file
from .vocabulary import Vocabulary, first_error, forget_errors, library

Logits = NDArray[np.float32]
"""float32 (n_vocabulary,), of the token that comes next."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How a file is loaded.

    Args:
        path: a GGUF file.
        length: tokens to hold at most; less where the model was trained on less.
        gpu_layers: layers on the GPU; -1 for all.
        threads: of the processor.
        flash_attention: attention without its large intermediate matrix; None is where the build
            has a GPU. On a processor it is no faster and rounds more.
        exact_memory: remember keys and values in F32, not F16.
        block: tokens decoded at once, always from a multiple of it: see `Context.read`. None is 32,
            or 512 where the build has a GPU, which small ones leave idle.
        repack: weights are put in the order that the processor's instructions read them in.
    """

    path: str
    length: int
    gpu_layers: int
    threads: int
    flash_attention: bool | None
    exact_memory: bool
    block: int | None
    repack: bool


class Context:
    """Weights and the memory of one sequence; for one thread at a time.

    Raises:
        ModelMissing: the package is not installed, or the file is not there, cut off, of an
            unknown kind, too large for the memory, or no text generator.
    """

    def __init__(self, setup: Setup) -> None:
        check_file(Path(setup.path))
        lib = self._lib = library()
        forget_errors()
        params = lib.llama_model_default_params()
        params.n_gpu_layers = setup.gpu_layers
        params.use_extra_bufts = setup.repack
        model = lib.llama_model_load_from_file(os.fsencode(setup.path), params)
        if not model:
            raise _unloadable(setup.path)
        self._free_model = weakref.finalize(self, lib.llama_model_free, model)
        trained = int(lib.llama_model_n_ctx_train(model))
        self.block = setup.block or (512 if lib.llama_supports_gpu_offload() else 32)
        self.length = min(setup.length, trained) if trained > 0 else setup.length
        self._context = lib.llama_init_from_model(model, self._settings(setup))
        if not self._context:
            self._free_model()
            raise _unloadable(setup.path)
        self._free_context = weakref.finalize(self, lib.llama_free, self._context)
        self._memory = lib.llama_get_memory(self._context)
        if not self._memory or lib.llama_model_has_encoder(model):
            self.close()
            raise ModelMissing(
                f"The model {setup.path} does not continue texts. Take a chat model."
            )
        self.vocabulary = Vocabulary(model)
        layers = int(lib.llama_model_n_layer(model)) + 1  # the output counts as one
        offloaded = layers if setup.gpu_layers < 0 else min(setup.gpu_layers, layers)
        self.gpu_layers = offloaded if lib.llama_supports_gpu_offload() else 0
        self.repack = setup.repack
        self._held: list[int] = []  # whole blocks of the last prompt
        self._adapters = Adapters(model)

    def _settings(self, setup: Setup) -> object:
        lib, flash = self._lib, setup.flash_attention
        params = lib.llama_context_default_params()
        params.n_ctx = self.length
        params.n_batch = params.n_ubatch = self.block
        params.n_threads = params.n_threads_batch = setup.threads
        on_gpu = bool(lib.llama_supports_gpu_offload())
        params.flash_attn_type = int(on_gpu if flash is None else flash)
        params.type_k = params.type_v = (
            lib.GGML_TYPE_F32 if setup.exact_memory else lib.GGML_TYPE_F16
        )
        params.swa_full = True  # else a sliding window forgets the prefix that is to be kept
        return params

    def close(self) -> None:
        """Give the memory back; the object is of no use afterwards."""
        self._free_context()  # before its model
        self._free_model()

    def adapt(self, file: Path | None) -> None:
        """Read and complete with the LoRA adapter of a file from now on, None for none.

        The weights stay loaded. What was held of the last prompt is forgotten: another read it.

        Raises:
            ModelMissing: it is no adapter of this model.
        """
        if self._adapters.switch(self._context, file):
            self._held = []

    def read(self, tokens: Sequence[int]) -> Logits:
        """Decode a prompt, but for the blocks at its start that the context holds already.

        Blocks begin at multiples of their size whatever was held, so every token is always decoded
        together with the same others: the same prompt gives the same bits after any history.

        Args:
            tokens: at least one, at most `length`.
        """
        kept = min(common(self._held, tokens), len(tokens) - 1) // self.block * self.block
        # A recurrent memory can't go back to a place inside: it starts again.
        if not self._lib.llama_memory_seq_rm(self._memory, 0, kept, -1):
            kept = 0
            self._lib.llama_memory_clear(self._memory, True)
        self._held = list(tokens[:kept])
        for start in range(kept, len(tokens), self.block):
            block = tokens[start : start + self.block]
            self._decode(block)
            if len(block) == self.block:
                self._held += block
        return self._logits()

    def extend(self, token: int) -> Logits:
        """Decode one more token after what was read."""
        self._decode([token])
        return self._logits()

    def _decode(self, tokens: Sequence[int]) -> None:
        until.check()
        forget_errors()
        array = (ctypes.c_int32 * len(tokens))(*tokens)
        batch = self._lib.llama_batch_get_one(array, len(tokens))
        status = self._lib.llama_decode(self._context, batch)
        if status != 0:
            self._held = []
            self._lib.llama_memory_clear(self._memory, True)
            raise ModelMissing(
                f"llama.cpp could not compute (status {status}; {first_error()}). Set a shorter "
                "context or fewer GPU layers, or take a smaller model."
            )

    def _logits(self) -> Logits:
        pointer = self._lib.llama_get_logits_ith(self._context, -1)
        logits = np.ctypeslib.as_array(pointer, shape=(self.vocabulary.size,)).copy()
        if np.isnan(logits.max()):
            raise ModelMissing("The model computes no numbers (NaN): its file is damaged.")
        return logits


def common(left: Sequence[int], right: Sequence[int]) -> int:
    """Count how many tokens two prompts have in common at their start."""
    length = min(len(left), len(right))
    return next((i for i in range(length) if left[i] != right[i]), length)


def _unloadable(path: str) -> ModelMissing:
    return ModelMissing(
        f"llama.cpp can't load {path} ({first_error()}). The file may be cut off, too large for "
        "the memory, or newer than the installed llama-cpp-python."
    )
