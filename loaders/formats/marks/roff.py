"""What roff writes as escapes and macros' arguments → text; the macros of mdoc within a line."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

from ....kg.text.words import clean

_SIGNS = {
    "lq": "“", "rq": "”", "oq": "‘", "cq": "’", "aq": "'", "dq": '"', "bu": "•", "em": "—",
    "en": "–", "hy": "-", "mi": "-", "co": "©", "rg": "®", "tm": "™", "ha": "^", "ti": "~",
    "bs": "\\", "rs": "\\", "ga": "`", "mu": "×", "+-": "±", "<=": "≤", ">=": "≥", "!=": "≠",
    "->": "→", "<-": "←", "de": "°", "Fo": "«", "Fc": "»", "ss": "ß", "at": "@", "sh": "#",
    "Do": "$", "ba": "|", "sl": "/", "lB": "[", "rB": "]", "lC": "{", "rC": "}", "la": "<",
    "ra": ">", "Po": "£", "Eu": "€",
}  # fmt: skip
_ACCENTS = {
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    ":": "\u0308",
    "~": "\u0303",
    ",": "\u0327",
}
_SHOWN = {
    "-": "-", "e": "\\", "\\": "\\", " ": " ", "~": " ", "0": " ", "t": " ", ".": ".", "'": "'",
    "`": "`", "E": "\\",
}  # fmt: skip
_ESCAPE = re.compile(
    r"\\(?:[\"#].*"
    r"|(?P<kind>[*(\[])(?:(?<=\*)\((?P<string>..)|(?<=\*)\[(?P<named>[^\]\n]{0,60})\]|(?<=\()(?P<sign>..)"
    r"|(?<=\[)(?P<long>[^\]\n]{0,60})\]|(?<=\*)(?P<short>.))"
    r"|[fFmMngkYV](?:\(..|\[[^\]\n]{0,60}\]|.)|s(?:[-+]?\d|\[[^\]\n]{0,60}\]|'[^'\n]{0,60}')"
    r"|[hvwlLDboxXHSRNZA]'[^'\n]{0,60}'|(?P<other>.)|$)"
)
_ARGUMENT = re.compile(r'"((?:[^"\\]|""|\\.)*)(?:"|$)|((?:\\.|[^\s\\])+)')
_ENCLOSED = {
    "Op": "[]", "Pq": "()", "Dq": "“”", "Sq": "‘’", "Ql": "‘’", "Qq": '""', "Bq": "[]", "Brq": "{}",
    "Aq": "<>", "Oo": "[", "Oc": "]", "Po": "(", "Pc": ")", "Do": "“", "Dc": "”", "Qo": '"',
    "Qc": '"', "So": "‘", "Sc": "’", "Bo": "[", "Bc": "]", "Bro": "{", "Brc": "}",
    "Ao": "<", "Ac": ">",
}  # fmt: skip
_SYSTEMS = {
    "Nx": "NetBSD",
    "Fx": "FreeBSD",
    "Ox": "OpenBSD",
    "Bx": "BSD",
    "Ux": "UNIX",
    "Dx": "DragonFly",
}
_PLAIN = frozenset(
    "Ad An Ar Cd Cm Dv Em Er Ev Fa Fn Fo Ft Ic In Li Lk Ms Mt No Pa St Sy Tn Va Vt Xo Xc Cx".split()
)
_CLOSING = frozenset(".,:;)]?!")

INLINE = frozenset([*_ENCLOSED, *_SYSTEMS, *_PLAIN, "Fl", "Nm", "Xr", "Ns", "Nd"])
"""Macros of mdoc that say something within a line."""


def shown(text: str, strings: Mapping[str, str]) -> str:
    """Write escapes as what a reader sees.

    Args:
        text: of a line.
        strings: that the page defines, by name.
    """

    def written(found: re.Match[str]) -> str:
        if (name := found["string"] or found["named"] or found["short"]) is not None:
            return strings.get(name, "")
        if (name := found["sign"] or found["long"]) is not None:
            return _sign(name)
        return _SHOWN.get(found["other"] or "", "")

    return _ESCAPE.sub(written, text)


def _sign(name: str) -> str:
    if name in _SIGNS:
        return _SIGNS[name]
    if re.fullmatch(r"u[0-9A-F]{4,5}", name):
        return clean(chr(int(name[1:], 16)))  # half of a surrogate pair is no sign
    accented = len(name) == 2 and name[0] in _ACCENTS
    return unicodedata.normalize("NFC", name[1] + _ACCENTS[name[0]]) if accented else ""


def arguments(text: str) -> list[str]:
    """Tell a macro's arguments; quotes keep blanks together."""
    found = _ARGUMENT.finditer(text)
    return [one[2] if one[2] is not None else one[1].replace('""', '"') for one in found]


def inline(words: Sequence[str], name: str) -> str:
    """Write what macros of mdoc say in a line.

    Args:
        words: of it, the first macro's name among them.
        name: that the page is about.
    """
    text, closing, glued, flag = "", "", True, False
    for place, word in enumerate(words):
        following = words[place + 1] if place + 1 < len(words) else ""
        bare = not following or following in INLINE or following in _CLOSING
        said = word
        if word in INLINE:
            flag = word == "Fl" and not bare
            around = _ENCLOSED.get(word, "")
            closing = around[1:] + closing
            said = around[:1] or _SYSTEMS.get(word, "")
            said = {"Nm": name, "Ar": "file ...", "Fl": "-"}.get(word, said) if bare else said
            glued = glued or word == "Ns"
            if word == "Nd":
                said = "-"
        elif place > 1 and words[place - 2] == "Xr" and word.isalnum():
            said, glued = f"({word})", True
        elif flag and word not in _CLOSING:
            said = f"-{word}"
        if word in _CLOSING and all(rest in _CLOSING for rest in words[place:]):
            said, closing = closing + word, ""
            glued = True
        if said:
            text += said if glued or said[0] in _CLOSING else f" {said}"
            glued = said in "([{<“‘" or (word in _ENCLOSED and bool(_ENCLOSED[word][1:]))
    return text.strip() + closing
