"""Markdown files, reduced to the plain text that a reader would see.

A reduction by rules, not a CommonMark parser: what matters is whole sentences without markup for
the splitter and the dependency parse, and nothing said in the file lost.
"""

import html
import re
from collections.abc import Iterator
from pathlib import Path

from ...kg.text.lines import both_labelled
from ...kg.types import Document, Section
from ..html.bars import is_bar
from ..html.links import is_label, leads_on
from ..layout import CODE, cut, heading_of
from ..options import Options
from ..outline import Item, described, fields, outlined
from ..reading import read_text
from ..tables import Cell, Row, rows
from .text import file_document, title_of_lines, titled

_FRONT_MATTER = re.compile(  # YAML's, or TOML's
    r"\A(?:---[ \t]*\n(.*?\n)?(?:---|\.\.\.)|\+\+\+[ \t]*\n(.*?\n)?\+\+\+)[ \t]*(?:\n|\Z)",
    re.DOTALL,
)
_PAIR = re.compile(r"^([A-Za-z][\w-]*)(?::| *=)[ \t]+(\S.*)$", re.MULTILINE)
_IN_LINES = re.compile(r"^([A-Za-z][\w-]*:)[ \t]*\n((?:[ \t]*- ?\S.*\n)+)", re.MULTILINE)
_FENCE = re.compile(
    r"^ {0,3}(?P<fence>```++|~~~++)[^\n`]*\n(?P<code>.*?)(?:^ {0,3}(?P=fence)[`~]*[ \t]*$|\Z)",
    re.M | re.S,
)
_CODE = re.compile(r"(?<!`)(`+)(?!`)([^`]+|[^`].*?[^`])\1(?!`)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:[ \t]+(.*))?$")
_FIRST_BLOCKS = 3  # of a file, and lines: among fewer is its title in bold
_CLOSING = re.compile(r"(?:^|[ \t])#+$")
_BOLD = re.compile(r"[ \t]*([-*+][ \t]+)?(\*\*|__)(?!\s)((?:(?!\2).)+)\2(\??)[ \t]*")
_RUN_IN = re.compile(  # "2. **Finance.** Ann Lee presented the accounts."
    r"( {0,3}\d{1,3}[.)][ \t]+)?(\*\*|__)([^\W\d_a-z][^*_\n]{1,58}?)(?:[.:]\2|\2:)[ \t]+"
    r"(\S(?:\S*[ \t]+){4}\S.*)"
)
_LEAST_RUN_IN = 3
_NUMBER = re.compile(r"\d+(?:[.)]|(?:\.\d+)+\.?)[ \t].*[^.,;:]")
_UNDERLINE = re.compile(r"^ {0,3}(?:=+|-{2,})[ \t]*$")
_RULE = re.compile(r"^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_QUOTE = re.compile(r"^(?: {0,3}>[ \t]?)+")
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]+\]:[ \t]*\S+(?:[ \t]+[\"'(].*[\"')])?[ \t]*$")
_CONTENTS = re.compile(r"^[ \t]*\[{1,2}_?toc_?\]{1,2}[ \t]*$", re.IGNORECASE)  # stands for them
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)")
_REFERENCE = re.compile(r"!?\[([^\[\]]+)\]\[[^\[\]]*\]")
_WIKI = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]")
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]+\](?::[ \t]*)?")
_NAMED_MAIL = re.compile(r"\b([^\W\d_a-z]\w* )<([\w.+-]+@[\w.-]+)>")
_AUTOLINK = re.compile(r"<((?:https?|ftp|mailto):[^<>\s]+|[\w.+-]+@[\w.-]+)>")
_BREAK = re.compile(r"<br[ \t]*/?>", re.IGNORECASE)
_ELEMENTS = """a abbr acronym address article aside audio b bdi bdo big blockquote body br button
    canvas caption center cite code col colgroup data dd del details dfn dialog dir div dl dt em
    embed fieldset figcaption figure font footer form h[1-6] head header hr html i iframe img input
    ins kbd label legend li link main map mark menu meta nav noscript object ol optgroup option
    output p param picture pre progress q rp rt ruby s samp script section select small source span
    strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time
    title tr track tt u ul var video wbr"""
