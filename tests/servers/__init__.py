"""Loopback servers: the far ends of Telegram, Discord and OpenAI."""
