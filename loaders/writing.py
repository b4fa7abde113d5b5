"""Text into a file that is afterwards there whole, or as it was."""

import errno
import os
from pathlib import Path

_ONLY_IN_PLACE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY)
"""What a folder says that takes no new file, and a file that is mounted by itself."""


def write_whole(path: Path, text: str) -> None:
    r"""Write a text, its line feeds as they are.

    A device or a pipe is written to, as is a file that is there and can't be replaced.

    Raises:
        OSError: it can't be written.
    """
    path = path.resolve()  # a link stays one
    if path.exists() and not path.is_file():
        _write(path, text)
        return
    part = path.with_name(f"{path.name}.part")
    try:
        _write(part, text)
        os.replace(part, path)
    except OSError as error:
        if error.errno not in _ONLY_IN_PLACE or not path.exists():
            raise
        _write(path, text)
    finally:
        part.unlink(missing_ok=True)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
