"""The language a text is in, where it is long and clear enough to tell."""

import functools
import re
import runpy
import threading
from collections.abc import Collection
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
UNCLEAR = 0.25  # below this it may be any
AS_ENGLISH = 0.1  # from here on a question counts as English
PROBABLE = 0.5  # of a question that says as many of a language's small words as of English ones

_LETTERS = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
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


def foreign(question: str, among: Collection[str] = ()) -> str:
    """Tell a question's language by its ISO 639-1 code where it is not English; else "".

    One in another script is not. Of others their small words tell, which names do not have: "was"
    and "will" are English and German, and what follows decides. Close languages may be mistaken
    for each other ("Do que trata?" for Spanish), hardly one for English.

    Args:
        among: languages of what it may be about, one of which needs no small words: "lieferzeit".
    """
    question = question[:LOOKED_AT]
    letters = _LETTERS.findall(question)
    if not letters:
        return ""
    with _classifying:
        ranked = dict(_identifier().rank(question))
    best = max(ranked, key=ranked.__getitem__)
    if 2 * sum(1 for letter in letters if _LATIN.match(letter)) < len(letters):
        return "" if best == ENGLISH else best
    if ranked[best] < UNCLEAR or ranked[ENGLISH] > AS_ENGLISH:
        return ""
    small = _small_words(question)
    own, english = (sum(w in stop_words(code) for w in small) for code in (best, ENGLISH))
    tied = own == english and ranked[best] >= PROBABLE and (own > 0 or best in among)
    return best if own > english or tied else ""


def _small_words(question: str) -> list[str]:
    """The words that are no names by their first letter; all of a question in capitals."""
    words = _WORD.findall(question.lower() if question.isupper() else question)
    return [word.lower() for n, word in enumerate(words) if n == 0 or word[0].islower()]


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
