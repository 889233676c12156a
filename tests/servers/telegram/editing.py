"""Methods that change or remove what stands in a chat, and that answer pressed buttons."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from tests.servers.telegram import content
from tests.servers.telegram.faults import bad_request
from tests.servers.telegram.finding import find_chat, find_post
from tests.servers.telegram.world import Person, World

Params = Mapping[str, Any]


class Editing:
    """`answered` maps the ids of pressed buttons that were answered to the text the person was shown."""

    def __init__(self, world: World, bot: Person) -> None:
        self._world = world
        self._bot = bot
        self.open_queries: set[str] = set()
        self.answered: dict[str, str] = {}
        self.table: dict[str, Callable[[Params], Awaitable[Any]]] = {
            "editMessageText": self._text,
            "editMessageReplyMarkup": self._markup,
            "deleteMessage": self._delete,
            "deleteMessages": self._delete_several,
            "answerCallbackQuery": self._answer,
        }

    async def _text(self, params: Params) -> dict[str, Any]:
        content.refuse_markup(params)
        text, entities = content.checked_text(params.get("text", ""), params.get("entities"))
        fields = {"text": text} | ({"entities": entities} if entities else {})
        return self._change(params, {"text", "entities", "reply_markup"}, fields)

    async def _markup(self, params: Params) -> dict[str, Any]:
        return self._change(params, {"reply_markup"}, {})

    def _change(self, params: Params, replaced: set[str], fields: Mapping[str, Any]) -> dict[str, Any]:
        post = find_post(self._world, params, "edit")
        if post.message["from"]["id"] != self._bot.id:
            raise bad_request("message can't be edited")
        kept = {name: value for name, value in post.message.items() if name not in replaced}
        changed = {**kept, **fields, **content.checked_keyboard(params.get("reply_markup"))}
        if changed == post.message:
            reason = "specified new message content and reply markup are exactly the same"
            raise bad_request(f"message is not modified: {reason} as a current content of the message")
        if post.text != changed.get("text", post.text):
            post.versions.append(post.text)
        post.message = changed | {"edit_date": changed["date"]}
        return post.message

    async def _delete(self, params: Params) -> bool:
        post = find_post(self._world, params, "delete")
        chat = find_chat(self._world, params["chat_id"])
        if not (post.from_bot or chat.type == "private" or self._bot.id in chat.admins):
            raise bad_request("message can't be deleted")
        post.deleted = True
        return True

    async def _delete_several(self, params: Params) -> bool:
        posts = find_chat(self._world, params["chat_id"]).posts
        for number in params["message_ids"]:
            if number in posts:
                posts[number].deleted = True
        return True

    async def _answer(self, params: Params) -> bool:
        query = params["callback_query_id"]
        if query not in self.open_queries:
            raise bad_request("query is too old and response timeout expired or query ID is invalid")
        self.open_queries.remove(query)
        self.answered[query] = params.get("text", "")
        return True
