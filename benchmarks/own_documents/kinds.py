"""The kinds of documents, where they come from, and their questions.

Some are freely licensed books and manuals of Debian packages, fetched with apt-get (no root
needed); the others are small files written for this benchmark, `documents/KIND/`. Each question
has a `split`: "tune" and "check" (the first four kinds), "fresh" (reference, brewery) and "seen"
(museum, school) were written after rules of the reader, whose failures were read afterwards; from
those of AGAIN, and of all the former, the span reader learned; to those of "fitted" the weights are
fitted. "unseen" ones tell how all this holds elsewhere: nothing was made by them.
"""

import functools
import gzip
import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from telling import place_of

from hoptrail import Hoptrail
from hoptrail.kg.types import Passage
from hoptrail.loaders.questions.question import Paragraph, Question
from hoptrail.reasoning.training.reader import source_of
from hoptrail.service.training.reader import finding
from hoptrail.service.training.spans import with_found

HERE = Path(__file__).parent
PACKAGES = {  # kind: package, the files in it, below usr/share
    "history": ("debian-history", "doc/*/docs/project-history.en.epub"),
    "book": ("cfi-en", "doc/*/html/*.htm"),
    "manual": ("debian-faq", "doc/*/FAQ/debian-faq.en.txt.gz"),
    "reference": ("developers-reference", "developers-reference/[bnprt]*.html"),
    "securing": ("harden-doc", "doc/*/html/en-US/*.html"),
    "puzzles": ("sgt-puzzles", "sgt-puzzles/help/en/*.html"),
    "proxy": ("privoxy", "doc/privoxy/[fu]*/*.html"),
    "project": ("doc-debian", "doc/debian/*[!0-9].txt.gz"),
    "git": ("git-doc", "doc/git-doc/git[efgtw][auelo]*[!-].html", "doc/git-doc/user-manual.html"),
    "engraving": ("lilypond-doc-html", "doc/lilypond/html/Documentation/essay/[aempt]*.html"),
    "freedombox": ("freedombox-doc-en", "freedombox/manual/en/*.html"),
    "crawl": ("crawl-common", "crawl/docs/crawl_manual.txt", "crawl/docs/quickstart.md"),
    "sqlite": ("sqlite3-doc", "doc/sqlite3/[flqsw][aieheo]*[!ng].html"),
    "budget": ("homebank-data", "doc/homebank-data/help/*.html"),
    "backup": ("borgbackup-doc", "doc/borgbackup/html/[!cs]*.html"),
    "install": ("installation-guide-amd64", "doc/*/en/*.html"),
    "time": ("ntpsec-doc", "doc/*/html/*.html"),
    "network": ("debian-edu-doc-en", "doc/*/debian-edu-bookworm-manual.pdf"),
    "python": ("python3.11-doc", "doc/*/html/tutorial/*.html", "doc/*/html/faq/*.html"),
    "mail": ("mutt", "doc/mutt/html/*[!l].html"),
    "handbook": ("debian-handbook", "doc/*/html/en-US/sect.[acdefghij]*.html"),
    "kernel": ("debian-kernel-handbook", "doc/*/kernel-handbook.html/*.html"),
    "policy": ("debian-policy", "doc/*/policy.html/*.html"),
    "packaging": ("maint-guide", "doc/*/html/*.html"),
    "packages": ("aptitude-doc-en", "doc/aptitude/html/en/*.html"),
    "accounts": ("gnucash-docs", "doc/*/gnucash-guide-en/[a-i]*.html"),
    "printing": ("hplip-doc", "doc/*/*.html"),
    "painting": ("tuxpaint-data", "doc/*/en/html/*.html"),
    "phylogeny": ("phylip-doc", "doc/phylip/html/doc/*.html"),
    "patients": ("gnumed-doc", "doc/gnumed/user-manual/Gnumed/*.html"),
    "power": ("nut-doc", "doc/nut-doc/html/user-manual/*.html"),
    "capture": ("wireshark-doc", "doc/wireshark/wsug_html_chunked/Ch[ABCIW]*.html"),
    "cluster": ("slurm-wlm-doc", "doc/slurm-wlm/html/[afghmopq]*[!f].html"),
    "dungeon": ("nethack-common", "doc/*/Guidebook.txt.gz"),
    "postfix": ("postfix-doc", "doc/postfix/html/[A-P]*README.html"),
    "mailserver": ("exim4-doc-html", "doc/exim4-doc-html/spec_html/ch-[dhiprsm]*.html"),
    "firewall": ("shorewall-doc", "doc/shorewall-doc/html/[ABDFGIKLMPSUsu]*[!ru].htm*"),
    "memory": ("valgrind", "doc/valgrind/html/[fhmdnq][aclshru]*.html"),
    "genealogy": ("lifelines-doc", "doc/lifelines-doc/ll-[ur]*.html"),
    "lists": (
        "mailman3-doc",
        "doc/*/html/src/mailman/docs/*.html",
        "doc/*/html/src/mailman/handlers/docs/*.html",
    ),
    "circuits": ("kicad-doc-en", "doc/kicad/help/en/[gip][enlc][rtni_]*.html"),
    "editor": ("nano", "doc/nano/*.html"),
    "archive": ("bacula-doc", "doc/bacula-doc/html/main/[A-IW]*[!s].html"),
    "wesnoth": ("wesnoth-1.16-data", "doc/*/manual.en.html"),
    "debmake": ("debmake-doc", "doc/debmake-doc/html/ch0*.en.html"),
    "images": ("gimp-help-en", "gimp/2.0/help/en/gimp-[ct]*-[a-m]*.html"),
    "shell": ("fish-common", "doc/fish/[fit][ianu][qst]*.html"),
    "music": ("mpd", "doc/mpd/html/[cmu]*.html"),
    "names": ("bind9-doc", "doc/*/arm/chapter[1247].html", "doc/*/arm/history.html"),
    "office": (
        "libreoffice-help-en-us",
        "libreoffice/help/en-US/text/swriter/guide/[a-i]*.html",
    ),
    "caves": ("survex", "doc/survex/manual/[ace-z]*.htm"),
    "fontdesign": (
        "fontforge-doc",
        "doc/fontforge/glossary.html",
        "doc/fontforge/appendices/[bde]*.html",
        "doc/fontforge/appendices/f[fo]*.html",
    ),
    "musictagger": (
        "beets-doc",
        "doc/beets/html/faq.html",
        "doc/beets/html/guides/[amt]*.html",
        "doc/beets/html/reference/query.html",
    ),
    "soundtracker": (
        "milkytracker",
        "doc/milkytracker/FAQ.html",
        "doc/milkytracker/MilkyTracker.html",
    ),
    "raytracer": ("povray-doc", "doc/povray/html/u1_[1-8].html", "doc/povray/html/t2_1.html"),
    "polymers": (
        "massxpert-doc",
        "doc/massxpert/html/chap_[bg]*.html",
        "doc/massxpert/html/pre*.html",
    ),
    "antennas": ("xnec2c", "doc/xnec2c/xnec2c.html"),
    "skyimages": ("saods9-doc", "doc/saods9/[fs]*.html", "doc/saods9/user/[bcr]*/*.html"),
    "database": (
        "postgresql-doc-15",
        "doc/postgresql-doc-15/html/tutorial*.html",
        "doc/postgresql-doc-15/html/history.html",
        "doc/postgresql-doc-15/html/bug-reporting.html",
    ),
    "fuzzing": (
        "afl++-doc",
        "doc/afl++-doc/[Fb]*.md.gz",
        "doc/afl++-doc/fuzzing_b*",
        "doc/afl++-doc/[it]*.md",
    ),
    "lisp": ("picolisp", "doc/picolisp/doc/faq.html", "doc/picolisp/doc/tut.html"),
    "bazaar": (
        "brz-doc",
        "doc/brz/html/en/user-guide/[bc]*.html",
        "doc/brz/html/en/user-guide/int*.html",
        "doc/brz/html/en/user-guide/[u-z]*.html",
    ),
    "mailreader": (
        "alpine-doc",
        "doc/alpine/tech-notes/[bp]*.html",
        "doc/alpine/tech-notes/in[st]*.html",
        "doc/alpine/tech-notes/cmd*.html",
    ),
    "livesystem": (
        "live-manual-html",
        "doc/live-manual/html/live-manual/[abo]*.en.html",
        "doc/live-manual/html/live-manual/the*.en.html",
        "doc/live-manual/html/live-manual/ins*.en.html",
    ),
    "sysguide": (
        "debian-reference-en",
        "debian-reference/pr01.en.html",
        "debian-reference/ch0[34].en.html",
    ),
    "mailclient": ("claws-mail-doc", "doc/claws-mail/manual/en/claws-mail-manual.html"),
    "emulator": (
        "bochs-doc",
        "doc/bochs/user/[fgw]*.html",
        "doc/bochs/user/int*n.html",
        "doc/bochs/user/is-*.html",
    ),
    "irc": ("irssi", "doc/irssi/*.html", "doc/irssi/formats.txt"),
    "desktop": ("icewm-common", "doc/icewm-common/FAQ/IceWM-FAQ.html"),
    "intrusion": ("samhain", "doc/samhain/FAQ.html", "doc/samhain/HOWTO-[cs]*.html"),
    "thinkers": ("anarchism", "doc/anarchism/html/secA4.html"),
    "roguelike": ("moria", "doc/moria/historical/f*.md.gz", "doc/moria/historical/history.md.gz"),
    "enigma": ("enigma-doc", "doc/enigma-doc/manual/enigma.html"),
    "screenreader": ("speakup-doc", "doc/speakup-doc/spkguide.txt.gz"),
    "drawing": (
        "xfig-doc",
        "doc/xfig/html/faq.html",
        "doc/xfig/html/[ip]*[ng8].html",
        "doc/xfig/html/[al][ua]t*.html",
    ),
    "films": (
        "mplayer-doc",
        "doc/mplayer/HTML/en/faq.html",
        "doc/mplayer/HTML/en/[dmvw][vaci][dcn]*.html",
        "doc/mplayer/HTML/en/[eit][dnv][lt-]*.html",
    ),
    "waypoints": (
        "gpsbabel-doc",
        "doc/gpsbabel/html/[AIRSTU]*.html",
        "doc/gpsbabel/html/filter_*.html",
        "doc/gpsbabel/html/t*g.html",
    ),
    "encoder": ("lame-doc", "doc/lame-doc/html/[acimuv]*.html", "doc/lame-doc/html/detailed.html"),
    "branches": (
        "gitmagic",
        "doc/gitmagic/html/[ap]*[a1].html",
        "doc/gitmagic/html/ch0[14578].html",
    ),
    "proptests": (
        "python-hypothesis-doc",
        "doc/python-hypothesis-doc/html/[ehmq]*.html",
        "doc/python-hypothesis-doc/html/s[teu][trp][tap]*.html",
        "doc/python-hypothesis-doc/html/[cdp][aoe][mtvc][maek][uabl]*.html",
    ),
    "biblestudy": (
        "bibletime-data",
        "doc/bibletime-data/howto/html/en/h2-*.html",
        "doc/bibletime-data/handbook/html/en/hdbk-[ist]*.html",
        "doc/bibletime-data/handbook/html/en/hdbk-op*.html",
    ),
    "adventurers": (
        "crossfire-doc",
        "doc/crossfire-doc/playbook-html/*.html",
        "doc/crossfire-doc/s[ktu][aiur]*.txt.gz",
        "doc/crossfire-doc/runes-guide.txt",
    ),
    "virtual": ("ganeti-doc", "doc/ganeti/html/[agisuwcm]*[!hx].html"),
}
FIRST = (
    *("history", "book", "manual", "reference"),
    *("company", "brewery", "museum", "school", "clinic", "club", "observatory"),
)
"""Kinds whose failures were read, or that were first learned from."""
AGAIN = ("learned", "last", "newest", "latest")
"""Splits that the span reader went on to learn from, one after the other."""


