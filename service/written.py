"""How much of what is ingested is written, in bytes: reading is a batch or two ahead of that."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from ..loaders import Meter

T = TypeVar("T")


@dataclass(slots=True)
class _Run:
    """Documents that came without a byte read between them: of one file, or of one piece of one.

    Args:
        came: bytes read when they came.
        end: bytes up to their end; as far as it is known.
        count: how many they are.
    """

    came: int
    end: int
    count: int = 1


@dataclass(slots=True)
class WrittenMeter(Meter):
    """A meter that also knows how much of what was read is written.

    Args:
        runs: of the documents that were not all written when that was asked last.
        passed: documents before these.
        below: bytes of those.
    """

    runs: deque[_Run] = field(default_factory=deque[_Run])
    passed: int = 0
    below: int = 0

    def watching(self, items: Iterable[T]) -> Iterator[T]:
        """Give documents and failures as they come, and keep after how many bytes they did."""
        for item in items:
            if self.runs and self.runs[-1].came == self.done:
                self.runs[-1].count += 1
            else:
                self._settle()
                self.runs.append(_Run(self.done, self.done))
            yield item
        self._settle()

    def written(self, count: int) -> int:
        """Return the bytes of the first `count` documents and failures, none counted too early."""
        while self.runs and self.passed + self.runs[0].count <= count:
            run = self.runs.popleft()
            self.passed, self.below = self.passed + run.count, run.end
        if not self.runs:
            return self.below
        run = self.runs[0]
        return self.below + (run.end - self.below) * (count - self.passed) // run.count

    def _settle(self) -> None:
        """A file that is read as a whole is counted when it is done: when the next one comes."""
        if self.runs:
            self.runs[-1].end = max(self.runs[-1].end, self.before)


def watched(items: Iterable[T], meter: Meter | None) -> Iterable[T]:
    """Have a meter watch documents and failures come, if it is one that wants to."""
    return meter.watching(items) if isinstance(meter, WrittenMeter) else items
