"""What a GGUF file is, without loading it."""

import hashlib
import re
from pathlib import Path

from ...kg.errors import ModelMissing

_WHOLE = 64 << 20  # bytes
_HEAD, _SAMPLES, _SAMPLE = 16 << 20, 256, 64 << 10


def check_file(path: Path) -> None:
    """Refuse a path that is no GGUF file before llama.cpp gets it.

    Raises:
        ModelMissing: nothing is there, or it is not a GGUF file.
    """
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise _unreadable(path, error) from error
    if magic != b"GGUF":
        raise ModelMissing(f"The model {path} is no GGUF file. Name one, or download it again.")


def content_hash(path: Path) -> str:
    """Hash a file: up to 64 MiB all of it, else its size and samples.

    The samples are the first 16 MiB (header with the quantisation, vocabulary) and 256 blocks of
    64 KiB spread over the rest: enough to tell models apart, not to detect a flipped bit.

    Raises:
        ModelMissing: a part can't be read.
    """
    digest = hashlib.sha256()
    try:
        for part in parts(path):
            _add_file(digest, part)
    except OSError as error:
        raise _unreadable(path, error) from error
    return digest.hexdigest()[:16]


def parts(path: Path) -> list[Path]:
    """List all files of a model, more than one where it is split as `name-00001-of-00003.gguf`."""
    split = re.fullmatch(r"(.*)-00001-of-(\d{5})\.gguf", path.name)
    if not split:
        return [path]
    total = int(split[2])
    return [path.with_name(f"{split[1]}-{n:05}-of-{split[2]}.gguf") for n in range(1, total + 1)]


def _add_file(digest: "hashlib._Hash", path: Path) -> None:
    size = path.stat().st_size
    digest.update(size.to_bytes(8, "big"))
    with path.open("rb") as file:
        if size <= _WHOLE:
            digest.update(file.read())
            return
        digest.update(file.read(_HEAD))
        for number in range(_SAMPLES):
            file.seek(_HEAD + (size - _HEAD - _SAMPLE) * number // (_SAMPLES - 1))
            digest.update(file.read(_SAMPLE))


def _unreadable(path: Path, error: OSError) -> ModelMissing:
    return ModelMissing(f"The model {path} can't be read ({error.strerror}). Name a GGUF file.")
