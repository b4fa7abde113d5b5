"""Which sentence of a text is shown, and which of its words are marked."""

import pytest

from hoptrail.kg.text.marking import best_sentences, stating

TEXT = (
    "Runa Eide was a director. She was born in Vaagur, a town of Norway.\n"
    "Her first film opened in 1950."
)


def marked(excerpt):
    return [piece for piece, is_marked in excerpt.parts() if is_marked]


def test_the_sentence_around_a_span_with_head_and_tail_marked():
    start = TEXT.index("born in")
    found = stating(TEXT, "Runa Eide", start, start + 14, ("Runa Eide", "Vaagur"))
    assert found.text == "She was born in Vaagur, a town of Norway."
    assert (TEXT[found.start : found.end], marked(found)) == (found.text, ["Vaagur"])
    assert "".join(piece for piece, _ in found.parts()) == found.text


def test_where_neither_end_stands_there_the_words_that_state_it_are_marked():
    start = TEXT.index("a director")
    found = stating(TEXT, "", start, start + 10, ("Oslo", ""))
    assert marked(found) == ["a director"]


@pytest.mark.parametrize(
    ("text", "words", "field", "shown"),
    [
        (
            "Its performance is good in C.",
            ("C", "good"),
            "",
            "Its performance is **good** in **C**.",
        ),
        ("A bar of Al; Grade: A", ("Al", "A"), "Grade", "A bar of **Al**; Grade: **A**"),
        ("Al; Alloy: no; Grade: A", ("Al", "A"), "Grade", "**Al**; Alloy: no; Grade: **A**"),
        ("The pumps are in Linz.", ("pump", "linz"), "", "The pumps are in **Linz**."),
        ("C++ is fast.", ("C++", "fast"), "", "**C++** is **fast**."),
        ("支店長は田中健一です。", ("田中健一", "支店長"), "", "**支店長**は**田中健一**です。"),
    ],
)
def test_whole_words_are_marked_and_a_value_where_its_field_is(text, words, field, shown):
    found = stating(text, "", 0, len(text), words, field=field)
    parts = (f"**{piece}**" if is_marked else piece for piece, is_marked in found.parts())
    assert "".join(parts) == shown


def test_the_sentences_that_answer_best_come_in_the_order_of_the_text():
    found = best_sentences(TEXT, "Runa Eide", "When did the film by the director born there open?")
    assert [one.text for one in found] == [
        "Runa Eide was a director.",
        "Her first film opened in 1950.",
    ]
    assert [marked(one) for one in found] == [["director"], ["film", "opened"]]


def test_a_text_without_any_of_the_words_shows_its_first_sentence():
    [found] = best_sentences(TEXT, "", "Who?")
    assert (found.text, found.marked) == ("Runa Eide was a director.", ())


def test_a_sentence_comes_before_the_heading_that_says_as_much():
    text = "Leave\n\nEvery employee has 27 days of leave."
    (found,) = best_sentences(text, "Handbook", "leave", most=1)
    assert found.text == "Every employee has 27 days of leave."


def test_a_version_is_one_word():
    text = "lirc-0.10.1 was released after lirc-0.9.1."
    (found,) = best_sentences(text, "News", "When was lirc 0.10.1 released?")
    assert [piece for piece, marked in found.parts() if marked][:3] == [
        "lirc",
        "0.10.1",
        "released",
    ]
    assert "0.9.1" not in [piece for piece, marked in found.parts() if marked]


OFFICE = (
    "東京支店の営業時間は午前九時から午後六時までです。支店長は田中健一です。"
    "有給休暇は年間二十日です。会議室の予約は総務部に連絡してください。"
)


@pytest.mark.parametrize(
    ("question", "sentence", "words"),
    [
        ("有給休暇は何日ですか", "有給休暇は年間二十日です。", ["有給休暇"]),
        ("支店長は誰ですか", "支店長は田中健一です。", ["支店長"]),
        (
            "会議室の予約はどこに連絡しますか",
            "会議室の予約は総務部に連絡してください。",
            ["会議室", "予約", "連絡し"],
        ),
        ("午後六時はです", OFFICE[:25], ["午後六時"]),
    ],
)
def test_of_japanese_whole_words_count_and_no_particles(question, sentence, words):
    (found,) = best_sentences(OFFICE, "社内規定", question, most=1, language="ja")
    assert (found.text, marked(found)) == (sentence, words)


def test_of_chinese_pairs_of_characters_count_and_figures_beside_them():
    text = "这里有一个工具。amd64架构有68980个软件包。水是热的。"
    (found,) = best_sentences(text, "", "amd64架构有多少个软件包", language="zh")
    assert (found.text, marked(found)) == (
        "amd64架构有68980个软件包。",
        ["amd64", "架构有", "个软件包"],
    )
    assert marked(best_sentences("水。热", "", "水 steam", language="zh")[0]) == ["水"]


def test_a_heading_is_not_the_best_where_a_sentence_says_as_much():
    said = "Employees get 27 days of annual leave."
    for heading in ("3.1 Annual leave", "Annual leave and holidays", "Annual leave"):
        (found,) = best_sentences(f"{heading}\n\n{said} Ask Ann.", "", "annual leave", most=1)
        assert found.text == said
    (found,) = best_sentences("Annual leave\n\nAsk Ann about it.", "", "annual leave", most=1)
    assert found.text == "Annual leave"
