"""LoRA adapters of a loaded model: files that change its weights by two small matrices each."""

import ctypes
import os
from pathlib import Path
from typing import Any

from ...kg.errors import ModelMissing
from .file import check_file
from .vocabulary import first_error, forget_errors, library


def adapter_files(folder: Path) -> dict[str, Path]:
    """Name the adapters in a folder, `explore.gguf` and others, by their files' stems.

    Raises:
        ModelMissing: there is no such folder, or it holds no adapter.
    """
    files = {file.stem: file for file in sorted(folder.glob("*.gguf"))}
    if not files:
        raise ModelMissing(
            f"The folder {folder} holds no adapters (explore.gguf, complete.gguf). "
            "hoptrail train knowtrace --trainer lora writes some."
        )
    return files


class Adapters:
    """The adapters of a model, each loaded when it is first wanted.

    Args:
        model: pointer to a loaded model, which frees its adapters.
    """

    def __init__(self, model: object) -> None:
        self._lib = library()
        self._model = model
        self._loaded: dict[Path, Any] = {}
        self._used: Path | None = None

    def switch(self, context: object, file: Path | None) -> bool:
        """Use the adapter of this file from now on, None for none; whether another was used.

        Raises:
            ModelMissing: it is no adapter of this model.
        """
        if file == self._used:
            return False
        chosen = [] if file is None else [self._pointer(file)]
        pointers = (self._lib.llama_adapter_lora_p_ctypes * len(chosen))(*chosen)
        scales = (ctypes.c_float * len(chosen))(*[1.0] * len(chosen))
        if self._lib.llama_set_adapters_lora(context, pointers, len(chosen), scales) != 0:
            raise ModelMissing(f"llama.cpp can't use the adapter {file} ({first_error()}).")
        self._used = file
        return True

    def _pointer(self, file: Path) -> object:
        if file not in self._loaded:
            check_file(file)
            forget_errors()
            pointer = self._lib.llama_adapter_lora_init(self._model, os.fsencode(file))
            if not pointer:
                raise ModelMissing(
                    f"llama.cpp can't load the adapter {file} ({first_error()}). It may be cut "
                    "off, or made for another model."
                )
            self._loaded[file] = pointer
        return self._loaded[file]
