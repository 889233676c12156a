"""Memora's core: conversations, memory, model and store. It knows no platform."""