@functools.cache
def of_split(*splits: str) -> tuple[str, ...]:
    """Kinds with a question of one of some splits, by name; without any, all."""
    paths = sorted((HERE / "questions").glob("*.jsonl"))
    held = {
        path.stem: set(re.findall(r'"split": "(\w+)"', path.read_text("utf-8"))) for path in paths
    }
    return tuple(kind for kind, own in held.items() if not splits or own.intersection(splits))


def learned() -> tuple[str, ...]:
    """All that the span reader learned from."""
    return (*FIRST, *(kind for kind in of_split(*AGAIN) if kind not in FIRST))


def documents(kind: str, work: Path) -> Path:
    """Return the folder of a kind's documents, fetching the package where it isn't there yet."""
    if kind not in PACKAGES:
        return HERE / "documents" / kind
    folder, (package, *patterns) = work / kind, PACKAGES[kind]
    if not folder.exists():
        fetched = work / "packages" / package
        fetched.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", package], cwd=fetched, check=True)
        archive = next(fetched.glob("*.deb"))
        subprocess.run(["dpkg-deb", "-x", archive, fetched / "files"], check=True)
        folder.mkdir()
        share = fetched / "files/usr/share"
        for file in sorted(file for pattern in patterns for file in share.glob(pattern)):
            if file.suffix == ".gz":
                (folder / file.stem).write_bytes(gzip.decompress(file.read_bytes()))
            else:
                shutil.copy(file, folder)
    return folder


