"""What is said where the encoder reads neither the question nor what was found."""

from collections.abc import Collection

from ..kg.text.language import ENGLISH, NAMES, foreign
from ..models.encoder import Encoder, english_only

ACROSS = (
    "The question is in another language ({asked}) than most of what was found ({found}), and the "
    "encoder reads English alone: only words that both have are found. A new graph made with "
    "--encoder NAME, of a multilingual one such as paraphrase-multilingual-MiniLM-L12-v2, finds "
    "meaning as well (docs/languages.md)."
)


def across(question: str, languages: Collection[str], encoder: Encoder) -> str:
    """Say that question and passages are in different languages, where that keeps them apart.

    Args:
        languages: of each passage found, "" for English.
    """
    if not languages or not english_only(encoder):
        return ""
    asked = foreign(question, {*languages} - {""}) or ENGLISH
    same = sum((language or ENGLISH) == asked for language in languages)
    if 2 * same >= len(languages):
        return ""
    counted = [language or ENGLISH for language in languages]
    most = min(set(counted) - {asked}, key=lambda code: (-counted.count(code), code))
    return ACROSS.format(asked=NAMES[asked], found=NAMES.get(most, most))
