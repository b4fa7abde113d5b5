"""The share of an ingestion that is shown is the share that is written."""

import json

import pytest

from hoptrail import Hoptrail
from hoptrail.loaders import measure
from hoptrail.service.written import WrittenMeter

MILLS = [f"Mill {n} was built by Ann Lee in {1800 + n}. It burns oak." for n in range(120)]


@pytest.mark.parametrize(("packed", "beside"), [(False, 0), (True, 0), (True, 20_000)])
def test_as_much_is_shown_as_is_written(tmp_path, encoder, packed, beside):
    (folder := tmp_path / "mills").mkdir()
    for number, text in enumerate(MILLS):
        if not packed:
            (folder / f"{number:03}.txt").write_text(text, encoding="utf-8")
            continue
        with (folder / "all.jsonl").open("a", encoding="utf-8") as file:  # many in a file
            file.write(json.dumps({"text": text, "beside": "x" * beside}) + "\n")
    meter, shown = WrittenMeter(total=measure([folder]).total), []

    def progress(report):
        written = meter.written(report.seen)
        shown.append((written / meter.total, report.seen / len(MILLS)))

    with Hoptrail(tmp_path / "g.db", encoder=encoder) as hop:
        hop.ingest(folder, meter=meter, progress=progress)
    assert len(shown) > 2
    assert [each for each in shown if abs(each[0] - each[1]) > 0.12] == []
    assert shown == sorted(shown)
    assert shown[-1] == (1, 1)
