"""How fast RDF is read: triples a second of processor, and the memory that takes.

`python benchmarks/wikidata_rdf.py FILE.nt`, and `wikidata.py --only rdf` on the slice. Each way
runs in a process of its own, so that its memory is its own.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from hoptrail.kg.rdf.oxigraph import FORMATS, named, oxigraph
from hoptrail.kg.rdf.spool import Spool


def values(file: Path) -> int:
    """Parse, and read every value; return how many triples."""
    ox, count = oxigraph(), 0
    format_ = getattr(ox.RdfFormat, FORMATS[named(file).suffix])
    with file.open("rb") as opened:
        for subject, name, object_, _ in ox.parse(opened, format_):
            _ = subject.value, name.value, object_.value
            count += 1
    return count


def spooled(file: Path, *, lenient: bool = False) -> int:
    """Read as `import` does, into the temporary database."""
    with Spool(lenient=lenient) as spool:
        spool.read(file, file.name)
        return spool.triples


def leniently(file: Path) -> int:
    """As `import --skip-broken` does."""
    return spooled(file, lenient=True)


WAYS: dict[str, Callable[[Path], int]] = {
    "parsed with all values": values,
    "into the temporary database": spooled,
    "the same with --skip-broken": leniently,
}


def rates(file: Path) -> None:
    """Print the rate of each way."""
    print("## RDF, triples a second of processor")
    for way in WAYS:
        command = [sys.executable, __file__, str(file), way]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        print(done.stdout.strip())


def _measured(file: Path, way: str) -> None:
    started, before = time.process_time(), _peak()
    count = WAYS[way](file)
    seconds = time.process_time() - started
    told = f"{count / seconds:,.0f} ({count:,} triples, {seconds:.2f} s)"
    print(f"{way}: {told}; {_peak():.0f} MB in all, {before:.0f} before")


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    if len(sys.argv) == 2:
        rates(Path(sys.argv[1]))
    else:
        _measured(Path(sys.argv[1]), sys.argv[2])
