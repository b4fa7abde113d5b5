"""Records of CSV, TSV and JSON: which field is what, and what is wrong with which line."""

import csv
import json
import tracemalloc

import pytest

from hoptrail.kg.types import Failure
from hoptrail.loaders import Meter, Options, documents, reading


def read(path, data=None, **options):
    """(documents, reasons of failures)."""
    if data is not None:
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    found = list(documents([path], Options(**options)))
    return (
        [item for item in found if not isinstance(item, Failure)],
        [item.reason for item in found if isinstance(item, Failure)],
    )


@pytest.mark.parametrize(
    "data",
    [
        "title,text\nGrieg,Born in Bergen.\n",
        "title;text\nGrieg;Born in Bergen.\n",
        "title\ttext\nGrieg\tBorn in Bergen.\n",
        "title|text\nGrieg|Born in Bergen.\n",
        "\ufefftitle,text\r\nGrieg,Born in Bergen.\r\n",
        '\n\n"title" , "text"\n"Grieg","Born in Bergen."\n\n,\n',
        " Title ,TEXT\nGrieg,Born in Bergen.",
        'text,title\n"Born in Bergen.",Grieg',
        "\ufeffsep=;\r\ntitle;text\r\nGrieg;Born in Bergen.\r\n",
        "\nsep=|\ntitle|text\nGrieg|Born in Bergen.\n",
    ],
)
def test_delimiters_and_headers_are_told_from_the_first_row(tmp_path, data):
    ((document,), failures) = read(tmp_path / "a.csv", data)
    assert (document.title, document.text, failures) == ("Grieg", "Born in Bergen.", [])


def test_a_tsv_is_split_at_tabs_alone(tmp_path):
    ((document,), _) = read(tmp_path / "a.tsv", "name\ta, b, c, and d\ttext\nA\t1,2,3\tOne.")
    assert document.metadata == {"a, b, c, and d": "1,2,3"}


def test_quoted_fields_hold_delimiters_lines_and_quotes(tmp_path):
    rows = [["title", "text"], ["A; B", 'One, "two"\nthree; four'], ["C", "Five"]]
    with (tmp_path / "a.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    found, _ = read(tmp_path / "a.csv")
    assert [[d.title, d.text] for d in found] == rows[1:]


FILM = {"imdb": "tt1", "film": "Ulm", "plot": "A city.", "more": "It is old.", "year": 1990}


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".json"])
def test_fields_are_named_alike_for_tables_and_json(tmp_path, suffix):
    text = json.dumps([FILM]) if suffix == ".json" else json.dumps(FILM)
    if suffix == ".csv":
        text = ",".join(FILM) + "\n" + ",".join(map(str, FILM.values()))
    ((document,), _) = read(
        tmp_path / f"a{suffix}",
        text,
        text_fields=("plot", "more"),
        title_field="film",
        id_field="imdb",
        metadata_fields=("year", "imdb"),
    )
    assert (document.title, document.text) == ("Ulm", "A city.\n\nIt is old.")
    assert {name: str(value) for name, value in document.metadata.items()} == {
        "year": "1990",
        "imdb": "tt1",
    }


def test_all_other_plain_values_are_metadata_and_stand_behind_the_text(tmp_path):
    record = {"name": "A", "body": "B.", "n": 1.5, "ok": True, "no": None, "": "x", "list": ["y"]}
    ((document,), _) = read(tmp_path / "a.jsonl", json.dumps(record | {"empty": "", "url": "u"}))
    assert (document.title, document.text) == ("A", "B.\n\nn: 1.5; ok: True; list: y")
    assert next((fact.head, fact.relation, fact.tail) for fact in document.facts) == (
        "A",
        "n",
        "1.5",
    )
    assert document.metadata == {"n": 1.5, "ok": True, "url": "u", "list": "y"}
    ((document,), _) = read(tmp_path / "a.jsonl", metadata_fields=("list", "n"))
    assert document.metadata == {"list": "y", "n": 1.5}
    assert document.text == "B."  # who names fields knows what is text


def test_a_price_list_with_descriptions_says_its_prices(tmp_path):
    lines = "article,description,maker,list price\nB-1,Pull cord switch,Quillan,5.05\n"
    ((document,), _) = read(tmp_path / "prices.csv", lines)
    assert document.text == "Pull cord switch\n\narticle: B-1; maker: Quillan; list price: 5.05"
    assert ("B-1", "list price", "5.05") in [(f.head, f.relation, f.tail) for f in document.facts]


def test_an_edited_record_replaces_itself_by_its_id(tmp_path):
    path = tmp_path / "a.csv"
    ((before, other), _) = read(path, "id,text\n7,Before.\n8,Other.\n")
    ((after, same), _) = read(path, "id,text\n7,After.\n8,Other.\n")
    assert (before.id, other) == (after.id, same)
    assert before.sha256 != after.sha256
    ((elsewhere, _), _) = read(tmp_path / "b.csv", "id,text\n7,Before.\n8,Other.\n")
    assert elsewhere.id != before.id  # the numbers of another file mean something else


