"""The terminal: a conversation on a local console, typed by a person or piped by a script."""
