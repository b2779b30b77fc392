"""Chance that anyone can repeat."""

from statistics import mean

from hypothesis import given
from hypothesis import strategies as st

from twiceshy.effect.holdout import derive_seed, draw_lot


def test_the_same_names_draw_the_same_lot_on_every_machine() -> None:
    drawn = [derive_seed("s1", "n1"), derive_seed("会话", "n1"), derive_seed("", "")]

    assert drawn == [5746066770326596773, 15879184447798121389, 12172763028394216910]


@given(st.text(), st.text())
def test_any_names_can_draw_and_their_order_and_borders_count(one: str, other: str) -> None:
    assert 0 <= draw_lot(one, other) < 1
    assert draw_lot(one, other) == draw_lot(one, other)
    assert derive_seed(one, other) != derive_seed(one + other)


def test_lots_are_spread_evenly() -> None:
    cells = [0] * 20
    for session in range(200):
        for note in range(100):
            cells[int(draw_lot(f"session-{session}", f"n{note:03}") * 20)] += 1

    expected = 200 * 100 / 20
    chi_square = sum((cell - expected) ** 2 / expected for cell in cells)
    assert chi_square < 43.8  # 19 degrees of freedom, one in a thousand is above


def test_lots_of_neighbours_have_nothing_to_do_with_each_other() -> None:
    here = [draw_lot("hold-out", f"s{number}", "n1") for number in range(2_000)]
    there = [draw_lot("hold-out", f"s{number}", "n2") for number in range(2_000)]

    together = mean(one * other for one, other in zip(here, there, strict=True))

    assert abs(together - mean(here) * mean(there)) < 0.006  # three standard errors
