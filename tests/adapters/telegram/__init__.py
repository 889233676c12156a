"""Tests of the Telegram adapter, over the real wire with the real SDK."""
