"""Tests of the Discord adapter, over real HTTP and a real gateway on loopback."""
