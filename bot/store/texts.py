"""Keeps what people said apart from everything else, so that it can be erased without a trace.

SQLite's `secure_delete` zeroes what is freed, but when rows grow or shrink it also moves their neighbours to
other pages, and the old copies may stay in the unused part of a page, out of reach. So texts lie in a table
whose rows are only ever added at its end, which moves nothing, and are erased by overwriting them in place
with as many zero bytes. A changed text is a new row.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from bot.store.session import Session


async def keep(session: Session, text: str) -> int:
    """Add a text; its id is all that other tables hold of it."""
    return await session.insert("INSERT INTO texts (text) VALUES (?)", text)


async def wipe(session: Session, texts: Iterable[int | None]) -> None:
    """Overwrite texts. Whoever holds their ids has to let go of them in the same transaction."""
    wiped = [text for text in texts if text is not None]
    if not wiped:
        return
    session.erased = True
    await session.run(
        "UPDATE texts SET text = zeroblob(length(CAST(text AS BLOB))) "
        "WHERE id IN (SELECT value FROM json_each(?))",
        json.dumps(wiped),
    )
