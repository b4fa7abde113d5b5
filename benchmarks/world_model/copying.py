"""Short exercises before anything else: repeat names, and look up what stands beside one.

Whatever methods ask for comes down to finding where a name stands and copying what is told there.
On their long prompts a small network takes thousands of steps to find out that it can; on these
some hundreds.
"""

import random
from collections.abc import Iterator

from naming import fresh
from recording import Record

_LINES = ("{}: {}", "⟨{}; has; {}⟩", "{} is {}.", "The town of {} is {}.", "{} lies in {}.")


def exercises(seed: int, count: int) -> Iterator[Record]:
    """So many, each with names of its own."""
    draw = random.Random(f"copying {seed}")
    for _ in range(count):
        names = fresh(draw)
        pool = [f"{a} {b}" for a, b in zip(names.first, names.last, strict=True)]
        pool += [*names.regions, *names.mountains, *names.seas, str(draw.randint(1600, 1960))]
        chosen = draw.sample(pool, draw.randint(4, 10))
        yield _repeat(chosen, draw) if draw.random() < 0.4 else _look_up(chosen, draw)


def _repeat(names: list[str], draw: random.Random) -> Record:
    told = draw.choice(["\n", ", ", "; "]).join(names)
    return Record("Repeat.", f"Repeat.\n{told}", ((told, 1.0),))


def _look_up(names: list[str], draw: random.Random) -> Record:
    pairs = list(zip(names[::2], names[1::2], strict=False))
    form = draw.choice(_LINES)
    shown = draw.choice(["\n", " "]).join(form.format(a, b) for a, b in pairs)
    asked, said = draw.choice(pairs)
    reply = draw.choice([said, form.format(asked, said)])
    task = "Look up." if reply == said else "Look up the line."
    return Record(task, f"{task}\n{shown}\n\n{asked}", ((reply, 1.0),))
