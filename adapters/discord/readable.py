"""Writes what people wrote the way they see it: names in place of ids. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import discord

_TOKEN = re.compile(
    r"<@!?(?P<user>\d+)>|<@&(?P<role>\d+)>|<#(?P<channel>\d+)>|<a?:(?P<emoji>\w+):\d+>"
    r"|<t:(?P<time>-?\d{1,12})(?::[a-zA-Z])?>|</(?P<command>[^:>]+):\d+>"
)


def readable(message: discord.Message, me: discord.ClientUser) -> str:
    """The text of a message with names for mentions; the bot's own goes where it only calls the bot.

    A message that says nothing but the bot's name keeps it.
    """
    text = message.content.strip()
    called = rf"(?:{'|'.join(re.escape(mention) for mention in own_mentions(message, me))})"
    rest = re.sub(rf"^(?:{called}[\s,:]*)+|(?:\s*{called})+$", "", text)
    return _TOKEN.sub(lambda found: _name(found, message), rest if rest.strip() else text).strip()


def own_mentions(message: discord.Message, me: discord.ClientUser) -> list[str]:
    """How the bot can be mentioned: itself, and in a guild the role that belongs to it."""
    role = message.guild.self_role if message.guild else None
    return [f"<@{me.id}>", f"<@!{me.id}>", *([f"<@&{role.id}>"] if role else [])]


def _name(found: re.Match[str], message: discord.Message) -> str:
    """What a person sees in the place of a token; one that can't be named stays."""
    if found["user"]:
        people = {person.id: person.display_name for person in message.mentions}
        return _at(people.get(int(found["user"])), found)
    if found["role"]:
        role = message.guild.get_role(int(found["role"])) if message.guild else None
        return _at(role.name if role else None, found)
    if found["channel"]:
        channel = message.guild.get_channel_or_thread(int(found["channel"])) if message.guild else None
        return f"#{channel.name}" if channel else found[0]
    if found["emoji"]:
        return f":{found['emoji']}:"
    if found["command"]:
        return f"/{found['command']}"
    return _moment(int(found["time"])) or found[0]


def _at(name: str | None, found: re.Match[str]) -> str:
    return f"@{name}" if name else found[0]


def _moment(seconds: int) -> str:
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
    except (ValueError, OverflowError, OSError):
        return ""