_TAG = re.compile(  # others are placeholders: "--hash <name>"
    rf"</?(?:{'|'.join(_ELEMENTS.split())})(?=[\s/>])[^<>]*>|</[A-Za-z][\w.:-]*>"
    r"|<[A-Za-z][\w.:-]*(?:/|\s[^<>]*?(?:=|/(?=>)))[^<>]*>",
    re.IGNORECASE,
)
_STRUCK = re.compile(r"~~(?=\S)[^~\n]*[^~\s]~~")  # what no longer holds
_STARS = re.compile(r"(\*{1,3})(?=\S)([^*\n]*[^*\s])\1")
_UNDERSCORES = re.compile(r"(?<![^\W_])(_{1,3})(?=\S)([^_\n]*[^_\s])\1(?![^\W_])")
_RULED = re.compile(
    r"^ {0,3}(?=[^\n]*\|)\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*$"
)
_DEFINED = re.compile(r"^ {0,3}:[ \t]+(\S.*)")
_BLOCK = re.compile(rf"[ \t]*(?:$|[#>|:{chr(0x10E000)}]|[-*+][ \t]|\d{{1,9}}[.)][ \t])|.{{81}}")
"""A line that is no term over its definition."""
_PRIVATE = 0x10E000  # code and escaped characters wait here while markup goes
_HIDDEN = {code: _PRIVATE + code for code in range(0x21, 0x7F) if not chr(code).isalnum()}
_SHOWN = {hidden: code for code, hidden in _HIDDEN.items()} | {_PRIVATE: None}
_VERBATIM = chr(_PRIVATE)  # begins every line of a code block
_NAMED = re.compile(
    r"(\*\*|__)(?=\S)[^*_\n]+\1:?[ \t]*$|[^\W_][^.!?\n]*:[ \t]*$"
)  # a line above a list
_HEADED = chr(_PRIVATE - 1)  # begins every line that is a heading
_APART = chr(_PRIVATE - 2)  # … of an item that speaks of something else
_HEADED_NOTHING = re.compile(f"^{_HEADED}[^\\S\n]*$", re.MULTILINE)


def load(path: Path, options: Options | None = None) -> Iterator[Document]:
    """Read a Markdown file as one document.

    Its title is the first heading, else the front matter's title, else as `text.titled`; that of
    front matter goes before a heading that is not of the first level. The plain `key: value` lines
    of front matter are its metadata. Every other heading begins a section.

    Raises:
        SourceError: as `reading.chunks`.
    """
    body, metadata = _front_matter(read_text(path, (options or Options()).encoding))
    heading, text, sections, table = reduced(body, "title" in metadata)
    title = heading or metadata.get("title", "") or _title_in_bold(body)
    title, text, sections = titled(path, title, text or heading, sections)
    if text:
        yield file_document(path, title, text, metadata, sections, table)


def _title_in_bold(body: str) -> str:
    """The lines in bold at the beginning of a file that has no headings; they stay in its text."""
    blocks = body.strip().split("\n\n", _FIRST_BLOCKS)[:_FIRST_BLOCKS]
    for lines in (block.strip().split("\n") for block in blocks):
        if len(lines) < _FIRST_BLOCKS and all(map(_BOLD.fullmatch, lines)):
            return title_of_lines([_inline(line).strip(" :") for line in lines])
    return ""


def plain(markdown: str) -> tuple[str, str, tuple[Section, ...]]:
    """Reduce Markdown to (first heading or "", text without markup, sections)."""
    return reduced(markdown)[:3]


def reduced(markdown: str, titled: bool = False) -> tuple[str, str, tuple[Section, ...], list[Row]]:
    """Reduce Markdown to (first heading or "", text without markup, sections, rows of tables).

    A heading that begins the text is the title: it is not repeated and begins no section.

    Headings, paragraphs, list items and table rows become a line each, code stays as it is, links
    and emphasis leave their text, HTML tags and comments go.

    Args:
        markdown: without front matter.
        titled: whether that names a title: then only a heading of the first level is one.
    """
    text = _FENCE.sub(_verbatim, re.sub(f"[{_APART}{_HEADED}]", "", markdown))
    text = _CODE.sub(lambda found: found[2].strip().translate(_HIDDEN), text)
    text = _ESCAPE.sub(lambda found: found[1].translate(_HIDDEN), text)
    source, table = _tables(_without_comments(text).split("\n"))
    lines, first = _lines(list(_headed(list(_defined(source)))), titled)
    text = "\n".join(_inline(line) for line in lines).translate(_SHOWN)
    heading = _inline(first).translate(_SHOWN).strip()
    text = re.sub(r"\n{3,}", "\n\n", _HEADED_NOTHING.sub("", text))
    text, sections = _sections(text)
    if heading and (text == heading or text.startswith(heading + "\n")):
        text, sections = cut(text, sections, len(heading), len(text))
    return heading, text, sections, table


def _tables(source: list[str]) -> tuple[list[str], list[Row]]:
    """Lines with rows of tables and lists written out, which are verbatim then, and these rows."""
    lines, found, place = list[str](), list[Row](), 0
    known = fields(_item(line) for line in source if _ITEM.match(line))
    while place < len(source):
        end = _end_of_table(source, place)
        written = rows(_grid(source[place:end]), header=True) if end else None
        if not end and (end := _end_of_list(source, place)):
            written, named = _listed_rows(source[place:end], lines, known)
            del lines[len(lines) - named :]
        if written is None:
            end = end or place + 1
            lines += source[place:end]
        else:
            found += written
            said = "\n".join(one.text for one in written if one.text)
            lines += ["", *(_VERBATIM + line for line in said.translate(_HIDDEN).split("\n")), ""]
        place = end
    return lines, found


