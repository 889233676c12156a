"""Commands, declared once: every menu, the slash tree and /help come from the registry."""
