"""The whole program as a process of its own, talking to loopback servers."""