def _end_of_table(source: list[str], place: int) -> int:
    """Where a table that begins in this line ends, 0 where none does."""
    if place + 2 >= len(source) or "|" not in source[place] or not _RULED.match(source[place + 1]):
        return 0
    end = place + 2
    while end < len(source) and "|" in source[end]:
        end += 1
    return end if end > place + 2 else 0


def _end_of_list(source: list[str], place: int) -> int:
    """Where items that begin in this line end, 0 where none does; each is a single line."""
    end = 0
    for number in range(place, len(source)):
        line, following = source[number], source[number + 1 : number + 2]
        if not line.strip():
            continue
        if not _ITEM.match(line) or _RULE.match(line):
            break
        if following and following[0].strip() and not _ITEM.match(following[0]):
            break  # it goes on
        end = number + 1
    return end


def _listed_rows(
    source: list[str], before: list[str], known: set[str]
) -> tuple[list[Row] | None, int]:
    """The rows of a list, and how many of the lines before it are its name."""
    raw = [line for line in source if line.strip()]
    indents = [len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip()) for line in raw]
    open_, items = list[int](), list[Item]()
    for line, indent in zip(raw, indents, strict=True):
        while open_ and open_[-1] >= indent:
            open_.pop()
        items.append(Item(len(open_), _item(line)))
        open_.append(indent)
    if (written := outlined(items, known)) or any(item.depth for item in items):
        return written, 0
    above = next((n for n in range(len(before) - 1, -1, -1) if before[n].strip()), None)
    if above is None or above < len(before) - 2:
        return None, 0
    if heading := _HEADING.match(before[above]):
        about = _item(_CLOSING.sub("", heading[1] or ""))
        return described([item.text for item in items], about, known), 0
    if not _NAMED.match(before[above]):
        return None, 0
    name = Item(0, _item(before[above]))
    written = outlined([name, *(Item(1, item.text) for item in items)], known)
    return written, len(before) - above if written else 0


def _item(line: str) -> str:
    return _inline(_ITEM.sub("", line)).translate(_SHOWN).strip()


def _grid(table: list[str]) -> list[list[Cell]]:
    """The cells of a table's lines, without the rule under its head."""
    return [
        [
            Cell(_inline(cell.strip()).translate(_SHOWN))
            for cell in re.split(r"(?<!\\)\|", re.sub(r"^\||(?<!\\)\|$", "", line.strip()))
        ]
        for line in (table[0], *table[2:])
    ]


def _sections(marked: str) -> tuple[str, tuple[Section, ...]]:
    """The text without the marks of its headings, and where they stood."""
    before, *parts = marked.split(_HEADED)
    sections, start = [], len(before)
    for part in parts:
        apart, part = part.startswith(_APART), part.removeprefix(_APART)
        line, indent = part.split("\n", 1)[0], len(part) - len(part.lstrip())
        sections.append(Section(start + indent, heading_of(line), apart=apart))
        start += len(part)
    return cut("".join([before, *(p.removeprefix(_APART) for p in parts)]), sections, 0, start)


def _front_matter(text: str) -> tuple[str, dict[str, str]]:
    found = _FRONT_MATTER.match(text)
    if not found:
        return text, {}
    head = _IN_LINES.sub(_listed, found[1] or found[2] or "")
    pairs = {key: _listed_value(value.strip()) for key, value in _PAIR.findall(head)}
    return text[found.end() :], {key: value for key, value in pairs.items() if value}


def _listed(found: re.Match[str]) -> str:
    """A list of a line each, in one."""
    items = (line.strip().removeprefix("-") for line in found[2].strip().split("\n"))
    return f"{found[1]} [{','.join(items)}]\n"


def _listed_value(value: str) -> str:
    """A value without its quotes: "draft, internal" of "[draft, internal]"."""
    if value[:1] == "[" and value[-1:] == "]":
        items = (item.strip(" \t\"'") for item in value[1:-1].split(","))
        return ", ".join(filter(None, items))
    return value.strip("\"'")


def _without_comments(text: str) -> str:
    kept, position = [], 0
    while (start := text.find("<!--", position)) >= 0 and (end := text.find("-->", start)) >= 0:
        kept.append(text[position:start])
        position = end + 3
    return "".join([*kept, text[position:]])


def _verbatim(found: re.Match[str]) -> str:
    lines = found["code"].translate(_HIDDEN).split("\n")
    return "\n".join(_VERBATIM + CODE + line if line else line for line in lines)


