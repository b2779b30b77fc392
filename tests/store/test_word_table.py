"""Two numbers stand in a byte of the word table, and both come back."""

from hypothesis import given
from hypothesis import strategies as st

from twiceshy.store.vectors import unpack_vector

HALVES = st.lists(st.tuples(st.integers(-8, 7), st.integers(-8, 7)), max_size=200)


@given(HALVES)
def test_every_number_comes_back_the_upper_halves_first(numbers: list[tuple[int, int]]) -> None:
    packed = bytes((upper & 15) << 4 | lower & 15 for upper, lower in numbers)

    found = list(memoryview(unpack_vector(packed)).cast("b"))

    assert found == [upper for upper, _ in numbers] + [lower for _, lower in numbers]
