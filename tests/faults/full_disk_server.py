"""Ingestion into a server whose disk fills up: `full_disk_server.py FOLDER VERSION`, a small disk.

Prints one JSON object; test_full_disk.py reads it.
"""

import json
import shutil
import sys
from pathlib import Path

from support.building import WORDS, batch, content, page
from support.neo4j_server import LocalServer

from hoptrail.kg.errors import StoreUnavailable
from hoptrail.kg.neo4j.store import Neo4jStore
from hoptrail.kg.types import Batch

SETTINGS = {"db__tx_log__rotation__size": "16M", "db__tx_log__preallocate": "false"}
LEFT = 1_500_000  # bytes, less than a batch takes
SIZE = 100  # documents of a batch


def documents(start: int) -> Batch:
    words = [f"word{number % 997}" for number in range(start, start + 80)]
    return batch(
        *(
            page(
                f"Sheet {number}",
                f"Sheet {number} was drawn by Jens Thorkil. {' '.join(words)} {number}.",
                mentions=("Jens Thorkil", f"Sheet {number}"),
                triples=((f"Sheet {number}", "drawn by", "Jens Thorkil"),),
            )
            for number in range(start, start + SIZE)
        )
    )


def main(disk: Path, version: str) -> None:
    server, ballast = LocalServer(version, disk / "server"), disk / "ballast"
    (disk / "server").mkdir()
    address, said = server.address, []
    try:
        server.start(**SETTINGS)
        with Neo4jStore(address.uri, address.user, address.password) as store:
            store.prepare(WORDS.fingerprint)
            store.add(documents(0))
            ballast.write_bytes(bytes(shutil.disk_usage(disk).free - LEFT))
            written = [documents(0)]
            try:
                for start in range(SIZE, 50 * SIZE, SIZE):
                    before = content(store)
                    store.add(documents(start))
                    written.append(documents(start))
            except StoreUnavailable as error:
                said.append(str(error))
        ballast.unlink()
        server.stop()
        server.start(**SETTINGS)
        with Neo4jStore(address.uri, address.user, address.password) as store:
            as_before = content(store) == before
            problems = [problem.detail for problem in store.maintenance.problems()]
            store.add(documents(len(written) * SIZE))
            goes_on = store.statistics()["documents"] == (len(written) + 1) * SIZE
    finally:
        server.stop()
    sys.stdout.write(
        json.dumps({"said": said, "as_before": as_before, "problems": problems, "goes_on": goes_on})
    )


main(Path(sys.argv[1]), sys.argv[2])
