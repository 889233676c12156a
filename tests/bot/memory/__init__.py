"""Tests of the pure memory logic."""
