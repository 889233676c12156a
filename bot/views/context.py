"""The view of /context: what was sent to the model for the last answer, and what it cost."""

from __future__ import annotations

from datetime import datetime

from bot.records import CompactionState, Memory, RequestRecord, Totals
from bot.views.model import Block, Fields, Gauge, Paragraph, Segment, View
from bot.views.moments import moment
from bot.views.words import Words


def context_view(
    request: RequestRecord | None,
    memory: Memory,
    state: CompactionState,
    totals: Totals,
    now: datetime,
    words: Words,
) -> View:
    """Drawn from the record that the last real request left; without one it says so."""
    blocks: list[Block] = []
    if request is None:
        blocks.append(Paragraph(words("Nothing was sent to the model yet.")))
    else:
        blocks += [_gauge(request, words), Fields(_request_rows(request, words))]
    blocks.append(Fields(_memory_rows(memory, state, now, words)))
    if totals.answers or totals.summaries:
        blocks.append(Fields(_total_rows(totals, words)))
    troubled = state.failures or (request and request.left_out)
    title = words("Context of the last answer")
    return View("context", title, tuple(blocks), tone="warning" if troubled else "plain")


def _gauge(request: RequestRecord, words: Words) -> Gauge:
    names = {
        "persona": words("persona"),
        "summary": words("summary"),
        "digest": words("digest"),
        "recent": words("recent"),
        "current": words("current"),
    }
    segments = tuple(Segment(names[part.name], part.tokens) for part in request.parts)
    return Gauge(segments, request.budget, words("tokens"))


def _request_rows(request: RequestRecord, words: Words) -> tuple[tuple[str, str], ...]:
    how = words("by tiktoken") if request.counted_by == "local" else words("by the provider")
    rows = [(words("Counted before sending"), f"{request.counted:,} ({how})")]
    if request.input is not None:
        difference = request.input - request.counted
        rows.append((words("Reported by the provider"), f"{request.input:,} ({difference:+,})"))
    else:
        rows.append((words("Reported by the provider"), words("nothing")))
    if request.output is not None:
        rows.append((words("Answer"), f"{request.output:,}"))
    rows.append((words("Model"), request.model))
    rows.append(
        (
            words("Messages"),
            words(
                "{sent} sent of {stored} stored; {summarised} summarised, {new} of them newly",
                sent=request.sent,
                stored=request.stored,
                summarised=request.summarised,
                new=request.newly_summarised,
            ),
        )
    )
    if request.left_out:
        rows.append((words("Left out"), words("{n} messages that didn't fit", n=request.left_out)))
    return tuple(rows)


def _memory_rows(
    memory: Memory, state: CompactionState, now: datetime, words: Words
) -> tuple[tuple[str, str], ...]:
    waiting = len(memory.verbatim) + memory.older
    rows = [(words("Not summarised yet"), words("{n} messages", n=waiting))]
    if memory.summary:
        draft = memory.summary.draft
        rows.append(
            (
                words("Last summary"),
                words(
                    "version {version}, {ago}: {before} → {after} tokens",
                    version=memory.summary.version,
                    ago=moment(memory.summary.created_at, now, words),
                    before=f"{draft.source_tokens:,}",
                    after=f"{draft.tokens:,}",
                ),
            )
        )
    if state.failures:
        when = moment(state.next_try, now, words) if state.next_try else words("with the next message")
        rows.append(
            (
                words("Summarising failed"),
                words("{n} times: {error}; next try {when}", n=state.failures, error=state.error, when=when),
            )
        )
    return tuple(rows)


def _total_rows(totals: Totals, words: Words) -> tuple[tuple[str, str], ...]:
    row = words("{n}: {input} tokens in, {output} out")
    return (
        (
            words("Answers so far"),
            row.format(
                n=totals.answers, input=f"{totals.answer_input:,}", output=f"{totals.answer_output:,}"
            ),
        ),
        (
            words("Summaries so far"),
            row.format(
                n=totals.summaries, input=f"{totals.summary_input:,}", output=f"{totals.summary_output:,}"
            ),
        ),
        (
            words("Whole conversation"),
            words(
                "{n} tokens",
                n=f"{totals.all:,}",
            ),
        ),
    )
