"""Three pages about a play, its theatre and its architect, and an answer from them."""

from dataclasses import replace

from support.building import page

from hoptrail.kg.answers import Answer, Chain, Citation, SupportedTriple

LANTERN = page(
    "The Salt Lantern",
    "The Salt Lantern opened at the Vaagur Theatre.",
    "Reviews were mixed.",
    mentions=("Salt Lantern", "Vaagur Theatre"),
    triples=(("The Salt Lantern", "opened at", "the Vaagur Theatre"),),
)
THEATRE = page(
    "Vaagur Theatre",
    "The Vaagur Theatre was designed by Jens Thorkil. Jens Thorkil founded the Vaagur Theatre.",
    mentions=("Vaagur Theatre", "Jens Thorkil"),
    triples=(("Vaagur Theatre", "designed by", "Jens Thorkil"),),
)
THORKIL = page(
    "Jens Thorkil",
    "Jens Thorkil was born in Tvøroyri.",
    mentions=("Jens Thorkil", "Tvøroyri"),
    triples=(("Jens Thorkil", "born in", "Tvøroyri"),),
)
OPENED, DESIGNED, BORN = (p.statements[0].triple for p in (LANTERN, THEATRE, THORKIL))
PASSAGES = [passage for p in (LANTERN, THEATRE, THORKIL) for passage in p.passages]
OPENING, REVIEWS, DESIGN, BIRTH = (passage.id for passage in PASSAGES)


def answer(**other) -> Answer:
    chain = Chain((SupportedTriple(OPENED, (OPENING,)), SupportedTriple(DESIGNED, (DESIGN,))), -0.5)
    given = Answer(
        question="Who designed the theatre where The Salt Lantern opened?",
        method="trace",
        text="Jens Thorkil",
        abstained=False,
        confidence=0.75,
        chains=(chain, Chain((SupportedTriple(DESIGNED, (DESIGN,)),), -1.25)),
        passages=(
            Citation(DESIGN, "Vaagur Theatre", THEATRE.texts[0], 2, 0.5),
            Citation(OPENING, "The Salt Lantern", LANTERN.texts[0], 1, 0.25),
        ),
        usage={"calls": 0, "seconds": 0.5},
        model="none",
        created_at="2026-01-02T03:04:05.000000+00:00",
    )
    return replace(given, **other)
