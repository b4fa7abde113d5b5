"""`train reader` as people call it."""

import json
from pathlib import Path

from support.towns import write_towns

from hoptrail.reasoning.reader.weights import READER


def test_as_json_it_says_where_the_weights_come_from_and_are(run, tmp_path):
    data = write_towns(tmp_path / "towns.jsonl", range(6))
    status, out, err = run("train", "reader", str(data), "--out", "r.json", "--json")
    assert status == 0, err
    told = json.loads(out)
    assert (told["fitted"], told["out"], told["graph"]) == ("reader", "r.json", None)
    assert told["provenance"] == READER.load(Path("r.json")).provenance
    assert told["provenance"]["files"][0]["questions"] == 6
