"""`train reader` as people call it."""

import json
from pathlib import Path

from support.towns import write_towns

from hoptrail.reasoning.reader.judging.weights import READER


def test_as_json_it_says_where_the_weights_come_from_and_are(run, tmp_path):
    data = write_towns(tmp_path / "towns.jsonl", range(6))
    status, out, err = run("train", "reader", str(data), "--out", "r.json", "--json")
    assert status == 0, err
    told = json.loads(out)
    assert (told["fitted"], told["out"], told["graph"]) == ("reader", "r.json", None)
    assert told["provenance"] == READER.load(Path("r.json")).provenance
    assert told["provenance"]["files"][0]["questions"] == 6


def test_questions_without_paragraphs_are_read_from_the_graph(run, tmp_path):
    source = write_towns(tmp_path / "t.jsonl", range(6))
    towns = [json.loads(line) for line in source.read_text().splitlines()]
    asked = tmp_path / "asked.jsonl"
    bare = [{name: town[name] for name in ("id", "question", "answer")} for town in towns]
    asked.write_text("\n".join(map(json.dumps, bare)))
    status, _, err = run("train", "reader", str(asked))
    assert status
    assert "hoptrail ingest" in err
    (tmp_path / "pages").mkdir()
    for number, town in enumerate(towns):
        for place, paragraph in enumerate(town["paragraphs"]):
            path = tmp_path / "pages" / f"{number}-{place}.txt"
            path.write_text(f"{paragraph['title']}\n\n{paragraph['text']}")
    assert run("ingest", "pages")[0] == 0
    status, out, err = run("train", "reader", str(asked), "--json")
    assert status == 0, err
    assert json.loads(out)["provenance"]["files"][0]["questions"] == 6
