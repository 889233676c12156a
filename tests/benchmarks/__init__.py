"""Measurements, run by hand: `python -m tests.benchmarks.NAME`. Speed is a ratio within one run."""
