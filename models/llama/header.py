"""The header of a GGUF file, as ggml reads it: its tensors and a few numbers."""

import ctypes
import os
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from .file import parts
from .vocabulary import library

_UINT32, _INT32, _ARRAY = 4, 5, 9  # gguf_type
_INTEGERS = {_UINT32: ctypes.c_uint32, _INT32: ctypes.c_int32}


class Tensor(NamedTuple):
    """A tensor's name, ggml type, and size in bytes."""

    name: str
    type: int
    size: int


class _Init(ctypes.Structure):
    _fields_ = (("no_alloc", ctypes.c_bool), ("context", ctypes.c_void_p))


class Header:
    """Tensors and numbers of a file, of all parts of a split one; nothing where it can't be read.

    Attributes:
        tensors: in the file's order.
        numbers: integers of the metadata by key, of a list its greatest.
    """

    def __init__(self, path: Path) -> None:
        self._ggml = _functions(library())
        self.tensors: list[Tensor] = []
        self.numbers: dict[str, int] = {}
        for part in parts(path):
            read = self._ggml.gguf_init_from_file(os.fsencode(part), _Init(True, None))
            if read:
                self._add(ctypes.c_void_p(read))
                self._ggml.gguf_free(ctypes.c_void_p(read))

    def _add(self, read: ctypes.c_void_p) -> None:
        ggml = self._ggml
        for n in range(ggml.gguf_get_n_tensors(read)):
            name = ggml.gguf_get_tensor_name(read, n).decode("utf-8", "replace")
            kind, size = ggml.gguf_get_tensor_type(read, n), ggml.gguf_get_tensor_size(read, n)
            self.tensors.append(Tensor(name, kind, size))
        for n in range(ggml.gguf_get_n_kv(read)):
            value = self._number(read, n)
            if value is not None:
                key = ggml.gguf_get_key(read, n).decode("utf-8", "replace")
                self.numbers.setdefault(key, value)

    def _number(self, read: ctypes.c_void_p, n: int) -> int | None:
        ggml, kind = self._ggml, self._ggml.gguf_get_kv_type(read, n)
        count = 1
        if kind == _ARRAY:
            kind, count = ggml.gguf_get_arr_type(read, n), ggml.gguf_get_arr_n(read, n)
            data = ggml.gguf_get_arr_data(read, n) if kind in _INTEGERS and count else None
        else:
            data = ggml.gguf_get_val_data(read, n) if kind in _INTEGERS else None
        if data is None:
            return None
        return max(ctypes.cast(data, ctypes.POINTER(_INTEGERS[kind]))[:count])


def _functions(lib: ModuleType) -> ctypes.CDLL:
    """The functions of ggml, with types, found through the library that depends on it."""
    ggml: ctypes.CDLL = lib.llama_cpp._lib
    context, index = ctypes.c_void_p, ctypes.c_int64
    for name, returns in (
        ("gguf_get_tensor_name", ctypes.c_char_p),
        ("gguf_get_tensor_type", ctypes.c_int),
        ("gguf_get_tensor_size", ctypes.c_size_t),
        ("gguf_get_key", ctypes.c_char_p),
        ("gguf_get_kv_type", ctypes.c_int),
        ("gguf_get_val_data", ctypes.c_void_p),
        ("gguf_get_arr_type", ctypes.c_int),
        ("gguf_get_arr_n", ctypes.c_size_t),
        ("gguf_get_arr_data", ctypes.c_void_p),
    ):
        function = getattr(ggml, name)
        function.argtypes, function.restype = (context, index), returns
    for name in ("gguf_get_n_tensors", "gguf_get_n_kv"):
        getattr(ggml, name).argtypes, getattr(ggml, name).restype = (context,), index
    ggml.gguf_init_from_file.argtypes = (ctypes.c_char_p, _Init)
    ggml.gguf_init_from_file.restype = ctypes.c_void_p
    ggml.gguf_free.argtypes, ggml.gguf_free.restype = (context,), None
    return ggml