def questions(kind: str) -> Path:
    """The file of a kind's questions."""
    return HERE / "questions" / f"{kind}.jsonl"


def graph(kind: str, work: Path) -> Path:
    """Make a kind's graph where it isn't there yet, and return its file."""
    path = work / f"{kind}.db"
    if not path.exists():
        with Hoptrail(path) as hop:
            hop.ingest(documents(kind, work))
    return path


def found(kind: str, work: Path) -> list[tuple[Question, str]]:
    """A kind's questions over the passages found for them, with the places of answers, and splits.

    What tells the answer is added where it is not found. Left out are those whose answer stands in
    no passage as the documents are read.
    """
    lines = questions(kind).read_text(encoding="utf-8").splitlines()
    records = {record["question"]: record for record in map(json.loads, lines)}
    with Hoptrail(graph(kind, work)) as hop:
        find = finding(hop)
        everything = hop.store.passages(hop.store.passages_of(list(hop.store.documents())))
        texts = [(_above(one), one.text) for one in everything.values()]
        placed = []
        for one in source_of(questions(kind)).questions:
            record = records[one.question]
            made = _placed(with_found(one, find), record["telling"], texts)
            if made is not None:
                placed.append((made, record["split"]))
    return placed


def _above(passage: Passage) -> str:
    return ", ".join(filter(None, (passage.title, passage.heading)))


def _placed(question: Question, telling: str, texts: Sequence[tuple[str, str]]) -> Question | None:
    """Say where the answer stands in the paragraphs that tell it; None where none does."""
    golds = [said for said in (question.answer, *question.aliases) if said]
    if not golds:
        return question
    known = {(one.title, one.text): n for n, one in enumerate(question.paragraphs)}
    places, paragraphs = [], list(question.paragraphs)
    for above, text in texts:
        if (place := place_of(telling, golds, text)) is None:
            continue
        if (above, text) not in known:
            known[above, text] = len(paragraphs)
            paragraphs.append(Paragraph(above, text, is_supporting=True))
        places.append((known[above, text], *place))
    if not places:
        return None
    return replace(question, paragraphs=tuple(paragraphs), places=tuple(places))
