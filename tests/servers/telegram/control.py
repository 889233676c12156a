"""Controls the loopback Telegram server over HTTP, for tests in which it is a process of its own.

POST /control/ACTION takes JSON; people, chats and messages are named by their ids:
person, private, group, supergroup, topic, say, edit, press, migrate, block, promote, fail.
GET /control/chat/ID shows a chat as a person sees it; with ?contains=TEXT&timeout=SECONDS it waits for it.
GET /control/calls and /control/violations show what the bot did.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.servers.telegram.faults import Fault
from tests.servers.telegram.world import Chat, Person, Post

if TYPE_CHECKING:
    from tests.servers.telegram.server import TelegramServer


def routes(server: TelegramServer) -> list[web.RouteDef]:
    """The routes below /control/."""

    async def act(http: web.Request) -> web.Response:
        given = await http.json()
        actions = {**_builders(server), **_deeds(server)}
        if (action := actions.get(http.match_info["action"])) is None:
            raise web.HTTPNotFound
        return web.json_response(action(given))

    async def chat(http: web.Request) -> web.Response:
        found = server.chat(int(http.match_info["id"]))
        if wanted := http.query.get("contains"):
            seconds = float(http.query.get("timeout", "10"))
            try:
                await server.wait_for(lambda: any(wanted in text for text in found.texts), seconds)
            except TimeoutError:
                raise web.HTTPRequestTimeout(text=f"no message of the bot has {wanted!r}") from None
        return web.json_response(_seen(found))

    async def calls(http: web.Request) -> web.Response:
        made = [{"method": call.method, "params": dict(call.params)} for call in server.calls]
        return web.json_response(made, dumps=_dumps)

    async def violations(http: web.Request) -> web.Response:
        return web.json_response(server.violations)

    return [
        web.post("/control/{action}", act),
        web.get("/control/chat/{id}", chat),
        web.get("/control/calls", calls),
        web.get("/control/violations", violations),
    ]


Action = Callable[[Mapping[str, Any]], Any]


def _builders(server: TelegramServer) -> dict[str, Action]:
    """Actions that make people and chats; they answer with the new id."""
    people = server.world.people
    return {
        "person": lambda given: server.person(**given).id,
        "private": lambda given: server.private(people[given["person"]]).id,
        "group": lambda given: server.group(given["title"]).id,
        "supergroup": lambda given: server.supergroup(**given).id,
        "topic": lambda given: server.topic(
            server.chat(given["chat"]), given["name"], people[given["person"]]
        ),
    }


def _deeds(server: TelegramServer) -> dict[str, Action]:
    """Actions of people in chats."""
    people, chat = server.world.people, server.chat

    def say(given: Mapping[str, Any]) -> int:
        rest = {name: value for name, value in given.items() if name not in ("chat", "person", "text")}
        return server.say(chat(given["chat"]), people[given["person"]], given.get("text", ""), **rest).id

    def fail(given: Mapping[str, Any]) -> None:
        server.fail(given["method"], Fault(**given["fault"]), times=given.get("times", 1))

    def promote(given: Mapping[str, Any]) -> None:
        chat(given["chat"]).admins.add(given["person"])

    def block(given: Mapping[str, Any]) -> None:
        who: Person = people[given["person"]]
        server.block(chat(given["chat"]), who, blocked=given.get("blocked", True))

    return {
        "say": say,
        "fail": fail,
        "promote": promote,
        "block": block,
        "edit": lambda given: server.edit(chat(given["chat"]), given["message"], given.get("text")).id,
        "press": lambda given: server.press(
            chat(given["chat"]), given["message"], given["label"], people[given["person"]]
        ),
        "migrate": lambda given: server.migrate(chat(given["chat"]), people[given["person"]]).id,
    }


def _seen(chat: Chat) -> dict[str, Any]:
    return {"id": chat.id, "type": chat.type, "messages": [_post(post) for post in chat.messages]}


def _post(post: Post) -> dict[str, Any]:
    return {
        "id": post.id,
        "from": post.message["from"]["first_name"],
        "from_bot": post.from_bot,
        "text": post.text,
        "entities": post.entities,
        "buttons": [button["text"] for button in post.buttons],
        "reply_to": post.reply_to,
        "thread": post.thread,
        "versions": post.versions,
    }


def _dumps(value: Any) -> str:
    return json.dumps(value, default=lambda upload: {"name": upload.name, "size": len(upload.content)})
