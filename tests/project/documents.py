"""Reads what the README says: its tables, its code blocks and its links."""

from __future__ import annotations

import re


def tables(text: str) -> list[list[list[str]]]:
    """Every table as rows of cells, the heading's row included; `\\|` in a cell is a plain bar."""
    found: list[list[list[str]]] = []
    inside = False
    for line in text.splitlines():
        if not line.startswith("|"):
            inside = False
            continue
        if not inside:
            found.append([])
        inside = True
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            found[-1].append(cells)
    return found


def table(text: str, heading: str) -> list[list[str]]:
    """The rows of the one table whose first cell is `heading`, without the heading's row."""
    (found,) = (rows for rows in tables(text) if rows[0][0] == heading)
    return found[1:]


def blocks(text: str, language: str) -> list[str]:
    """The code blocks of a language."""
    return re.findall(rf"^ *```{language}\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)


def links(text: str) -> list[str]:
    """The targets of all links and pictures."""
    return re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:href|src)="([^"]+)"', text)


def anchors(text: str) -> set[str]:
    """The names under which a document's headings can be linked, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
