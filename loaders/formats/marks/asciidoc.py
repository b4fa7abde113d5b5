"""AsciiDoc's marks taken out of its lines; its headings are those of typed text."""

import re
from collections.abc import Iterator
from itertools import pairwise

from ...layout import CODE
from .headings import RULE, underlined

_ANCHOR = re.compile(r"\[\[[\w.:-]+(?:,[^\[\]]*)?\]\][ \t]*")
_ATTRIBUTE = re.compile(r":[A-Za-z][\w-]*:(?:[ \t].*)?|\[[a-zA-Z][\w ,=\"'%.#-]*\][ \t]*|//(?!/).*")
_REFERENCE = re.compile(r"<<[\w#:./-]++(?:,([^<>\n]*+))?>>")
_MONO = re.compile(r"(?<![\w`])`([^`\n]+)`(?![\w`])")
_BLOCK = re.compile(r"^\.(?=[^\W\d_])")  # begins the title of a block
_AROUND_CODE = "-."  # what such lines are made of
_FENCE = 4  # of them at least


def marked(lines: list[str]) -> bool:
    """Whether it is AsciiDoc: it begins with "= Title", or has a line of an anchor, or a block's.

    A block's title stands above the rule that begins it: ".Example", "----".
    """
    anchors = any(_ANCHOR.fullmatch(line) for line in lines)
    blocks = any(_BLOCK.match(line) and RULE.fullmatch(below) for line, below in pairwise(lines))
    return lines[0].startswith("= ") or anchors or blocks


def without_marks(lines: list[str]) -> Iterator[str]:
    """Give lines as a reader would see them, those of code set in."""
    code = ""  # the line that ends it
    last = {line: place for place, line in enumerate(lines)}
    for place, line in enumerate(lines):
        if code:
            code = "" if line == code else code
            yield CODE + line if code and line else ""
        elif _begins_code(lines, place):
            code = line if last[line] > place else ""
            yield ""
        elif _ATTRIBUTE.fullmatch(line):
            yield ""
        else:
            line = _ANCHOR.sub("", _MONO.sub(r"\1", _BLOCK.sub("", line)))
            yield _REFERENCE.sub(lambda found: (found[1] or "").strip(), line).replace("\\--", "--")


def _begins_code(lines: list[str], place: int) -> bool:
    rule, above = RULE.fullmatch(lines[place]), lines[place - 1] if place else ""
    if not rule or rule[1] not in _AROUND_CODE or len(lines[place]) < _FENCE:
        return False
    return bool(_BLOCK.match(above)) or not (above and underlined(lines, place - 1))
