"""Makes text safe to show: nothing in it can steer the terminal or reorder what is read."""

from __future__ import annotations

from collections.abc import Iterator

_KEPT = "\n\t"
_REORDERING = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))


def _replacements() -> Iterator[tuple[int, str]]:
    """What each dangerous character becomes: a visible picture, or nothing where it was invisible anyway."""
    yield from ((code, chr(0x2400 + code)) for code in range(0x20) if chr(code) not in _KEPT)
    yield 0x7F, "␡"
    yield from ((code, "\ufffd") for code in (*range(0x80, 0xA0), *range(0xD800, 0xE000)))
    yield from ((code, "") for code in _REORDERING)


_TABLE = dict(_replacements())


def clean(text: str) -> str:
    """`text` without control characters (shown as pictures), text direction overrides and lone surrogates.

    Line breaks and tabs stay; a carriage return before a line break goes.
    """
    return text.replace("\r\n", "\n").translate(_TABLE)


def one_line(text: str) -> str:
    """`clean` for a title or label: white space of every kind becomes one blank."""
    return clean(" ".join(text.split()))