def test_without_an_id_title_and_text_are_the_identity(tmp_path):
    ((one,), _) = read(tmp_path / "a.csv", "title,text\nUlm,On the Danube.")
    ((two,), _) = read(tmp_path / "b.jsonl", '{"title": "Ulm", "text": "On the Danube.", "id": 1}')
    ((three,), _) = read(tmp_path / "b.jsonl", id_field="")
    assert one.id == three.id != two.id


def test_an_id_that_comes_twice_loses_no_record(tmp_path):
    data = "url,text\nsame,First.\nsame,Second.\n,Third."
    found, failures = read(tmp_path / "a.csv", data)
    assert [d.text for d in found] == ["First.", "Second.", "Third."]
    assert failures == []
    found, (reason,) = read(tmp_path / "a.csv", data, id_field="url")
    assert [d.text for d in found] == ["First."]
    assert reason.startswith("line 3: field 'url' is 'same' again")


@pytest.mark.parametrize(
    ("name", "data", "options", "reason"),
    [
        ("a.csv", "a\n1", {}, "line 2: has no text among its fields (a); name the one"),
        ("a.csv", "a\n1", {}, "--text-field"),
        (
            "a.csv",
            "a,b\n1,2",
            {"text_fields": ("c",)},
            "line 2: has no field 'c'; its fields: a, b",
        ),
        ("a.jsonl", '{"a": 1}', {"title_field": "t"}, "line 1: has no field 't'; its fields: a"),
        ("a.jsonl", '{"text": "x", "id": ""}', {"id_field": "id"}, "line 1: field 'id' is empty"),
        ("a.csv", "a,text\n1,2\n\n1,2,3", {}, "line 4: 3 fields where the first row has 2"),
        ("a.csv", "a,text\n1,2\n1", {}, "line 3: 1 fields where the first row has 2"),
        ("a.csv", 'a,text\n1,"x\ny"\n1', {}, "line 4: 1 fields"),
        ("a.csv", "sep=,\na,text\n1", {}, "line 3: 1 fields"),
        ("a.csv", "a,text\n", {}, "holds no text"),
        ("a.csv", "a,text\n1,\n", {}, "holds no text"),
        ("a.csv", "a,text\n1,\0", {}, "binary file"),
        ("a.csv", "a,text\rx,y", {}, "not a table of fields"),
        ("a.csv", "", {}, "empty"),
        ("a.jsonl", '{"text": {"a": 1}}', {}, "line 1: field 'text' must hold text, not an object"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path, name, data, options, reason):
    _, (found,) = read(tmp_path / name, data, **options)
    assert reason in found


STAFF = "Name;Started;Van;Remarks\nAda Brock;03/02/2014;Van 2;\nBen Crane;07/01/2022;;keyholder\n"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (
            "Cy Dunn;19/06/2023;Van 3;first aider; drives",
            "Van: Van 3; Remarks: first aider; drives",
        ),
        ("Cy Dunn;19/06/2023;Van 3;aider;drives;x", "Van: Van 3; Remarks: aider;drives;x"),
        ("Cy Dunn; senior;19/06/2023;Van 3;aider", "Name: Cy Dunn; senior; Started: 19/06/2023"),
        ("Cy Dunn;19/06/2023;Van 3;aider;;", "Van: Van 3; Remarks: aider"),
        ("Cy Dunn;19/06/2023;Van 3", "Name: Cy Dunn; Started: 19/06/2023; Van: Van 3"),
    ],
)
def test_a_careless_row_is_read_and_so_are_all_after_it(tmp_path, row, said):
    meter = Meter()
    (tmp_path / "staff.csv").write_text(f"{STAFF}{row}\nEl Marsh;02/09/2024;Van 1;cook\n")
    found = list(documents([tmp_path / "staff.csv"], meter=meter))
    assert [d.title.split(" (")[0].split(";")[0] for d in found] == [
        "Ada Brock", "Ben Crane", "Cy Dunn", "El Marsh"
    ]  # fmt: skip
    assert said in found[2].text
    over = row.rstrip(";").count(";") > STAFF.partition("\n")[0].count(";")
    assert meter.joined == ["staff.csv, line 4"] * over


@pytest.mark.parametrize(
    "row",
    ["Cy;Dunn;19/06/2023;Van 3;aider", "Cy Dunn", "3 of 9;;Van 3;aider;5", '"Cy; Dunn";1;2;3;4'],
)
def test_a_row_whose_fields_are_unclear_is_named_and_costs_no_other(tmp_path, row):
    header = STAFF.replace("Remarks", "Size") if row.startswith(("3", '"')) else STAFF
    found, (reason,) = read(tmp_path / "a.csv", f"{header}{row}\nEl Marsh;02/09/2024;Van 1;cook\n")
    assert [d.title for d in found] == ["Ada Brock", "Ben Crane", "El Marsh"]
    assert reason.startswith(
        f"line 4: {len(row.split(';')) - row.count('; ')} fields where the first"
    )


