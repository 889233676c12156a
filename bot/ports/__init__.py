"""Protocols: what the core needs of models, platforms, the store and time, and nothing more."""

from bot.ports.clock import Clock
from bot.ports.model import (
    ChatModel,
    Completion,
    Finish,
    ModelMessage,
    ModelRequest,
    TextDelta,
    TokenCounter,
    Usage,
)
from bot.ports.platform import Adapter, CommandInfo, Inbox, ReplySink, Responder, StateStore
from bot.ports.store import Appended, ConversationStore

__all__ = [
    "Adapter",
    "Appended",
    "ChatModel",
    "Clock",
    "CommandInfo",
    "Completion",
    "ConversationStore",
    "Finish",
    "Inbox",
    "ModelMessage",
    "ModelRequest",
    "ReplySink",
    "Responder",
    "StateStore",
    "TextDelta",
    "TokenCounter",
    "Usage",
]
