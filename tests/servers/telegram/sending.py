"""Methods that put something into a chat."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from tests.servers.telegram import content
from tests.servers.telegram.checking import Upload
from tests.servers.telegram.faults import bad_request
from tests.servers.telegram.finding import find_chat
from tests.servers.telegram.world import Chat, Person, Post, World

Params = Mapping[str, Any]

_ACTIONS = {"typing", "upload_photo", "upload_document", "upload_video", "record_voice", "find_location"}


class Sending:
    """Messages, drafts, files and the "typing" sign of the bot."""

    def __init__(self, world: World, bot: Person) -> None:
        self._world = world
        self._bot = bot
        self.table: dict[str, Callable[[Params], Awaitable[Any]]] = {
            "sendMessage": self._message,
            "sendMessageDraft": self._draft,
            "sendDocument": self._document,
            "sendPhoto": self._photo,
            "sendChatAction": self._action,
        }

    async def _message(self, params: Params) -> dict[str, Any]:
        chat = find_chat(self._world, params["chat_id"])
        content.refuse_markup(params)
        text, entities = content.checked_text(params["text"], params.get("entities"))
        return self._post(chat, params, {"text": text} | ({"entities": entities} if entities else {})).message

    async def _draft(self, params: Params) -> bool:
        chat = find_chat(self._world, params["chat_id"])
        if chat.type != "private" or params["draft_id"] == 0:
            raise bad_request("drafts are for private chats and have an id other than 0")
        chat.drafts[params["draft_id"]] = params.get("text", "")
        return True

    async def _document(self, params: Params) -> dict[str, Any]:
        described: dict[str, Any] = {"file_id": "d1", "file_unique_id": "d1"}
        if isinstance(file := params["document"], Upload):
            described |= {"file_name": file.name, "file_size": len(file.content)}
        return self._file(params, "document", described)

    async def _photo(self, params: Params) -> dict[str, Any]:
        size = {"file_id": "p1", "file_unique_id": "p1", "width": 90, "height": 90}
        return self._file(params, "photo", [size])

    async def _action(self, params: Params) -> bool:
        chat = find_chat(self._world, params["chat_id"])
        if params["action"] not in _ACTIONS:
            raise bad_request("wrong parameter action in request")
        chat.actions.append((params["action"], params.get("message_thread_id")))
        return True

    def _file(self, params: Params, kind: str, described: Any) -> dict[str, Any]:
        chat = find_chat(self._world, params["chat_id"])
        content.refuse_markup(params)
        fields = {kind: described}
        if caption := params.get("caption"):
            marks = params.get("caption_entities")
            text, entities = content.checked_text(caption, marks, content.MAX_CAPTION)
            fields |= {"caption": text} | ({"caption_entities": entities} if entities else {})
        post = self._post(chat, params, fields)
        post.file = params[kind].content if isinstance(params[kind], Upload) else None
        return post.message

    def _post(self, chat: Chat, params: Params, fields: Mapping[str, Any]) -> Post:
        thread = params.get("message_thread_id")
        if thread is not None and thread not in chat.topics:
            raise bad_request("message thread not found")
        keyboard = content.checked_keyboard(params.get("reply_markup"))
        return self._world.add(chat, self._bot, {**fields, **self._reply(chat, params), **keyboard}, thread)

    def _reply(self, chat: Chat, params: Params) -> dict[str, Any]:
        reply = params.get("reply_parameters")
        if not reply:
            return {}
        target = chat.posts.get(reply["message_id"])
        if target is None or target.deleted:
            if reply.get("allow_sending_without_reply"):
                return {}
            raise bad_request("message to be replied not found")
        return self._world.refer(chat, target.id)
