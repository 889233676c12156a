"""Loopback servers: the far ends of Telegram, Discord and OpenAI, checked against their published descriptions."""
