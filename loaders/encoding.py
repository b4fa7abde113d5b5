"""Encodings by name, and the text of an HTML file in the encoding that a browser would take."""

import codecs
import re

from ..kg.errors import BadRequest

_DECLARED = re.compile(
    rb"<\?xml[^>]{1,200}encoding\s*=\s*[\"']?([\w.:-]+)"
    rb"|<meta\s[^>]{0,500}?charset\s*=\s*[\"']?\s*([\w.:-]+)",
    re.I,
)
_LOOKED_AT = 4096  # bytes in which the encoding is declared; the standard says 1024
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"))
_BOMS += ((codecs.BOM_UTF16_BE, "utf-16-be"),)
_CODECS = frozenset(  # no codec that runs for long or is none of text
    """utf-8 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 cp866 cp874 cp932 cp949
    iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13
    iso8859-14 iso8859-15 iso8859-16 koi8-r koi8-u mac-roman big5 euc_jp gb18030
    iso2022_jp""".split()
)
_WIDER = {  # what browsers read these as
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "tis-620": "cp874",
    "iso8859-11": "cp874", "shift_jis": "cp932", "euc_kr": "cp949", "gb2312": "gb18030",
    "gbk": "gb18030",
}  # fmt: skip
_ASKED_FOR = frozenset("cp437 cp850 cp852 utf-8-sig utf-16 utf-16-le utf-16-be utf-32".split())


def codec(name: str) -> str:
    """Return the codec that Python has for an encoding that a user names.

    Raises:
        BadRequest: there is no such encoding of texts.
    """
    try:
        known = codecs.lookup(name.strip()).name
    except (LookupError, ValueError):  # a NUL
        known = ""
    if known not in _CODECS | _WIDER.keys() | _ASKED_FOR:
        raise BadRequest(
            f"No encoding {name!r}; usual ones are utf-8, windows-1252, iso-8859-1, iso-8859-15, "
            "utf-16, cp850, shift_jis, gb18030 and big5."
        )
    return known


def decoded(data: bytes) -> str:
    """Decode an HTML file as browsers do.

    The encoding is that of a byte-order mark, else the one declared, else UTF-8, else
    windows-1252; bytes that are none of it become U+FFFD.
    """
    for mark, name in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace")
    found = _DECLARED.search(data[:_LOOKED_AT])
    if found and (name := _codec((found[1] or found[2]).decode("ascii", "replace"))):
        return data.decode(name, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _codec(label: str) -> str:
    try:
        name = codecs.lookup(label).name
    except LookupError:
        return ""
    name = _WIDER.get(name, name)
    return name if name in _CODECS else ""
