"""The language a text is in, where it is long and clear enough to tell."""

import functools
import re
import runpy
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ENGLISH = "en"
NAMES = {
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish",
    "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian",
    "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ja": "Japanese",
    "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "nl": "Dutch", "no": "Norwegian",
    "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak",
    "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish", "th": "Thai", "tr": "Turkish",
    "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
"""Those that are told apart, by ISO 639-1."""

LOOKED_AT = 2000  # characters: more change no decision and take time
MIN_LETTERS = 40  # of an alphabet; fewer are a name, a code, a line of a table
MIN_CHARACTERS = 10  # of scripts that write words or syllables
SURE = 0.95  # of py3langid's probability
POSSIBLE = 0.05  # of a question: German ones of four words have .1 at least

_LETTERS = re.compile(r"[^\W\d_]")
_WORDLIKE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_classifying = threading.Lock()


def language_of(text: str) -> str:
    """Tell the language by its ISO 639-1 code, one of NAMES; "" where that is not clear."""
    text = text[:LOOKED_AT]
    if len(_WORDLIKE.findall(text)) < MIN_CHARACTERS and len(_LETTERS.findall(text)) < MIN_LETTERS:
        return ""
    with _classifying:
        code, probability = _identifier().classify(text)
    return code if probability >= SURE else ""


def likely(text: str) -> list[str]:
    """Tell the languages that a text may be in, also a short one, most probable first."""
    if not _LETTERS.search(text):
        return []
    with _classifying:
        ranked = _identifier().rank(text[:LOOKED_AT])
    return [code for code, probability in ranked if probability >= POSSIBLE]


@functools.cache
def stop_words(language: str) -> frozenset[str]:
    """List the words of a language that say nothing by themselves, in small letters."""
    code = {"no": "nb"}.get(language, language)
    spacy = find_spec("spacy")
    folder = Path(spacy.origin).parent if spacy is not None and spacy.origin else Path()
    path = folder / "lang" / code / "stop_words.py"  # importing its package takes half a second
    return frozenset(runpy.run_path(str(path))["STOP_WORDS"]) if path.is_file() else frozenset()


@functools.cache
def _identifier() -> Any:  # noqa: ANN401 - py3langid has no types
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(NAMES))
    return identifier
