"""Text into a file that is afterwards there whole, or as it was."""

import os
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    r"""Write a text, its line feeds as they are; a device or a pipe is written to, not replaced.

    Raises:
        OSError: it can't be written; what stood there before still does.
    """
    path = path.resolve()  # a link stays one
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8", newline="\n")
        return
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
