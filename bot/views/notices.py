"""Short views: what a command did, what it asks, and the help page."""

from __future__ import annotations

from collections.abc import Sequence

from bot.messages import CommandCall
from bot.views.model import Action, Item, Items, Paragraph, View
from bot.views.words import Words


def notice(kind: str, title: str, text: str) -> View:
    """A card of one paragraph."""
    return View(kind, title, (Paragraph(text),))


def reset_question(stored: int, epoch: int, words: Words) -> View:
    """Asks before everything is erased. The epoch in the button makes an old button harmless."""
    text = words(
        "This erases all {n} messages of this conversation and everything I remember of it, for good.",
        n=stored,
    )
    actions = (
        Action(words("Erase everything"), CommandCall("reset", f"confirm {epoch}"), danger=True),
        Action(words("Keep it"), CommandCall("reset", "cancel")),
    )
    return View("reset", words("Start over?"), (Paragraph(text),), actions, tone="warning")


def erased(words: Words) -> View:
    """For whoever waits for an answer in a conversation that is gone."""
    text = words("This conversation was erased meanwhile, so the answer is not kept.")
    return notice("reset", words("Start over"), text)


def help_view(name: str, commands: Sequence[tuple[str, str]], words: Words) -> View:
    """What the bot is, how to talk to it, and its commands as (usage, description)."""
    about = words(
        "I am {name}. In private I answer everything; in a group I answer when you mention me or reply "
        "to me. I keep our messages, fold older ones into notes, and show you both.",
        name=name,
    )
    items = tuple(Item(f"/{usage}", description) for usage, description in commands)
    return View("help", words("Help"), (Paragraph(about), Items(items, words("Commands"))))
