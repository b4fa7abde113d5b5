"""Plain words as a Lucene query."""

from .text import STOP, WORD, words

QUERY_WORDS = (
    128  # distinct words; Lucene refuses more than 1024 clauses, and a word is up to three
)


def lucene(text: str) -> str:
    """Any of the words, in the title or anywhere; empty when no word says anything.

    The property `words` holds title and text folded, `title` the title as it is typed: so a word
    of the title counts twice, and a name is found with and without its accents. Words are letters
    and digits in quotes: none of it is syntax.
    """
    folded = [word for word in dict.fromkeys(words(text)) if word not in STOP][:QUERY_WORDS]
    typed = [
        word for word in dict.fromkeys(m.lower() for m in WORD.findall(text)) if word not in STOP
    ]
    clauses = [f'words:"{word}"' for word in folded]
    clauses += [f'title:"{word}"' for word in dict.fromkeys([*folded, *typed[:QUERY_WORDS]])]
    return " ".join(clauses)
