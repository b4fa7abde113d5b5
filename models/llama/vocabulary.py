"""The package llama_cpp, and the vocabulary of a loaded GGUF file."""

import collections
import ctypes
import functools
import importlib
import os
from types import ModuleType

from ...kg.errors import ModelMissing

_CONTROL = 1 << 0 | 1 << 3  # LLAMA_TOKEN_ATTR_UNKNOWN and _CONTROL
_ERROR = 4  # GGML_LOG_LEVEL_ERROR; the package's own table is that of older versions

_log: collections.deque[str] = collections.deque(maxlen=20)


@functools.cache
def library() -> ModuleType:
    """Import llama_cpp, quiet, its threads asleep while they wait for each other."""
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # libgomp reads it when it is loaded
    try:
        lib = importlib.import_module("llama_cpp")
    except (ImportError, OSError, RuntimeError) as error:  # absent, or its shared library is
        raise ModelMissing(
            f'A GGUF file needs llama-cpp-python ({error}): pip install "hoptrail[llama]"'
        ) from error
    lib.llama_log_set(_keep_errors(lib), ctypes.c_void_p(0))
    lib.llama_backend_init()
    return lib


@functools.cache
def _keep_errors(lib: ModuleType) -> object:
    """A log function for C; cached, because C holds it as long as the process lives."""

    def keep(level: int, text: bytes, _data: object) -> None:
        if level == _ERROR:
            _log.append(text.decode("utf-8", "replace").strip())

    return lib.llama_log_callback(keep)


def forget_errors() -> None:
    """Forget what llama.cpp logged, before what `first_error` may be wanted for."""
    _log.clear()


def first_error() -> str:
    """Give the first error that llama.cpp logged: those that follow only pass it on."""
    return _log[0][:200] if _log else "no reason given"


class Vocabulary:
    """Text to tokens and back.

    Args:
        model: pointer to a loaded model, which has to outlive this.
    """

    def __init__(self, model: object) -> None:
        self._lib = lib = library()
        self._model = model
        self.pointer = lib.llama_model_get_vocab(model)
        self.size = int(lib.llama_vocab_n_tokens(self.pointer))
        self.adds_bos = bool(lib.llama_vocab_get_add_bos(self.pointer))
        self._bos = int(lib.llama_vocab_bos(self.pointer))
        self.bos = self._text(self._bos)
        self.eos = self._text(lib.llama_vocab_eos(self.pointer))
        turn = int(lib.llama_vocab_eot(self.pointer))
        self.end = turn if turn >= 0 else int(lib.llama_vocab_eos(self.pointer))
        self._pieces: dict[tuple[int, bool], bytes] = {}

    def tokenise(self, text: str, bos: bool) -> list[int]:
        """Tokenise a text; control tokens spelt out in it become what they spell.

        Never with an end token, which some files ask for: nothing would follow the prompt.
        """
        raw = text.encode("utf-8", "replace")  # a lone surrogate is no text
        room = len(raw) + 8
        tokens = (ctypes.c_int32 * room)()
        count = self._lib.llama_tokenize(self.pointer, raw, len(raw), tokens, room, False, True)
        return [self._bos, *tokens[:count]] if bos and self._bos >= 0 else tokens[:count]

    def piece(self, token: int, control: bool = False) -> bytes:
        """Give what a token adds to a text; for control tokens nothing, or how they are spelt."""
        known = self._pieces.get((token, control))
        if known is None:
            size, to_piece = 256, self._lib.llama_token_to_piece
            buffer = ctypes.create_string_buffer(size)
            count = to_piece(self.pointer, token, buffer, size, 0, control)
            if count < 0:
                size = -count
                buffer = ctypes.create_string_buffer(size)
                count = to_piece(self.pointer, token, buffer, size, 0, control)
            known = self._pieces[token, control] = buffer.raw[:count]
        return known

    def ends(self, token: int) -> bool:
        """Tell whether a token ends the completion."""
        return bool(self._lib.llama_vocab_is_eog(self.pointer, token))

    def control_texts(self) -> list[str]:
        """How the control tokens are spelt, such as "<s>"."""
        attribute = self._lib.llama_vocab_get_attr
        control = (t for t in range(self.size) if attribute(self.pointer, t) & _CONTROL)
        return [text for text in map(self._text, control) if len(text) > 1]

    def metadata(self, key: str) -> str | None:
        """Read a value of the file's header."""
        size = 1 << 16
        while True:
            buffer = ctypes.create_string_buffer(size)
            needed = self._lib.llama_model_meta_val_str(self._model, key.encode(), buffer, size)
            if needed < size:
                return buffer.value.decode("utf-8", "replace") if needed >= 0 else None
            size = needed + 1

    def _text(self, token: int) -> str:
        if token < 0:  # the vocabulary has none
            return ""
        return self._lib.llama_vocab_get_text(self.pointer, token).decode("utf-8", "replace")
