"""People, guilds and channels of the loopback Discord server as the JSON that Discord sends."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tests.servers.discord.values import (
    DM,
    Channel,
    Guild,
    Role,
    User,
    moment,
)

Payload = dict[str, Any]

# View, send, manage messages and the like; what a member may do who moderates, and what one may who doesn't.
MODERATOR = str(1 << 13 | 1 << 11 | 1 << 10 | 1 << 16)
MEMBER = str(1 << 11 | 1 << 10 | 1 << 16)


def timestamp(when: datetime) -> str:
    return when.isoformat()


def user(person: User) -> Payload:
    return {
        "id": str(person.id),
        "username": person.username,
        "global_name": person.display,
        "discriminator": "0" if not person.bot else "0001",
        "avatar": None,
        "bot": person.bot,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
    }


def me(person: User) -> Payload:
    """The bot's own account."""
    return {**user(person), "mfa_enabled": False, "locale": "en-US", "verified": True, "email": None}


def member(person: User, guild: Guild) -> Payload:
    """A membership, without the user in it."""
    moderates = person.id in guild.moderators or person is guild.owner
    return {
        "nick": guild.nicknames.get(person.id),
        "avatar": None,
        "banner": None,
        "roles": [str(role.id) for role in guild.roles if role.bot == person.id or _held(role, moderates)],
        "joined_at": timestamp(moment(guild.id)),
        "deaf": False,
        "mute": False,
        "flags": 0,
        "pending": False,
        "premium_since": None,
        "communication_disabled_until": None,
    }


def _held(role: Role, moderates: bool) -> bool:
    return moderates and role.bot is None and bool(role.permissions & (1 << 13))


def role(one: Role) -> Payload:
    return {
        "id": str(one.id),
        "name": one.name,
        "permissions": str(one.permissions),
        "position": 0,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": one.bot is not None,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "description": None,
        "flags": 0,
        **({"tags": {"bot_id": str(one.bot)}} if one.bot else {}),
    }


def guild(one: Guild, channels: list[Channel], people: list[User]) -> Payload:
    """A guild as GUILD_CREATE carries it."""
    return {
        "id": str(one.id),
        "name": one.name,
        "icon": None,
        "owner_id": str(one.owner.id),
        "afk_timeout": 300,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "premium_progress_bar_enabled": False,
        "preferred_locale": "en-US",
        "system_channel_flags": 0,
        "features": [],
        "emojis": [],
        "stickers": [],
        "roles": [role(entry) for entry in one.roles],
        "joined_at": timestamp(moment(one.id)),
        "large": False,
        "member_count": len(people),
        "members": [{**member(person, one), "user": user(person)} for person in people if person.bot],
        "channels": [channel(entry) for entry in channels if entry.guild is one and not entry.is_thread],
        "threads": [channel(entry) for entry in channels if entry.guild is one and entry.is_thread],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def channel(one: Channel) -> Payload:
    last = str(one.log[-1].id) if one.log else None
    shown: Payload = {"id": str(one.id), "type": one.kind, "last_message_id": last, "flags": 0}
    if one.kind == DM and one.recipient:
        return {**shown, "recipients": [user(one.recipient)]}
    assert one.guild
    shown |= {"guild_id": str(one.guild.id), "name": one.name, "rate_limit_per_user": 0}
    if one.is_thread:
        return shown | _thread(one)
    more: Payload = {
        "position": 0,
        "nsfw": False,
        "topic": None,
        "parent_id": None,
        "permission_overwrites": [],
    }
    return {**shown, **more}


def _thread(one: Channel) -> Payload:
    assert one.parent
    assert one.owner
    return {
        "parent_id": str(one.parent.id),
        "owner_id": str(one.owner.id),
        "message_count": len(one.messages),
        "member_count": 1,
        "total_message_sent": len(one.log),
        "applied_tags": [],
        "thread_metadata": {
            "archived": False,
            "auto_archive_duration": 1440,
            "archive_timestamp": timestamp(moment(one.id)),
            "create_timestamp": timestamp(moment(one.id)),
            "locked": False,
        },
    }


def application(bot: User, owner: User, flags: int) -> Payload:
    return {
        "id": str(bot.id),
        "name": bot.display,
        "type": None,
        "description": "",
        "icon": None,
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": user(owner),
        "team": None,
        "verify_key": "0" * 64,
        "flags": flags,
        "flags_new": str(flags),
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "approximate_guild_count": 1,
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "integration_types_config": {"0": {}},
        "event_webhooks_status": 1,
        "eligible_oauth2_scopes": ["bot", "applications.commands"],
    }
