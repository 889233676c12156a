"""The methods of the Bot API that the loopback server plays, by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from tests.servers.telegram.editing import Editing
from tests.servers.telegram.faults import bad_request
from tests.servers.telegram.finding import find_chat
from tests.servers.telegram.profile import Profile
from tests.servers.telegram.sending import Sending
from tests.servers.telegram.updates import UpdateQueue
from tests.servers.telegram.world import Chat, Person, World

Params = Mapping[str, Any]
Method = Callable[[Params], Awaitable[Any]]

_GIFTS = "unlimited_gifts limited_gifts unique_gifts premium_subscription gifts_from_channels"
_RIGHTS = (
    "can_be_edited is_anonymous can_manage_chat can_delete_messages can_manage_video_chats "
    "can_restrict_members can_promote_members can_change_info can_invite_users can_post_stories "
    "can_edit_stories can_delete_stories"
)


class Methods:
    """Carries out calls on a world. Results are objects of the API; refusals are raised as ApiError."""

    def __init__(self, world: World, updates: UpdateQueue, bot: Person) -> None:
        self._world = world
        self._updates = updates
        self._bot = bot
        self.profile = Profile()
        self.editing = Editing(world, bot)
        self.table: dict[str, Method] = {
            "getMe": self._get_me,
            "getUpdates": self._get_updates,
            "deleteWebhook": self._delete_webhook,
            "setWebhook": self._set_webhook,
            "getWebhookInfo": self._webhook_info,
            "getChat": self._get_chat,
            "getChatMember": self._get_member,
            "getChatAdministrators": self._administrators,
            **self.profile.table,
            **Sending(world, bot).table,
            **self.editing.table,
        }

    async def _get_me(self, params: Params) -> dict[str, Any]:
        flags = {"can_join_groups": True, "can_read_all_group_messages": True}
        return self._bot.user | flags | {"supports_inline_queries": False}

    async def _get_updates(self, params: Params) -> list[dict[str, Any]]:
        return await self._updates.get(
            params.get("offset", 0),
            params.get("limit", 100),
            params.get("timeout", 0),
            params.get("allowed_updates"),
        )

    async def _set_webhook(self, params: Params) -> bool:
        self._updates.webhook = params["url"]
        return True

    async def _delete_webhook(self, params: Params) -> bool:
        self._updates.webhook = ""
        if params.get("drop_pending_updates"):
            self._updates.drop()
        return True

    async def _webhook_info(self, params: Params) -> dict[str, Any]:
        return {
            "url": self._updates.webhook,
            "has_custom_certificate": False,
            "pending_update_count": len(self._updates.pending),
        }

    async def _get_chat(self, params: Params) -> dict[str, Any]:
        gifts = dict.fromkeys(_GIFTS.split(), False)
        more = {"accent_color_id": 0, "max_reaction_count": 11, "accepted_gift_types": gifts}
        return find_chat(self._world, params["chat_id"]).info | more

    async def _get_member(self, params: Params) -> dict[str, Any]:
        chat = find_chat(self._world, params["chat_id"])
        person = self._world.people.get(params["user_id"])
        if person is None:
            raise bad_request("user not found")
        return _member(chat, person)

    async def _administrators(self, params: Params) -> list[dict[str, Any]]:
        chat = find_chat(self._world, params["chat_id"])
        if chat.type == "private":
            raise bad_request("there are no administrators in the private chat")
        return [_member(chat, self._world.people[number]) for number in sorted(chat.admins)]


def _member(chat: Chat, person: Person) -> dict[str, Any]:
    if person.id in chat.admins:
        return {"status": "administrator", "user": person.user} | dict.fromkeys(_RIGHTS.split(), False)
    return {"status": "member", "user": person.user}