def _lines(source: list[str], titled: bool) -> tuple[list[str], str]:
    """Lines without block markup, paragraphs on one line each, and the heading that is the title.

    Inline markup is still in both.
    """
    lines: list[str] = []
    first: str | None = None
    open_ = False  # the next line may go on with the last one's paragraph
    for place, raw in enumerate(source):
        line = _QUOTE.sub("", raw)
        if heading := _HEADING.match(line):
            title = _CLOSING.sub("", (heading[1] or "").rstrip()).strip()
            if title and first is None:
                first = "" if titled and line.lstrip().startswith("##") else title
            lines += ["", _HEADED + title, ""]
            open_ = False
        elif not open_ and (bold := _in_bold(source, place)):
            lines += ["", _HEADED + bold, ""]
        elif open_ and _UNDERLINE.match(line):
            if first is None:
                first = "" if titled and "-" in line else lines[-1].strip()
            open_ = False
            lines[-1:] = [_HEADED + lines[-1], ""]
        elif _dropped(line):
            open_ = False
        else:
            text = _ITEM.sub("", line)
            goes_on = open_ and line.strip() and text == line and not _own_line(line)
            if goes_on and not both_labelled(lines[-1], line):
                lines[-1] += " " + text.strip()
            else:
                lines.append(_row(text))
            open_ = bool(text.strip()) and not _own_line(line) and not raw.endswith("  ")
    return lines, first or ""


def _defined(source: list[str]) -> Iterator[str]:
    """Lines with each definition behind its term: "term: text" for "term" over ": text"."""
    before, term = "", ""
    for line in source:
        found = _DEFINED.match(line)
        if found and not term and not _BLOCK.match(before):
            before, term = f"{before.strip()}: {found[1]}", before.strip()
            continue
        if found and term:
            before, line = f"{before}  ", f"{term}: {found[1]}"
        elif not line.strip():
            term = ""
        yield before
        before = line
    yield before


def _headed(source: list[str]) -> Iterator[str]:
    """Lines with headings that run in, as minutes have them, in lines of their own.

    "2. **Finance.** Ann presented …": where no other lines are headings, and each says another.
    """
    found = [_RUN_IN.match(line) for line in source]
    names = [one[3].casefold() for one in found if one]
    several = len(set(names)) == len(names) >= _LEAST_RUN_IN
    if not several or any(map(_HEADING.match, source)) or any(map(_UNDERLINE.match, source)):
        yield from source
        return
    for line, heading in zip(source, found, strict=True):
        yield from (["", _HEADED + _APART + heading[3], "", heading[4]] if heading else [line])


def _in_bold(source: list[str], place: int) -> str:
    """A heading that is a line or an item in bold, numbered or a question; else ""."""
    found = _BOLD.fullmatch(source[place])
    if not found or not ((said := found[3] + found[4]).endswith("?") or _NUMBER.fullmatch(said)):
        return ""
    rest = range(place + 1, len(source))
    below = next((source[number] for number in rest if source[number].strip()), "")
    listed = found[1] and (another := _BOLD.fullmatch(below)) and another[1]
    return said if below and not listed else ""


def _dropped(line: str) -> bool:
    """A rule, a link's definition, the line between a table's head and body, or navigation."""
    links = _LINK.findall(line)
    if all(map(leads_on, links)) if links and is_label(_LINK.sub("", line)) else is_bar(line):
        return True
    table = "|" in line and "-" in line and not line.strip("|-: \t")
    return table or bool(_RULE.match(line) or _DEFINITION.match(line) or _CONTENTS.match(line))


def _own_line(line: str) -> bool:
    """A line of code or of a table."""
    return line.startswith((_VERBATIM, "|"))


def _row(line: str) -> str:
    """A table row as its cells; any other line as it is."""
    stripped = line.strip()
    if len(stripped) > 2 and stripped.startswith("|") and stripped.endswith("|"):
        return ", ".join(cell.strip() for cell in stripped.strip("|").split("|") if cell.strip())
    return line.rstrip()


def _inline(line: str) -> str:
    line = _FOOTNOTE.sub("", _WIKI.sub(r"\1", line))
    for pattern in (_LINK, _LINK, _REFERENCE):  # twice: an image may be the text of a link
        line = pattern.sub(r"\1", line)
    line = _NAMED_MAIL.sub(r"\1(\2)", _STRUCK.sub("", line))
    line = _TAG.sub("", _BREAK.sub(" ", _AUTOLINK.sub(r"\1", line)))
    for pattern in (_STARS, _STARS, _UNDERSCORES, _UNDERSCORES):  # twice: emphasis within emphasis
        line = pattern.sub(r"\2", line)
    return html.unescape(line)
