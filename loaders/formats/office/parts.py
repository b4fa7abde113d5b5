"""What Word, Excel and PowerPoint files have in common: parts, relations, properties."""

from collections.abc import Iterator

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]: compiled

from ..archive import Archive

_PROPERTIES = {
    "creator": "author", "created": "date", "modified": "modified", "subject": "subject",
    "keywords": "keywords", "description": "description", "language": "language",
}  # fmt: skip


def related(archive: Archive, part: str, kind: str) -> str:
    """The part that a part ("" for the archive) is related to in this way, "" without one."""
    folder, _, name = part.rpartition("/")
    relations = f"{folder}/_rels/{name}.rels".lstrip("/")
    if relations not in archive:
        return ""
    for relation in archive.xml(relations):
        outside = relation.get("TargetMode") == "External"
        if not outside and (relation.get("Type") or "").rpartition("/")[2] == kind:
            return archive.place(relation.get("Target") or "", beside=part)
    return ""


def about_file(archive: Archive) -> dict[str, str]:
    """Title and metadata of the file's properties."""
    name = related(archive, "", "core-properties")
    if not name or name not in archive:
        return {}
    said = {tag_of(child): joined(child.text or "") for child in archive.xml(name)}
    known = {"title": said.get("title", "")}
    known |= {key: said.get(name, "") for name, key in _PROPERTIES.items()}
    return {key: value for key, value in known.items() if value}


def tag_of(element: etree._Element) -> str:
    """Its name, whichever of the two namespaces (transitional, strict) it is in."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def inside(element: etree._Element, tag: str) -> Iterator[etree._Element]:
    """Yield the children of this name."""
    return (child for child in element if tag_of(child) == tag)


def value_of(element: etree._Element, attribute: str) -> str:
    """Return an attribute, in whichever namespace; "" without it."""
    values = (v for k, v in element.items() if k.rpartition("}")[2] == attribute)
    return next(values, "")


def targets(archive: Archive, part: str) -> dict[str, str]:
    """Id of a relation of a part → the part that it leads to; none that lead outside."""
    folder, _, name = part.rpartition("/")
    relations = f"{folder}/_rels/{name}.rels".lstrip("/")
    if relations not in archive:
        return {}
    return {
        relation.get("Id") or "": archive.place(relation.get("Target") or "", beside=part)
        for relation in archive.xml(relations)
        if relation.get("TargetMode") != "External"
    }


def joined(text: str) -> str:
    """Make all white space single blanks."""
    return " ".join(text.split())
