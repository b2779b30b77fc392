"""Vectors keep their direction in bytes, and are compared by it."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from twiceshy.language.vector import cosine_similarity, pool_vectors, quantise_vector

NUMBERS = st.lists(st.floats(-1, 1), min_size=64, max_size=64)


def angle(one: list[float], other: list[float]) -> float:
    product = sum(a * b for a, b in zip(one, other, strict=True))
    return product / math.sqrt(sum(a * a for a in one) * sum(b * b for b in other))


@given(NUMBERS, NUMBERS)
def test_bytes_are_as_alike_as_the_numbers_they_stand_for(
    one: list[float], other: list[float]
) -> None:
    assume(max(map(abs, one)) > 1e-6)
    assume(max(map(abs, other)) > 1e-6)

    assert cosine_similarity(quantise_vector(one), quantise_vector(other)) == pytest.approx(
        angle(one, other), abs=0.03
    )


@given(NUMBERS, st.floats(0.001, 1000))
def test_only_the_direction_counts(numbers: list[float], factor: float) -> None:
    assume(max(map(abs, numbers)) > 1e-6)

    scaled = quantise_vector([factor * number for number in numbers])

    assert cosine_similarity(quantise_vector(numbers), scaled) > 0.99


@given(st.lists(st.floats(), max_size=16))
def test_any_numbers_give_a_vector_or_none(numbers: list[float]) -> None:
    vector = quantise_vector(numbers)

    assert len(vector) in (0, len(numbers) + 2)
    assert -1.0 <= cosine_similarity(vector, vector) <= 1.0


@pytest.mark.parametrize("numbers", [[], [0.0, 0.0], [float("nan"), 1.0], [float("inf"), 1.0]])
def test_what_points_nowhere_is_no_vector(numbers: list[float]) -> None:
    assert quantise_vector(numbers) == b""


def test_vectors_of_different_models_have_nothing_in_common() -> None:
    assert cosine_similarity(quantise_vector([1.0, 0.5]), quantise_vector([1.0, 0.5, 0.2])) == 0.0
    assert cosine_similarity(b"", quantise_vector([1.0])) == 0.0


def test_a_text_points_where_its_heaviest_words_point() -> None:
    right, up = bytes([100, 5, 0]), bytes([5, 100, 0xFF])

    text = pool_vectors([(3.0, right), (1.0, up)])

    assert (
        cosine_similarity(text, quantise_vector([100, 5, 0]))
        > 0.9
        > cosine_similarity(text, quantise_vector([5, 100, -1]))
        > 0.3
    )
    assert pool_vectors([]) == b""
