"""Commands that change a conversation."""

from __future__ import annotations

from bot.commands.model import CommandContext, FoldReport
from bot.views.model import View
from bot.views.notices import notice, reset_question
from bot.views.words import Words


async def compact(context: CommandContext) -> View:
    """/compact"""
    conversation = await context.store.find(context.incoming.key)
    report = await context.workshop.fold_now(conversation) if conversation else FoldReport("nothing")
    words = context.words
    return notice("compact", words("Compaction"), _told(report, words))


async def undo(context: CommandContext) -> View:
    """/undo: back to the summary before; what the last one folded is read word for word again."""
    words = context.words
    title = words("Undo")
    conversation = await context.store.find(context.incoming.key)
    if conversation is None or not await context.workshop.undo(conversation):
        return notice("undo", title, words("There is no summary to undo."))
    memory = await context.store.memory(conversation)
    waiting = len(memory.verbatim) + memory.older
    if memory.summary is None:
        text = words("There is no summary now; all {n} messages are read word for word.", n=waiting)
    else:
        text = words(
            "Version {version} is in force again; {n} messages are read word for word.",
            version=memory.summary.version,
            n=waiting,
        )
    return notice("undo", title, text)


async def reset(context: CommandContext) -> View:
    """/reset, /reset confirm EPOCH, /reset cancel"""
    words = context.words
    title = words("Start over")
    conversation = await context.store.find(context.incoming.key)
    if conversation is None:
        return notice("reset", title, words("There is nothing to erase yet."))
    step, _, epoch = context.argument.partition(" ")
    if step == "cancel":
        return notice("reset", title, words("Nothing was erased."))
    if step != "confirm":
        memory = await context.store.memory(conversation)
        return reset_question(memory.stored, conversation.epoch, words)
    if epoch.strip() != str(conversation.epoch):
        return notice(
            "reset", title, words("That was asked for an earlier conversation; nothing was erased.")
        )
    await context.store.reset(conversation)  # first: what waits behind a stopped reply finds the new epoch
    await context.workshop.abandon(conversation)
    return notice("reset", title, words("Everything is erased. We start over."))


def _told(report: FoldReport, words: Words) -> str:
    if report.result == "done":
        return words(
            "{before} → {after} tokens; {n} messages are now in the summary.",
            before=f"{report.before:,}",
            after=f"{report.after:,}",
            n=report.folded,
        )
    if report.result == "failed":
        return words("The summary could not be made: {error}. Nothing was changed.", error=report.error)
    if report.result == "busy":
        return words("A summary is being made already. It will be there in a moment.")
    return words("There is nothing to fold yet.")
