"""Telegram: long polling, topics, streamed replies, buttons."""
