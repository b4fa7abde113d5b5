"""Full stops that end no sentence in other languages than English: abbreviations and ordinals."""

import re

from .language import stop_words


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ORDINAL = _set("cs da de et fi hr hu lv no pl sk sl sr tr")
"""Languages that write "3." for "3rd"."""
_NAMES = _set(
    """abg allg av avda avv bspw bzgl bzw ca cf dhr dipl dott dr dra drs ej entspr env evtl ex exkl
    frau frl geb geom ggf hr hrsg inkl ing inż mevr mgr mlle mlles mme mmes mm mr np např pr prof
    profa resp sig sigg sog sr sra sras sres srs srta st str ste svk tj tzn tzv ud uds ul vgl zzgl
    jan janv feb févr febr mär apr avr jun juil jul aug sep sept okt oct nov dez déc ene ago dic
    гг др им коп кв млн млрд напр обл проф руб см тов тыс ул"""
)
"""Never the end of a sentence."""
_NUMBERED = _set(
    """abb abs afb anm art artt arts aufl bd bde blz cap chap fig figs gl hfst kap kl n no nr nrn
    núm nº num obr odst pag pagg pg pkt pp pág págs rys tab tel tél ust vol vols čl č
    гл пп рис ст стр табл тел"""
)
"""No end before a figure: "Nr. 7"."""
_CLOSING = _set("ecc enz etc itd usw")
"""No end but before a word that has to be small elsewhere: "usw. Das"."""
_NEXT = re.compile(r"[^\w\s]*(\w+)")


def goes_on(word: str, text: str, at: int, language: str) -> bool:
    """Tell whether a sentence goes on behind a full stop.

    Args:
        word: before the stop, in small letters.
        at: where in the text the next word begins.
        language: of the text, not English.
    """
    found = _NEXT.match(text, at, at + 40)
    following = found.group(1) if found else ""
    if following[:1].islower() or word in _NAMES:
        return True
    if word in _NUMBERED:
        return following[:1].isdigit()
    ordinal = language in _ORDINAL and word.isdecimal() and len(word) <= 2
    return (ordinal or word in _CLOSING) and following.lower() not in stop_words(language)
