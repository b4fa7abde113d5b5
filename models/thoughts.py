"""Thoughts in what a model says: text in tags before the reply."""

import re

_OPENED = re.compile(r"\s*(?:<(?:\w+:)?think(?::\w+)?>|\[THINK\]|◁think▷)")
_CLOSED = re.compile(r".*(?:</(?:\w+:)?think(?::\w+)?>|\[/THINK\]|◁/think▷)", re.DOTALL)
_TAGS = re.compile(r"</?(?:\w+:)?think(?::\w+)?>|\[/?THINK\]|◁/?think▷")


def split(content: str) -> tuple[str, str]:
    """Split what was said into the reply and the thought before it; "" where there is none."""
    if closed := _CLOSED.match(content):
        return content[closed.end() :].lstrip(), _TAGS.sub("", closed[0])
    if opened := _OPENED.match(content):
        return "", content[opened.end() :] or opened[0].strip()
    return content, ""
