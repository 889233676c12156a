"""Discord: gateway, slash commands, streamed replies, buttons."""
