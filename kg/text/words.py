"""Words as the graph compares them: folding, normal forms, stemmed terms.

One folding for entities, titles and questions, so that "Björk's", "the Bjork" and "BJÖRK" are one
key.
"""

import functools
import hashlib
import re
import threading
import unicodedata
from collections.abc import Callable

import snowballstemmer

_SYLLABIC = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
SYLLABIC = re.compile(f"[{_SYLLABIC}]")
WORD = re.compile(rf"[^\W_{_SYLLABIC}]+|[{_SYLLABIC}]")
"""A run of letters and digits; of Chinese and Japanese, which write no spaces, one character."""
STOP = frozenset(
    (
        "a an and are as at be been but by did do does for from had has have he her his him how i "
        "in into is it its of on or s she so such that the their them then there these they this "
        "to was were what when where which who whom whose why will with would"
    ).split()
)
_LEADING = re.compile(r"^(?:the|a|an|in|on|at|it|he|she|his|her|this|they|its|their) ")
_SURROGATE = re.compile("[\ud800-\udfff]")
_stemming = threading.Lock()  # the stemmer keeps the word that it works on
_EDGES = " .,'\"’“”-–—()[]:;!?"
KEY_LIMIT = (
    200  # characters; index keys of a Neo4j range index end at about 8 kB, names of files may not
)


def stable_id(*parts: object) -> str:
    """Make 24 hex digits of the parts alone, and of where one ends and the next begins."""
    texts = [str(part) for part in parts]
    joined = "".join(f"{len(text)}:{text}" for text in texts)
    return hashlib.blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def plain(text: str) -> str:
    """Take diacritics and typographic variants (ligatures, full-width forms) away, case kept."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def fold(text: str) -> str:
    """Lower the case and take diacritics away; letters of other scripts stay themselves."""
    return plain(text).casefold()


def words(text: str) -> list[str]:
    """Split a text into folded words, in order: runs of letters and digits."""
    return WORD.findall(fold(text))


@functools.lru_cache(maxsize=1 << 15)
def normal_form(name: str) -> str:
    """Make the key under which a name is one entity; may be empty.

    Folded, without a leading article or pronoun and without a possessive.
    A key longer than KEY_LIMIT is cut and ends in its hash, so that it stays unique and fits an
    index.
    """
    key = " ".join(fold(name).split()).strip(_EDGES)
    key = _LEADING.sub("", key)
    key = re.sub(r"['’]s$", "", key)
    return _bounded(key)


def bare_title(title: str) -> str:
    """Take the parenthesis that tells homonyms apart off a title: "Lilu (mythology)" → "Lilu"."""
    text = title.rstrip()
    opens = text.rfind("(")
    if opens >= 0 and text.find(")", opens) == len(text) - 1:
        text = text[:opens]
    return text.strip()


def normal_title(title: str) -> str:
    """Join the folded words of a bare title by spaces: what a text that names it contains."""
    return _bounded(" ".join(words(bare_title(title))))


def encodable(text: str) -> bool:
    """Find out whether a text has a UTF-8 form: half a surrogate pair has none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def passage_reading(title: str, text: str) -> str:
    """Write title and text of a passage as the encoder reads them."""
    return f"{title}\n{text}" if title else text


def terms(text: str) -> list[str]:
    """Find the distinct Porter stems of the words that are no stop words, as they first appear."""
    return list(dict.fromkeys(stems(text)))


def stems(text: str) -> list[str]:
    """Find the Porter stems of all words that are no stop words, in order."""
    telling = (word for word in words(text) if word not in STOP and len(word) <= KEY_LIMIT)
    return list(map(_stem, telling))


@functools.lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    with _stemming:
        return _stemmer()(word)


@functools.cache
def _stemmer() -> Callable[[str], str]:
    return snowballstemmer.stemmer("porter").stemWord


def _bounded(key: str) -> str:
    if len(key) <= KEY_LIMIT:
        return key
    return f"{key[: KEY_LIMIT - 25]}…{stable_id(key)}"


def text_key(text: str) -> str:
    """Make the key of all texts that are this one but for white space and case."""
    return stable_id("text", " ".join(text.split()).casefold())


def clean(text: str) -> str:
    """Make a text encodable as UTF-8: lone surrogates (JSON escapes, file names) become U+FFFD."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
