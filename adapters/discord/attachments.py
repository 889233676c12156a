"""Describes what isn't text in a message; never its content. Pure."""

from __future__ import annotations

from collections.abc import Iterator

import discord

from bot.messages import Attachment

_KINDS = {"image": "photo", "video": "video", "audio": "audio"}


def attachments(message: discord.Message) -> tuple[Attachment, ...]:
    """Placeholders for files, stickers, polls, cards that a bot made, and forwarded messages."""
    return (
        *map(_file, message.attachments),
        *(Attachment("sticker", sticker.name) for sticker in message.stickers),
        *([_poll(message.poll)] if message.poll else []),
        *_cards(message.embeds, message.content),
        *map(_forward, message.message_snapshots),
    )


def _file(file: discord.Attachment) -> Attachment:
    kind = _KINDS.get((file.content_type or "").partition("/")[0], "document")
    if file.is_voice_message():
        return Attachment("voice", description=f"{file.duration or 0:.0f} s", size=file.size)
    return Attachment(kind, file.filename, file.description or "", file.size)


def _poll(poll: discord.Poll) -> Attachment:
    return Attachment("poll", poll.question, " / ".join(answer.text for answer in poll.answers))


def _cards(embeds: list[discord.Embed], content: str) -> Iterator[Attachment]:
    """Embeds that say something of their own: Discord's preview of a link in the text doesn't."""
    for embed in embeds:
        if embed.type == "rich" and not (embed.url and embed.url in content):
            fields = [f"{field.name}: {field.value}" for field in embed.fields]
            said = [embed.description or "", *fields, embed.footer.text or ""]
            yield Attachment("embed", embed.title or "", "\n".join(part for part in said if part))


def _forward(snapshot: discord.MessageSnapshot) -> Attachment:
    files = [_file(file).placeholder for file in snapshot.attachments]
    cards = [card.placeholder for card in _cards(snapshot.embeds, snapshot.content)]
    said = [snapshot.content, *files, *cards]
    return Attachment("forward", description="\n".join(part for part in said if part))
