"""What a folder of very many files costs."""

import os
import subprocess
import sys

PEAK = """
import gc, sys, tracemalloc
from hoptrail.loaders import documents
from hoptrail.kg.types import Document
items = documents([sys.argv[1]])
next(items)
room = [sys.intern(f"name {n}") for n in range(200_000)]
del room
gc.collect()
tracemalloc.start()
read = sum(isinstance(item, Document) for item in items)
print(read, tracemalloc.get_traced_memory()[1])
"""


def test_many_tiny_files_cost_little_memory(tmp_path):
    """HOPTRAIL_TEST_TINY_FILES=100000 is what this is about."""
    count = int(os.environ.get("HOPTRAIL_TEST_TINY_FILES", "2000"))
    for number in range(count):
        (tmp_path / f"{number}.txt").write_text(f"Text {number}.")
    # In a process of its own, whose table of names has room: it grows by leaps of megabytes.
    done = subprocess.run(
        [sys.executable, "-c", PEAK, str(tmp_path)], capture_output=True, text=True, check=True
    )
    read, peak = map(int, done.stdout.split())
    assert read == count - 1
    assert peak < 700 * count + 300_000
