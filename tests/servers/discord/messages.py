"""Messages of the loopback Discord server as the JSON that Discord sends."""

from __future__ import annotations

from collections.abc import Mapping

from tests.servers.discord import payloads
from tests.servers.discord.values import REPLY, Message, User, moment


def message(one: Message, users: Mapping[int, User], *, nested: bool = False) -> payloads.Payload:
    """A message as the API answers with it; the one it replies to is put in once, not further."""
    known = [users[found] for found in sorted(one.mentioned()) if found in users]
    if one.reply_to and one.kind == REPLY and one.reply_pings and one.reply_to.author not in known:
        known.append(one.reply_to.author)
    shown: payloads.Payload = {
        "id": str(one.id),
        "channel_id": str(one.channel.id),
        "author": payloads.user(one.author),
        "content": one.content,
        "timestamp": payloads.timestamp(moment(one.id)),
        "edited_timestamp": payloads.timestamp(one.edited_at) if one.edited_at else None,
        "tts": False,
        "mention_everyone": "@everyone" in one.content or "@here" in one.content,
        "mentions": [payloads.user(person) for person in known],
        "mention_roles": _mentioned_roles(one),
        "attachments": one.attachments,
        "embeds": one.embeds,
        "components": one.components,
        "pinned": False,
        "type": one.kind,
        "flags": one.flags,
    }
    if one.nonce is not None:
        shown["nonce"] = one.nonce
    if one.webhook_id is not None:
        shown |= {"webhook_id": str(one.webhook_id), "application_id": str(one.webhook_id)}
    return shown | _extras(one, users, nested)


def _mentioned_roles(one: Message) -> list[str]:
    roles = one.channel.guild.roles if one.channel.guild else []
    return [str(entry.id) for entry in roles if entry.mention in one.content]


def _extras(one: Message, users: Mapping[int, User], nested: bool) -> payloads.Payload:
    extras: payloads.Payload = {}
    if one.stickers:
        extras["sticker_items"] = one.stickers
    if one.poll:
        extras["poll"] = one.poll
    if one.snapshots:
        origin = {"type": 1, "channel_id": str(one.channel.id), "message_id": str(one.id - 1)}
        extras |= {"message_snapshots": one.snapshots, "message_reference": origin}
    if one.reply_to:
        extras["message_reference"] = _reference(one.reply_to)
        if not nested:
            gone = one.reply_to.deleted
            extras["referenced_message"] = None if gone else message(one.reply_to, users, nested=True)
    return extras


def _reference(target: Message) -> payloads.Payload:
    reference = {"type": 0, "channel_id": str(target.channel.id), "message_id": str(target.id)}
    if target.channel.guild:
        reference["guild_id"] = str(target.channel.guild.id)
    return reference


def dispatched(one: Message, users: Mapping[int, User]) -> payloads.Payload:
    """A message as the gateway sends it: with its guild and the author's membership."""
    shown = message(one, users)
    home = one.channel.guild
    if home:
        shown["guild_id"] = str(home.id)
        if one.webhook_id is None:
            shown["member"] = payloads.member(one.author, home)
        for entry in shown["mentions"]:
            entry["member"] = payloads.member(users[int(entry["id"])], home)
    return shown


def redacted(shown: payloads.Payload, bot: User, recipient_is_bot: bool) -> payloads.Payload:
    """What a bot without the message content intent gets: no content, unless it is spoken to or speaks."""
    mentions_bot = any(entry["id"] == str(bot.id) for entry in shown.get("mentions", ()))
    if recipient_is_bot or mentions_bot or shown.get("author", {}).get("id") == str(bot.id):
        return shown
    empty: payloads.Payload = {"content": "", "embeds": [], "attachments": [], "components": []}
    return {**{key: value for key, value in shown.items() if key != "poll"}, **empty}
