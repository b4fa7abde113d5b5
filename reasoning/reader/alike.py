"""Words that say the same in a question and in the passage that answers it."""

import functools

from ...kg.text.words import terms

_ALIKE = (
    "born birth birthplace birthday native",
    "died die death dead killed",
    "married marriage wife husband spouse widow",
    "directed director direct film-maker",
    "wrote written writer author novel",
    "performed performer singer sang artist recorded",
    "composed composer music score",
    "nationality citizenship citizen country",
    "located location country place city town",
    "graduated educated education attended studied university college school alma",
    "founded founder established formed started created began",
    "released published publication premiered release year",
    "won win award received prize",
    "received receive delivered sent given got",
    "money cash sum fund amount euro dollar pound",
    "much amount sum total",
    "bankrupt bankruptcy insolvent insolvency",
    "tall high height",
    "long length lasts last duration",
    "wide width breadth",
    "deep depth",
    "old age aged",
    "far distance away",
    "large big size area",
    "fast speed quick",
    "expensive price cost costs",
    "son daughter child father mother parent",
    "works worked employer employed professor",
    "buried burial interred",
    "based headquarters headquartered",
    "owned owner acquired",
    "holds office position served elected",
    "lead led leader head chief chair chairman chairwoman chairperson charge ran run manage manager"
    " boss",
    "cost price paid pay fee charge euro dollar",
    "weigh weight heavy",
    "staff people employee worker personnel workforce",
    "phone telephone mobile",
    "address street road",
    "made make maker manufactured manufacturer built build builder created creator developed"
    " developer invented inventor produced producer",
    "bought buy purchased purchase acquired takes took",
    "sold sell sale seller",
    "start started begin began begun launched opened",
    "stop stopped end ended expired expire until",
    "held hold takes took place happened happen occurred",
    "called named name known titled entitled dubbed",
    "maintain maintainer maintained responsible",
    "replaced replace successor succeeded succeed substitute follow",
    "supplies supplier supply provides provider delivered",
    "left leave resigned resign quit",
    "joined join hired hire since",
    "moved move relocated transferred",
    "lives live lived resides residence home",
    "role job position title occupation profession",
    "attended attendee participant participated visitor visited",
    "burnt burn burned fire",
    "helped help assisted assistance",
    "arrested arrest caught catch detained",
    "stored store kept keep located",
    "dropped drop removed remove discontinued abandoned",
    "used use uses usage",
    "shown show displays display",
    # verbs whose forms share no stem
    "steal stole stolen theft",
    "speak spoke spoken speech",
    "meet met meeting",
    "find found",
    "give gave given",
    "send sent",
    "teach taught teacher learn learned learnt",
    "choose chose chosen choice",
    "break broke broken",
    "draw drew drawn",
    "grow grew grown",
    "lose lost loss",
    "bring brought",
    "become became",
    "spend spent",
    "win won winner",
    "go went gone",
    "fall fell fallen",
    "fly flew flown flight",
    "lend lent loan borrowed",
    "drive drove driven driver",
    "sing sang sung singer",
    "swim swam",
    "shoot shot",
    "write wrote written",
    "know knew known",
    "think thought",
    "build built",
    "come came",
    "tell told",
    "say said",
    "get got",
)


@functools.cache
def alike(stem: str) -> frozenset[str]:
    """The stems of words that say the same as one, itself among them, and of who does it."""
    return _alike().get(stem, frozenset()) | _doers(stem)


def _doers(stem: str) -> frozenset[str]:
    """One who does it, as Porter leaves the word: "play", "player"; "design", "designer"."""
    return frozenset({stem, stem + "er", stem + stem[-1:] + "er", stem + "or"})


@functools.cache
def _alike() -> dict[str, frozenset[str]]:
    groups = [frozenset(terms(line)) for line in _ALIKE]
    alike: dict[str, frozenset[str]] = {}
    for group in groups:
        for stem in group:
            alike[stem] = alike.get(stem, frozenset()) | group
    return alike
