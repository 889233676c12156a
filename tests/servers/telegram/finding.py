"""Finds the chat or message that a call names, or refuses as Telegram does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.servers.telegram.faults import ApiError, bad_request
from tests.servers.telegram.world import Chat, Post, World


def find_chat(world: World, number: int | str) -> Chat:
    """The chat with this id, as far as the bot may still use it."""
    chat = world.chats.get(int(number)) if str(number).lstrip("-").isdigit() else None
    if chat is None:
        raise bad_request("chat not found")
    if chat.migrated_to:
        moved = {"migrate_to_chat_id": chat.migrated_to}
        raise ApiError(400, "Bad Request: group chat was upgraded to a supergroup chat", moved)
    if chat.blocked:
        told = "blocked by the user" if chat.type == "private" else f"kicked from the {chat.type} chat"
        raise ApiError(403, f"Forbidden: bot was {told}")
    return chat


def find_post(world: World, params: Mapping[str, Any], purpose: str) -> Post:
    """The message that is to be edited or deleted."""
    post = find_chat(world, params["chat_id"]).posts.get(params["message_id"])
    if post is None or post.deleted:
        raise bad_request(f"message to {purpose} not found")
    return post
