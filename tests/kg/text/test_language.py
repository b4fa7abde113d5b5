"""Which language a text is in: told where it is clear, and nothing said elsewhere."""

import subprocess
import sys

import pytest

from hoptrail.kg.text.language import foreign, language_of

TEXTS = {
    "en": "The harbour was enlarged in 1999 by an engineer who had studied bridges in Ulm.",
    "de": "Der Hafen wurde 1999 von einem Ingenieur erweitert, der in Ulm studiert hatte.",
    "fr": "Le port a été agrandi en 1999 par un ingénieur qui avait étudié les ponts à Lyon.",
    "es": "El puerto fue ampliado en 1999 por un ingeniero que había estudiado los puentes.",
    "it": "Il porto è stato ampliato nel 1999 da un ingegnere che aveva studiato i ponti.",
    "pt": "O porto foi ampliado em 1999 por um engenheiro que tinha estudado as pontes.",
    "nl": "De haven werd in 1999 uitgebreid door een ingenieur die bruggen had bestudeerd.",
    "sv": "Hamnen byggdes ut 1999 av en ingenjör som hade studerat broar och vägar i Uppsala.",
    "pl": "Port został rozbudowany w 1999 roku przez inżyniera, który studiował mosty.",
    "cs": "Přístav byl rozšířen v roce 1999 inženýrem, který studoval mosty a silnice.",
    "fi": "Satamaa laajensi vuonna 1999 insinööri, joka oli opiskellut siltoja ja teitä.",
    "hu": "A kikötőt 1999-ben egy mérnök bővítette, aki hidakat és utakat tanulmányozott.",
    "tr": "Liman 1999 yılında köprüler üzerine okumuş olan bir mühendis tarafından genişletildi.",
    "ru": "Порт был расширен в 1999 году инженером, который изучал мосты и дороги в Казани.",
    "el": "Το λιμάνι επεκτάθηκε το 1999 από έναν μηχανικό που είχε σπουδάσει γέφυρες.",
    "ar": "تم توسيع الميناء عام 1999 على يد مهندس كان قد درس الجسور والطرق في المدينة.",
    "zh": "港口于1999年由一位学习过桥梁的工程师扩建。",
    "ja": "港は1999年に橋を研究した技術者によって拡張されました。",
    "ko": "항구는 1999년에 다리를 공부한 기술자에 의해 확장되었습니다.",
}


@pytest.mark.parametrize("code", TEXTS)
def test_a_sentence_is_enough(code):
    assert language_of(TEXTS[code]) == code


@pytest.mark.parametrize(
    "text",
    ["", "Oslo", "12.5 33 2004 SKU-1 SKU-2 SKU-3", "Peter Adeyemi, Lagos", "🙂" * 80, "王芳"],
)
def test_what_is_too_short_is_in_no_language(text):
    assert language_of(text) == ""


@pytest.mark.parametrize(
    ("code", "question"),
    [
        ("de", "Was kosten Edelstahlschrauben?"),
        ("de", "Will Herr Weiß die Kantine renovieren?"),
        ("de", "WANN IST DIE TIEFGARAGE GESPERRT?"),
        ("nl", "Is het kantoor open?"),
        ("es", "Has pagado la factura?"),
        ("fr", "A quoi sert aptitude ?"),
        ("it", "Come ci si iscrive a una mailing list?"),
        ("ru", "кто основал проект Debian?"),
        ("ja", "rootアカウントとは何ですか"),
    ],
)
def test_a_short_question_is_foreign_by_its_small_words(code, question):
    assert foreign(question) == code


@pytest.mark.parametrize(
    "question",
    [
        "",
        "42?",
        "Was Karl Ohm born in Köln?",
        "Will die Bahn pay?",
        "Where is the head office of Müller & Söhne?",
        "Is La La Land a film?",
        "When was El Cid released?",
        "Who is 田中健一?",
        "Guido van Rossum birthplace",
        "lieferzeit waermepumpe",
    ],
)
def test_names_make_no_question_foreign(question):
    assert foreign(question) == ""


def test_what_has_no_small_words_is_of_the_documents_language():
    assert foreign("lieferzeit waermepumpe", {"de"}) == "de"
    assert foreign("lieferzeit waermepumpe", {"fr"}) == ""
    assert foreign("Who founded Debian?", {"de"}) == ""


AT_ONCE = """
import sys, threading, time
from hoptrail.kg.text.language import stop_words
from hoptrail.models.parser import Pipeline

loading = threading.Thread(target=lambda: list(Pipeline()(["Ulm lies on the Danube."])))
threading.excepthook = lambda raised: print(raised.exc_value)
loading.start()
while "spacy.errors" not in sys.modules:  # spaCy is half there
    time.sleep(0.001)
words = stop_words("da")
loading.join()
print(*words & {"og"})
"""


def test_stop_words_are_listed_while_another_thread_loads_the_parser():
    """In a fresh process, where spaCy is imported by both: modules that are half there are seen."""
    done = subprocess.run([sys.executable, "-c", AT_ONCE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "og\n"
