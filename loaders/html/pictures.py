"""Pictures' texts, each said once: many a caption is the same as its picture's text."""

import re

from ...kg.text.words import fold
from ..layout import Layout, Mark

_LABEL = re.compile(r"[^\W\d_]+\.? [\dA-Z][\w.-]{0,9}[.:]?\s+")  # "Figure 3.5. "


class Pictures:
    """Writes pictures' texts into a page."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._last: tuple[str, Mark, Mark] | None = None  # text; before it and behind it

    def add(self, text: str, in_table: bool) -> None:
        """Write a picture's text, unless the line above is its caption and says the same.

        Args:
            in_table: where it stands: two cells may say the same, without "Figure 3.5.".
        """
        layout = self._layout
        behind = self._last and self._last[2][1] == layout.length  # another picture
        line = layout.last_line()
        if not behind and _same(line, text) and (_LABEL.match(line) or not in_table):
            return
        before = layout.mark()
        layout.add(f" {text} ")
        self._last = None if in_table else (text, before, layout.mark())

    def caption(self) -> tuple[Mark, str] | None:
        """Find out, where a block ends, whether it is the last picture's caption and says the same.

        Returns:
            Where the picture's text begins, which may be taken back, and the caption.
        """
        if self._last is None or not (said := self._layout.since(self._last[2])):
            return None
        (text, before, behind), self._last = self._last, None
        headed = len(self._layout.sections) > behind[2]
        return (before, said) if _same(said, text) and not headed else None


def _same(caption: str, text: str) -> bool:
    """Whether a caption, without "Figure 3.5.", is a picture's text."""
    said, told = (" ".join(fold(one).split()).rstrip(".") for one in (_unlabelled(caption), text))
    return bool(told) and told in (said, " ".join(fold(caption).split()).rstrip("."))


def _unlabelled(caption: str) -> str:
    return _LABEL.sub("", caption.strip(), count=1) if _LABEL.match(caption.strip()) else caption
