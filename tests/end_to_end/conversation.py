"""One conversation that is played on every face: a fact at its start is asked for at its end."""

from __future__ import annotations

LINES = (
    "My TOEIC exam is on the 18th next month, my aim is 850 and listening is my weak point.",
    "I study every evening after work, mostly at the kitchen table with a cup of tea.",
    "My teacher is called Mr. Lee, and he lends me a new book every week.",
    "The last book was about the history of trains, which I liked a lot.",
    "My sister wants to learn with me, but she only has time on Saturdays.",
    "On Saturdays we usually go to the library near the old harbour.",
    "The library closes at 18:00, so we always have to start early.",
    "Yesterday I listened to a podcast about whales for half an hour.",
    "I think that I should buy better headphones before long.",
)
QUESTION = "What is my aim in the TOEIC exam?"
ANSWER = "850"
# A window of three turns, so that the first line has left it when the question comes.
WINDOW = {"MEMORA_MEMORY__RECENT_TURNS": "3"}
