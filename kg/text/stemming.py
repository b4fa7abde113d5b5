"""Stems of other languages than English: what full text keeps beside the words of a passage.

A stem is marked with its language, which no word of a text is, so that it meets stems of that
language alone. A passage in English has none, and a question that is English asks for none.
"""

import functools
import threading
import unicodedata
from collections.abc import Callable

import snowballstemmer

from .language import ENGLISH, likely, stop_words
from .words import KEY_LIMIT, WORD, fold, terms, words

ALGORITHMS = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek",
    "es": "spanish", "et": "estonian", "fi": "finnish", "fr": "french", "hi": "hindi",
    "hu": "hungarian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "nl": "dutch",
    "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "sv": "swedish", "tr": "turkish",
}  # fmt: skip
"""Snowball's, by ISO 639-1."""

MOST = 3  # languages that a question is stemmed as

_stemming = threading.Lock()  # a stemmer keeps the word that it works on


def stems_in(text: str, language: str) -> list[str]:
    """Find the marked stems of all words that are no stop words, in order.

    None in a language without a stemmer.

    Args:
        language: of the text, ISO 639-1; "" for English, or what is not clear.
    """
    if language not in ALGORITHMS:
        return []
    whole = unicodedata.normalize("NFC", text).lower()  # stemmers need the accents
    stop = stop_words(language)
    telling = (word for word in WORD.findall(whole) if word not in stop and len(word) <= KEY_LIMIT)
    return [_stem(word, language) for word in telling]


def searched(text: str, language: str) -> str:
    """Write what full text keeps: folded words, then the marked stems."""
    return " ".join([*words(text), *stems_in(text, language)])


def terms_in(text: str, language: str) -> list[str]:
    """Find the distinct terms of a text: Porter's stems, then the marked ones."""
    return list(dict.fromkeys([*terms(text), *stems_in(text, language)]))


@functools.lru_cache(maxsize=256)
def asked(question: str) -> tuple[str, ...]:
    """Find the distinct marked stems of a question, in the languages that it may be in."""
    telling = [code for code in likely(question) if code in ALGORITHMS and code != ENGLISH]
    return tuple(dict.fromkeys(s for code in telling[:MOST] for s in stems_in(question, code)))


@functools.lru_cache(maxsize=1 << 16)
def _stem(word: str, language: str) -> str:
    with _stemming:
        stem = _stemmer(language)(word)
    return f"{language}0{fold(stem)}"


@functools.cache
def _stemmer(language: str) -> Callable[[str], str]:
    return snowballstemmer.stemmer(ALGORITHMS[language]).stemWord
