"""Describes what isn't text in a message; never its content. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from telegram import (
    Message,
    MessageOrigin,
    MessageOriginChannel,
    MessageOriginChat,
    MessageOriginHiddenUser,
    MessageOriginUser,
)

from bot.messages import Attachment


def attachments(message: Message) -> tuple[Attachment, ...]:
    """Placeholders for a message's files and the like, where it was forwarded from, and what it quotes."""
    found = [*_forward(message), *_quote(message)]
    for kind, describe in _KINDS.items():
        if thing := getattr(message, kind):
            found.append(describe(kind, thing))
            break  # an animation is also a document, a venue also a location: the first says it best
    return tuple(found)


def _forward(message: Message) -> list[Attachment]:
    if message.forward_origin is None:
        return []
    origin = _origin(message.forward_origin)
    return [Attachment("forward", f"from {origin}" if origin else "")]


def _origin(origin: MessageOrigin) -> str:
    match origin:
        case MessageOriginUser():
            return origin.sender_user.full_name
        case MessageOriginHiddenUser():
            return origin.sender_user_name
        case MessageOriginChat():
            return origin.sender_chat.effective_name or ""
        case MessageOriginChannel():
            return origin.chat.effective_name or ""
    return ""


def _quote(message: Message) -> list[Attachment]:
    """A passage picked by hand, or any from another chat; a plain reply is told by the id it refers to."""
    if message.quote and (message.quote.is_manual or message.external_reply):
        return [Attachment("quote", description=message.quote.text)]
    return []


def _file(kind: str, thing: Any) -> Attachment:
    return Attachment(kind, getattr(thing, "file_name", None) or "", size=thing.file_size)


def _photo(kind: str, sizes: Any) -> Attachment:
    return Attachment(kind, size=sizes[-1].file_size)


def _audio(kind: str, audio: Any) -> Attachment:
    title = " – ".join(part for part in (audio.performer, audio.title) if part)
    return Attachment(kind, title or audio.file_name or "", size=audio.file_size)


def _recording(kind: str, recording: Any) -> Attachment:
    seconds = recording.duration
    length = round(seconds.total_seconds() if hasattr(seconds, "total_seconds") else seconds)
    return Attachment(kind.replace("_", " "), description=f"{length} s", size=recording.file_size)


def _sticker(kind: str, sticker: Any) -> Attachment:
    return Attachment(kind, description=sticker.emoji or "", size=sticker.file_size)


def _poll(kind: str, poll: Any) -> Attachment:
    return Attachment(kind, poll.question, " / ".join(option.text for option in poll.options))


def _venue(kind: str, venue: Any) -> Attachment:
    return Attachment(kind, venue.title, venue.address)


def _contact(kind: str, contact: Any) -> Attachment:
    return Attachment(kind, " ".join(part for part in (contact.first_name, contact.last_name) if part))


def _dice(kind: str, dice: Any) -> Attachment:
    return Attachment(kind, description=f"{dice.emoji} {dice.value}")


def _titled(kind: str, thing: Any) -> Attachment:
    return Attachment(kind, thing.title)


def _bare(kind: str, thing: Any) -> Attachment:
    return Attachment(kind.replace("_", " "))


_KINDS: Mapping[str, Callable[[str, Any], Attachment]] = {
    "animation": _file,
    "audio": _audio,
    "document": _file,
    "live_photo": _bare,
    "photo": _photo,
    "sticker": _sticker,
    "story": _bare,
    "video": _file,
    "video_note": _recording,
    "voice": _recording,
    "checklist": _titled,
    "contact": _contact,
    "dice": _dice,
    "game": _titled,
    "poll": _poll,
    "venue": _venue,
    "location": _bare,
    "invoice": _titled,
    "paid_media": _bare,
    "giveaway": _bare,
}
