"""Commands that show the state of a conversation and change nothing."""

from __future__ import annotations

from bot.commands.model import CommandContext
from bot.records import CompactionState, Conversation, Memory, Totals
from bot.views.context import context_view
from bot.views.history import PAGE, history_view
from bot.views.model import View
from bot.views.notices import help_view
from bot.views.summary import summary_view

_EMPTY = Memory(None, (), 0, 0)


async def summary(context: CommandContext) -> View:
    """/summary [version]"""
    conversation = await _conversation(context)
    wanted = _number(context.argument)
    now = context.clock.now()
    if conversation is None:
        return summary_view(_EMPTY, (), wanted, now, context.words)
    memory = await context.store.memory(conversation)
    versions = await context.store.versions(conversation)
    return summary_view(memory, versions, wanted, now, context.words)


async def context(context: CommandContext) -> View:
    """/context"""
    conversation = await _conversation(context)
    now = context.clock.now()
    if conversation is None:
        return context_view(None, _EMPTY, CompactionState(), Totals(), now, context.words)
    store = context.store
    return context_view(
        await store.last_request(conversation),
        await store.memory(conversation),
        await store.compaction_state(conversation),
        await store.totals(conversation),
        now,
        context.words,
    )


async def history(context: CommandContext) -> View:
    """/history [page]; a page that is no number counts as the newest."""
    conversation = await _conversation(context)
    page = max(_number(context.argument) or 1, 1)
    name = context.settings.bot.name
    if conversation is None:
        return history_view((), page, 0, 0, name, context.words)
    messages, total = await context.store.history(conversation, PAGE, (page - 1) * PAGE)
    memory = await context.store.memory(conversation)
    watermark = memory.summary.watermark if memory.summary else 0
    return history_view(messages, page, total, watermark, name, context.words)


async def assist(context: CommandContext) -> View:
    """/help and /start"""
    language = context.words.language
    rows = [(f"{info.name} {info.argument}".strip(), info.descriptions[language]) for info in context.menu]
    return help_view(context.settings.bot.name, rows, context.words)


async def _conversation(context: CommandContext) -> Conversation | None:
    return await context.store.find(context.incoming.key)


def _number(argument: str) -> int | None:
    """The number that an argument begins with, up to a million; None where it begins with none."""
    first = argument.split(maxsplit=1)[:1]
    return min(int(first[0][:9]), 1_000_000) if first and first[0].isascii() and first[0].isdigit() else None
