"""Gauges in characters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.views.drawing import bar, fill, legend
from bot.views.model import Gauge, Segment

amounts = st.lists(st.integers(0, 100_000), max_size=6)


def _gauge(amounts: list[int], capacity: int) -> Gauge:
    return Gauge(tuple(Segment(f"part {n}", amount) for n, amount in enumerate(amounts)), capacity, "tokens")


def test_each_part_has_its_share_and_the_rest_is_free() -> None:
    assert bar(_gauge([250, 500], 1000), 16) == "████▓▓▓▓▓▓▓▓····"


def test_a_part_that_is_there_is_seen_however_small_it_is() -> None:
    assert bar(_gauge([1, 0, 999], 100_000), 10) == "█▒········"


def test_an_overfull_gauge_shows_its_parts_by_their_share_of_all() -> None:
    assert bar(_gauge([100, 300], 200), 8) == "██▓▓▓▓▓▓"


@given(amounts, st.integers(0, 100_000), st.integers(8, 60))
def test_a_bar_has_its_width_and_shows_every_part_in_order(
    amounts: list[int], capacity: int, width: int
) -> None:
    gauge = _gauge(amounts, capacity)
    drawn = bar(gauge, width)
    assert len(drawn) == width
    shown = [fill(index) for index, amount in enumerate(amounts) if amount]
    seen = list(dict.fromkeys(drawn.rstrip("·")))
    assert seen == shown


@given(amounts)
def test_a_legend_names_every_part_with_its_sign_and_amount(amounts: list[int]) -> None:
    rows = legend(_gauge(amounts, 1000))
    assert [amount.replace(",", "") for _, _, amount in rows] == [str(amount) for amount in amounts]
    assert [sign for sign, _, _ in rows] == [fill(index) for index in range(len(amounts))]
