"""Token figures: the request behind each answer, and what answers and summaries cost."""

from __future__ import annotations

import json
from datetime import datetime

from bot.messages import Message
from bot.ports.model import Usage
from bot.records import Conversation, Part, RequestRecord, Totals
from bot.store.rows import stamp
from bot.store.session import Session


async def add_request(
    session: Session, conversation: Conversation, answer: Message, record: RequestRecord
) -> None:
    """Keep the figures of the request that led to an answer."""
    parts = [{"name": part.name, "tokens": part.tokens, "items": part.items} for part in record.parts]
    await session.run(
        "INSERT INTO requests (conversation_id, epoch, answer_id, purpose, model, budget, parts, counted, "
        "counted_by, stored, summarised, newly_summarised, sent, left_out, at, input, output, cached, "
        "duration, summary_version) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        *(conversation.id, conversation.epoch, answer.id, record.purpose, record.model, record.budget),
        *(json.dumps(parts), record.counted, record.counted_by, record.stored, record.summarised),
        *(record.newly_summarised, record.sent, record.left_out, stamp(record.at)),
        *(record.input, record.output, record.cached, record.duration, record.summary_version),
    )


async def last_request(session: Session, conversation: Conversation) -> RequestRecord | None:
    """The latest one of the epoch."""
    row = await session.one(
        "SELECT * FROM requests WHERE conversation_id = ? AND epoch = ? ORDER BY id DESC LIMIT 1",
        *(conversation.id, conversation.epoch),
    )
    if row is None:
        return None
    return RequestRecord(
        purpose=row["purpose"],
        model=row["model"],
        budget=row["budget"],
        parts=tuple(Part(**fields) for fields in json.loads(row["parts"])),
        counted=row["counted"],
        counted_by=row["counted_by"],
        stored=row["stored"],
        summarised=row["summarised"],
        newly_summarised=row["newly_summarised"],
        sent=row["sent"],
        left_out=row["left_out"],
        at=datetime.fromisoformat(row["at"]),
        input=row["input"],
        output=row["output"],
        cached=row["cached"],
        duration=row["duration"],
        summary_version=row["summary_version"],
    )


async def add_cost(
    session: Session, conversation: Conversation, model: str, usage: Usage, now: datetime
) -> None:
    """Book a summary run whose result was refused."""
    await session.run(
        "INSERT INTO costs (conversation_id, model, input, output, at) VALUES (?, ?, ?, ?, ?)",
        *(conversation.id, model, usage.input, usage.output, stamp(now)),
    )


async def totals(session: Session, conversation: Conversation) -> Totals:
    """All epochs: erasing what was said doesn't undo what it cost."""
    answers = await session.one(
        "SELECT count(*), coalesce(sum(coalesce(input, counted)), 0), coalesce(sum(output), 0) "
        "FROM requests WHERE conversation_id = ?",
        conversation.id,
    )
    summaries = await session.one(
        "SELECT count(*), coalesce(sum(input_tokens), 0), coalesce(sum(output_tokens), 0) "
        "FROM summaries WHERE conversation_id = ?",
        conversation.id,
    )
    refused = await session.one(
        "SELECT coalesce(sum(input), 0), coalesce(sum(output), 0) FROM costs WHERE conversation_id = ?",
        conversation.id,
    )
    assert answers is not None
    assert summaries is not None
    assert refused is not None
    return Totals(
        answers=answers[0],
        answer_input=answers[1],
        answer_output=answers[2],
        summaries=summaries[0],
        summary_input=summaries[1] + refused[0],
        summary_output=summaries[2] + refused[1],
    )