@pytest.mark.parametrize("bad", ['{"tit', '{"title": "A",', "5", "not JSON"])
@pytest.mark.parametrize("place", [1, 2, 4])
def test_a_bad_line_of_json_lines_costs_no_other(tmp_path, bad, place):
    lines = [f'{{"title": "{name}", "text": "It is {name}."}}' for name in "ABC"]
    lines.insert(place - 1, bad)
    found, (reason,) = read(tmp_path / "a.jsonl", "\n".join([*lines, bad]))
    assert [document.title for document in found] == ["A", "B", "C"]
    assert reason.startswith(f"line {place}: ")
    assert "left out (likewise 5); mend these lines" in reason


def test_what_is_no_json_lines_is_told_soon(tmp_path):
    found, (reason,) = read(tmp_path / "a.jsonl", "It is prose.\n" * 1000)
    assert found == []
    assert reason.startswith("line 1: not valid JSON")


def test_what_is_no_table_is_told_soon(tmp_path):
    prose = (
        "One, two and three.\n" + "They went; it was late, and cold, and dark.\nSo it was.\n" * 99
    )
    found, (reason,) = read(tmp_path / "a.csv", prose)
    assert not found
    assert "where the first row has 2, left out (likewise 3, 4" in reason


def test_a_question_is_one_unless_its_text_is_named(tmp_path):
    record = {"question": "Who?", "answer": "A", "paragraphs": [{"title": "T", "text": "P."}]}
    ((document,), _) = read(tmp_path / "a.jsonl", json.dumps(record))
    assert document.text == "P."
    ((document,), _) = read(tmp_path / "a.jsonl", text_fields=("question",))
    assert document.text == "Who?"


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv"])
def test_a_line_of_50_mb_is_read_in_bounded_memory(tmp_path, suffix):
    size = 50_000_000
    whole = {".json": '[{{"text": "a"}}, {{"text": "{}"}}]', ".csv": 'text\na\n"{}"\nb\n'}
    start, end = whole.get(suffix, '{{"text": "a"}}\n{{"text": "{}"}}\n').format("⋮").split("⋮")
    path = tmp_path / f"a{suffix}"
    path.write_text(start + "x" * size + end)
    tracemalloc.start()
    try:
        lengths = [len(d.text) for d in documents([path]) if not isinstance(d, Failure)]
        assert (
            tracemalloc.get_traced_memory()[1] < 12 * size
        )  # csv takes 4 bytes a character, and room to grow
    finally:
        tracemalloc.stop()
    assert lengths[:2] == [1, size]


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.jsonl", '{"text": "a"}\n{"text": "'),
        ("a.json", '[{"text": "a"}, {"text": "'),
        ("a.csv", "text\na\n"),
        ("b.csv", 'text\na\n"' + "open\n" * 10_000),
        ("a.txt", ""),
    ],
)
def test_a_text_without_an_end_is_refused(tmp_path, monkeypatch, name, start):
    monkeypatch.setattr(reading, "MAX_TEXT", 40_000)
    monkeypatch.setattr(reading, "CHUNK", 8_000)
    found, (reason,) = read(tmp_path / name, start + "x" * 400_000)
    assert [d.text for d in found] == ["a"] * (name != "a.txt")
    assert "million characters" in reason


@pytest.mark.parametrize("suffix", [".csv", ".json"])
def test_a_list_of_questions_and_answers_is_a_list_of_documents(tmp_path, suffix):
    asked = {"topic": "terms", "question": "When do terms begin?", "answer": "On 9 September."}
    text = json.dumps([asked])
    if suffix == ".csv":
        text = ",".join(asked) + "\n" + ",".join(asked.values())
    ((document,), failures) = read(tmp_path / f"faq{suffix}", text)
    assert not failures
    assert document.title == "When do terms begin?"
    assert document.text == "On 9 September.\n\ntopic: terms"


@pytest.mark.parametrize(
    ("file", "row", "title"),
    [
        (
            "seminars_SS25.csv",
            "08/05/2025,Anneke de Wit,Slime matters",
            "Slime matters (seminars SS25)",
        ),
        ("seminars_SS25.csv", "22/05/2025,CANCELLED,", "seminars SS25"),
        ("slime.csv", "08/05/2025,Anneke de Wit,Slime matters", "Slime matters"),
        ("export_2.csv", "08/05/2025,Anneke de Wit,Slime matters", "Slime matters"),
        ("films.csv", "1990,Ann Lee,Ulm (film)", "Ulm (film)"),
    ],
)
def test_a_row_is_titled_by_its_name_and_its_file(tmp_path, file, row, title):
    ((document,), _) = read(tmp_path / file, f"Date,Speaker,Title\n{row}\n")
    assert document.title == title
    assert {fact.head for fact in document.facts} <= {title.partition(" (s")[0]}
