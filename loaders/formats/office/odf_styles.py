"""Styles of OpenDocument files: what a paragraph is for, and what is hidden."""

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]: compiled

from ..archive import Archive
from .parts import inside, tag_of, value_of

_MOST = 20  # styles based on each other; also ends a circle


class Styles:
    """Reads the styles of a file, its own and those that its parts define for themselves."""

    def __init__(self, archive: Archive, content: etree._Element) -> None:
        self._parents: dict[str, str] = {}
        self._hidden: set[str] = set()
        if "styles.xml" in archive:
            self._add(archive.xml("styles.xml"))
        self._add(content)

    def is_title(self, style: str) -> bool:
        """Whether paragraphs of a style are the document's title."""
        for _ in range(_MOST):
            if style == "Title":
                return True
            style = self._parents.get(style, "")
        return False

    def hides(self, style: str) -> bool:
        """Whether text, a sheet or a slide of a style is not shown."""
        for _ in range(_MOST):
            if style in self._hidden:
                return True
            style = self._parents.get(style, "")
        return False

    def _add(self, root: etree._Element) -> None:
        for part in root:
            for style in inside(part, "style"):
                name = value_of(style, "name")
                self._parents[name] = value_of(style, "parent-style-name")
                if any(map(_hides, style)):
                    self._hidden.add(name)


def _hides(properties: etree._Element) -> bool:
    kind = tag_of(properties)
    if kind in ("text-properties", "table-properties"):
        return value_of(properties, "display") in ("none", "false")
    return kind == "drawing-page-properties" and value_of(properties, "visibility") == "hidden"
