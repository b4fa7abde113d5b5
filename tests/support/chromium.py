"""Neo4j Browser in a real, headless Chromium, driven over the DevTools protocol's pipe."""

import base64
import fcntl
import itertools
import json
import os
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

FRAME = "document.querySelector('[data-testid=frame]')"
SECONDS = 90  # a busy machine is not a defect
WIDTH, HEIGHT = 1280, 800
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def executable() -> str:
    """Chromium's path, or "" where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), "")


_START = """import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Page:
    """One tab. Commands go through file descriptor 3, answers come through 4, each ended by NUL.

    Args:
        profile: an empty folder, which Chromium fills.
    """

    def __init__(self, profile: Path) -> None:
        pipes = [os.pipe(), os.pipe()]
        # Above the two numbers that they get over there.
        commands, answers = (
            fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (pipes[0][0], pipes[1][1])
        )
        os.close(pipes[0][0])
        os.close(pipes[1][1])
        self._write, self._read = pipes[0][1], pipes[1][0]
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-c", _START, str(commands), str(answers), executable()),
                *("--headless=new", "--remote-debugging-pipe", f"--user-data-dir={profile}"),
                *("--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage"),
                *("--disable-background-networking", "--disable-component-update"),
                *(f"--window-size={WIDTH},{HEIGHT}", "--hide-scrollbars", "about:blank"),
            ],
            pass_fds=(commands, answers),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(answers)
        self._numbers, self._held, self._session = itertools.count(1), b"", ""

    def __enter__(self) -> Self:
        try:
            self._open()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _open(self) -> None:
        tabs = self.send("Target.getTargets")["targetInfos"]
        tab = next(one["targetId"] for one in tabs if one["type"] == "page")
        attached = self.send("Target.attachToTarget", targetId=tab, flatten=True)
        self._session = attached["sessionId"]
        shape = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        self.send("Emulation.setDeviceMetricsOverride", **shape)
        self.send("Page.enable")

    def __exit__(self, *exc_info: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._write)
        os.close(self._read)

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Do one command of the protocol; return its result."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._held:
            if not select.select([self._read], [], [], SECONDS)[0]:
                raise TimeoutError("Chromium says nothing")
            got = os.read(self._read, 1 << 16)
            if not got:
                raise RuntimeError("Chromium has ended")
            self._held += got
        message, _, self._held = self._held.partition(b"\0")
        return json.loads(message)

    def run(self, script: str) -> Any:
        """The value of an expression of JavaScript."""
        done = self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in done:
            raise RuntimeError(json.dumps(done["exceptionDetails"])[:2000])
        return done["result"].get("value")

    def until(self, script: str) -> Any:
        """Wait until an expression is true; return its value."""
        end = time.monotonic() + SECONDS
        while not (value := self.run(script)):
            if time.monotonic() > end:
                raise TimeoutError(f"never true: {script}\n{self.run('document.body.innerText')}")
            time.sleep(0.2)
        return value

    def click(self, selector: str) -> None:
        """Click on the first element, as soon as there is one; wherever it has moved to."""
        element = f"document.querySelector({json.dumps(selector)})"
        self.until(f"!!{element}")
        self.run(f"{element}.click()")

    def type(self, text: str) -> None:
        """Insert text where the cursor is."""
        self.send("Input.insertText", text=text)

    def drop(self, file: Path) -> None:
        """Drag a file from outside into the middle of the window and let it go."""
        data = {"items": [], "files": [str(file)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "dragOver", "drop"):
            self.send("Input.dispatchDragEvent", type=kind, x=640, y=500, data=data)
            time.sleep(0.5)

    def screenshot(self, file: Path, clip: tuple[float, float, float, float] | None = None) -> None:
        """Write the window, or (x, y, width, height) of it, as a PNG."""
        more: dict[str, Any] = {}
        if clip:
            names = ("x", "y", "width", "height")
            more["clip"] = {**dict(zip(names, clip, strict=True)), "scale": 1}
        shot = self.send("Page.captureScreenshot", format="png", **more)
        file.write_bytes(base64.b64decode(shot["data"]))


class Neo4jBrowser(Page):
    """Neo4j Browser, connected.

    Args:
        profile: see Page.
        http: the server's HTTP address, such as "http://127.0.0.1:7474".
        password: of the user neo4j.
    """

    def __init__(self, profile: Path, http: str, password: str) -> None:
        super().__init__(profile)
        self._http, self._password = http, password

    def _open(self) -> None:
        super()._open()
        self.send("Page.navigate", url=f"{self._http}/browser/")
        for field, text in (("username", "neo4j"), ("password", self._password)):
            entry = f"document.querySelector('[data-testid={field}]')"
            self.until(f"!!{entry}")
            while self.run(f"{entry}.value") != text:  # the page may still be building itself
                self.run(f"{entry}.focus(), {entry}.select()")
                self.type(text)
        self.until(
            "/connected as user/i.test(document.body.innerText) || void "
            "document.querySelector('[data-testid=connect]:enabled')?.click()"
        )

    def ask(self, text: str) -> None:
        """Run a query, or a command such as ":style reset"; wait until its frame is there."""
        frames = "document.querySelectorAll('[data-testid=frame]').length"
        before = self.run(frames)
        self.run("document.querySelector('[data-testid=activeEditor] textarea').focus()")
        self.type(text)
        self.click("[data-testid=editor-Run]")
        self.until(f"{frames} > {before}")

    def captions(self, of: str = "node") -> list[str]:
        """What stands in the nodes, or along the relationships, that the newest frame draws."""
        return self.run(
            f"[...{FRAME}.querySelectorAll('g.{of}')].map("
            "g => [...g.querySelectorAll('text')].map(t => t.textContent.trim()).join(' '))"
        )

    def drawn(self, *captions: str) -> None:
        """Wait until the newest frame draws nodes or relationships with these captions."""
        end = time.monotonic() + SECONDS
        while missing := {*captions} - {*self.captions(), *self.captions("relationship")}:
            if time.monotonic() > end:
                shown = self.captions() + self.captions("relationship")
                raise TimeoutError(f"not drawn: {missing}, but {shown}")
            time.sleep(0.2)

    def picture(self, file: Path) -> None:
        """Write the newest frame, its graph as large as fits, as a PNG."""
        self.click("[data-testid=frame] [title=Fullscreen]")
        pane = "[aria-label='Collapse the node properties display']"  # it remembers that
        self.run(f'document.querySelector("[data-testid=frame] {pane}")?.click()')
        time.sleep(2)  # until the graph has come to rest
        self.click("[data-testid=frame] [aria-label='zoom-to-fit']")
        time.sleep(1)
        self.screenshot(file)
        self.click("[data-testid=frame] [title='Close fullscreen']")
