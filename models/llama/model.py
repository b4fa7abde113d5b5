"""A GGUF file run by llama.cpp in this process (extra `llama`, the package llama-cpp-python)."""

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ...kg.errors import BadRequest, ModelUnavailable
from ..language import GREEDY, Completion, Decoding, OptionScores
from .adapters import adapter_files
from .context import Context, Setup
from .file import content_hash
from .loaded import Loaded, shared_once
from .memory import ALL, gpu_layers
from .options import over_options
from .prompt import PromptFormat
from .trial import repacks


def default_threads() -> int:
    """Choose half the processors this process may use, at most OMP_NUM_THREADS.

    The other half are mostly siblings on the same cores, and a thread that waits for its turn on a
    busy machine stalls all others: two on two busy cores were many times slower than one.
    """
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    half = max(1, (usable or 1) // 2)
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    return max(1, min(half, int(wanted))) if wanted.isdecimal() else half


@dataclass(eq=False)
class LlamaCpp:
    """A `LanguageModel` on a GGUF file, loaded at first use.

    Prompts that share their beginning should follow each other: what the last one had in common
    with the next, in whole blocks, is not decoded again. Any thread may call; one at a time is
    served. A forked child can't use its parent's model and is told so: load after the fork.

    Args:
        path: the file; of a split model, its first part.
        context: tokens of prompt and completion at most; the model's own limit where that is less.
        gpu_layers: layers on the GPU, -1 for all; none is as many as its memory holds. Without
            effect in a build without GPU.
        threads: of the processor; None is half of them (`default_threads`).
        flash_attention: attention without its large intermediate matrix; None is where the build
            has a GPU. On a processor it is no faster and rounds more.
        exact_memory: remember keys and values in F32: twice the memory, smaller rounding errors.
        block: tokens decoded at once, and the unit in which a prefix is kept: smaller keeps more of
            it, larger reads long prompts faster on a GPU. None is 32, or 512 where the build has a
            GPU.
        repack: put weights of some quantisations in the order that the processor's instructions
            read them in.
        chat: put prompts into the model's chat template, if the file has one.
        thinking: off, or on: the model thinks before it answers.
        thinking_tokens: that a thought may take, besides those of the answer; it is closed then.
        adapters: a folder of LoRA adapters, whose names prompts choose them by: explore.gguf and
            complete.gguf for KnowTrace. They share the file's weights, which are loaded once.
    """

    path: str | Path
    context: int = 8192
    gpu_layers: int | None = None
    threads: int | None = None
    flash_attention: bool | None = None
    exact_memory: bool = False
    block: int | None = None
    repack: bool = True
    chat: bool = True
    thinking: Literal["off", "on"] = "off"
    thinking_tokens: int = 2048
    adapters: str | None = None
    _lock: threading.RLock = field(default_factory=threading.RLock, init=False, repr=False)
    _loaded: Loaded | None = field(default=None, init=False, repr=False)
    _closed: bool = field(default=False, init=False, repr=False)

    def __post_init__(self) -> None:
        least = {"context": 1, "gpu_layers": -1, "threads": 1, "block": 1, "thinking_tokens": 1}
        for name, most in least.items():
            value = getattr(self, name)
            if value is not None and value < most:
                raise BadRequest(f"{name} of a GGUF file is at least {most}, not {value}.")
        if self.thinks and not self.chat:
            raise BadRequest("A model thinks in its chat template: chat=false is without thinking.")

    @property
    def name(self) -> str:
        """The file's name."""
        return Path(self.path).name

    @property
    def fingerprint(self) -> str:
        """The file's content, which holds its quantisation, and the settings.

        Of a large file only samples are hashed (`content_hash`). The machine is not in
        it: what was said on a GPU may be replayed where there is none.

        Raises:
            ModelMissing: the file can't be read.
        """
        return self._fingerprint

    @cached_property
    def _fingerprint(self) -> str:
        settings = (
            f"flash={self.flash_attention}",
            f"memory={'f32' if self.exact_memory else 'f16'}",
            f"block={self.block}",
            f"gpu={ALL if self.gpu_layers is None else self.gpu_layers}",
            f"chat={self.chat}",
            f"repack={self.repack}",
            f"thinking={self.thought_tokens or 'off'}",
        )
        adapted = (f"{name}={content_hash(file)}" for name, file in self._adapters.items())
        return " ".join((self.name, content_hash(Path(self.path)), *settings, *adapted))

    @cached_property
    def _adapters(self) -> Mapping[str, Path]:
        return adapter_files(Path(os.path.expanduser(self.adapters))) if self.adapters else {}

    @property
    def context_length(self) -> int:
        """Tokens that prompt and completion may have together; loads the file."""
        with self._use() as loaded:
            return loaded.context.length

    @property
    def layers_on_gpu(self) -> int:
        """How many layers the GPU computes, the output counted as one; loads the file."""
        with self._use() as loaded:
            return loaded.context.gpu_layers

    @property
    def repacked(self) -> bool:
        """Whether weights were repacked where that can be done; loads the file."""
        with self._use() as loaded:
            return loaded.context.repack

    @property
    def reserved_tokens(self) -> int:
        """Tokens that the chat template puts around a prompt, and those of a thought.

        The template's are measured by rendering one prompt.
        """
        with self._use() as loaded:
            return loaded.reserved

    @property
    def thinks(self) -> bool:
        """Whether the model is let to think."""
        return self.thinking == "on"

    @property
    def thought_tokens(self) -> int:
        """Tokens that a thought may take before each completion."""
        return self.thinking_tokens if self.thinks else 0

    def count_tokens(self, text: str) -> int:
        with self._use() as loaded:
            return len(loaded.context.vocabulary.tokenise(text, bos=False))

    def generate(self, prompts: Sequence[str], decoding: Decoding = GREEDY) -> list[Completion]:
        """Complete each prompt; each starts from the seed anew, whatever stands beside it.

        Raises:
            ModelUnavailable: the model does nothing but think.
        """
        if decoding.max_tokens < 1:
            raise BadRequest(f"max_tokens is {decoding.max_tokens}; it has to be at least 1.")
        with self._use() as loaded:
            read = [loaded.read(prompt, decoding.max_tokens)[1] for prompt in prompts]
            said = [loaded.complete(tokens, decoding) for tokens in read]
        for one in said:
            if one.thought and not one.text.strip():
                raise self._only_thought(one)
        return said

    def choose(self, prefix: str, tails: Sequence[str], options: Sequence[str]) -> OptionScores:
        """Score options; the tokens of prefix + tail are split where they differ.

        A model that thinks does so for each tail before.
        """
        with self._use() as loaded:
            prompts = [loaded.read(prefix + tail) for tail in tails]
            chosen, thoughts, spent = np.zeros((len(tails), len(options))), [], 0
            for row, (text, tokens) in zip(chosen, prompts, strict=True):
                thought = loaded.begin(tokens, GREEDY)
                spelt = loaded.options(text + thought.spelt, tokens, options)
                row[:] = over_options(thought.logits, spelt)
                thoughts += [thought.text] if thought.text else []
                spent += thought.tokens
        read = shared_once([tokens for _, tokens in prompts])
        return OptionScores(chosen, tokens_in=read, tokens_out=spent, thoughts=tuple(thoughts))

    def supervision(self, prompt: str, said: str) -> tuple[list[int], list[int]]:
        """Give what training takes: the prompt's tokens, and the reply's with that which ends it.

        Raises:
            BadRequest: the prompt is empty, or longer than the context.
        """
        with self._use() as loaded:
            return loaded.supervision(prompt, said)

    def next_token(self, tokens: Sequence[int], adapter: Path | None = None) -> NDArray[np.float32]:
        """Score what comes after these tokens: logits (n_vocabulary,).

        Args:
            adapter: a file, of the setting's folder or not.
        """
        with self._use() as loaded:
            loaded.context.adapt(adapter)
            return loaded.context.read(tokens)

    def _only_thought(self, said: Completion) -> ModelUnavailable:
        more = (
            f"Let it think longer: :thinking_tokens={2 * self.thinking_tokens}."
            if self.thinks
            else "Its chat template does not tell that it thinks. Let it: :thinking=on."
        )
        return ModelUnavailable(
            f"{self.name} thought ({said.tokens_out} tokens: {said.thought[:60]!r} …) and gave no "
            f"answer. {more}"
        )

    def close(self) -> None:
        """Give the memory back, once what another thread is doing is done."""
        with self._lock:
            self._closed = True
            if self._loaded is not None and self._loaded.process == os.getpid():
                self._loaded.context.close()
            self._loaded = None

    @contextmanager
    def _use(self) -> Iterator[Loaded]:
        if self._loaded is not None and self._loaded.process != os.getpid():
            # Before the lock, which a thread that did not follow into the child may have held.
            raise BadRequest(
                f"The model {self.name} was loaded before this process was forked. Make a new one "
                "in the child, or start the child by spawning."
            )
        with self._lock:
            if self._closed:
                raise BadRequest(f"The model {self.name} is closed. Open it anew.")
            if self._loaded is None:
                self._loaded = self._load()
            yield self._loaded

    def _load(self) -> Loaded:
        setup = Setup(
            str(self.path),
            self.context,
            ALL if self.gpu_layers is None else self.gpu_layers,
            default_threads() if self.threads is None else self.threads,
            self.flash_attention,
            self.exact_memory,
            self.block,
            self.repack,
        )
        if self.gpu_layers is None:
            setup = replace(setup, gpu_layers=gpu_layers(setup))
        context = Context(replace(setup, repack=repacks(setup)))
        prompts = PromptFormat(context.vocabulary, self.chat, self.thinks)
        return Loaded(context, prompts, self.thought_tokens, os.getpid(), self._adapters)
