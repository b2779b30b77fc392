"""Value types are frozen, equal by content, and cheap to load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import twiceshy
from twiceshy.core.value import Value

SOURCES = Path(twiceshy.__file__).resolve().parents[1]
GROUND = ("core", "language", "shell", "safety")


class Point(Value):
    x: int
    y: int = 0


class Place(Point):
    name: str = "here"


class Twin(Value):
    x: int
    y: int = 0


wrongly: Any = Point  # what mypy would not let us write

points = st.builds(Point, st.integers(0, 3), st.integers(0, 3))


def test_a_value_is_built_by_position_or_by_name() -> None:
    assert Point(1, 2) == Point(1, y=2) == Point(x=1, y=2) == Point.of({"x": 1, "y": 2})
    assert Point(1).y == 0


@pytest.mark.parametrize(
    ("args", "named", "complaint"),
    [
        ((), {}, "Point needs 'x'"),
        ((), {"y": 1}, "Point needs 'x'"),
        ((1, 2, 3), {}, "Point takes 2 values, not 3"),
        ((1,), {"z": 3}, "Point has no z"),
        ((1,), {"x": 2}, "x, or it was given twice"),
    ],
)
def test_a_wrongly_built_value_is_refused_and_says_why(
    args: tuple[int, ...], named: dict[str, int], complaint: str
) -> None:
    with pytest.raises(TypeError, match=complaint):
        wrongly(*args, **named)


@given(points)
def test_a_value_never_changes(point: Point) -> None:
    before = point.fields()

    with pytest.raises(AttributeError, match=r"frozen; use but\(x="):
        point.x = 9  # type: ignore[misc]  # mypy sees that it is frozen, and so do we
    with pytest.raises(AttributeError, match="frozen"):
        del point.y
    with pytest.raises(AttributeError, match="frozen"):
        point.z = 1  # nor does it take a field it was not born with

    assert point.fields() == before


@given(points, st.integers())
def test_the_changed_copy_differs_in_what_was_changed_and_nothing_else(
    point: Point, x: int
) -> None:
    moved = point.but(x=x)

    assert (moved.x, moved.y) == (x, point.y)
    assert (moved == point) is (x == point.x)


def test_a_copy_with_a_field_that_does_not_exist_is_refused() -> None:
    with pytest.raises(TypeError, match="Point has no z"):
        Point(1).but(z=3)


@given(points, points)
def test_values_are_equal_when_their_contents_are(one: Point, other: Point) -> None:
    same = (one.x, one.y) == (other.x, other.y)

    assert (one == other) is same
    assert len({one, other}) == (1 if same else 2)


def test_values_of_two_types_are_never_equal() -> None:
    assert Point(1, 2) != Twin(1, 2)
    assert Point(1, 2) != Place(1, 2)
    assert Point(1, 2) != (1, 2)


def test_a_derived_type_has_the_fields_of_its_base_first() -> None:
    place = Place(1, 2, "home")

    assert list(place.fields()) == ["x", "y", "name"]
    assert place == Place(x=1, y=2, name="home") == Place(1, 2).but(name="home")
    assert Place(1).name == "here"


def test_a_derived_type_cannot_declare_a_field_twice() -> None:
    with pytest.raises(TypeError, match="Shadow declares y a second time"):

        class Shadow(Point):
            y: int = 7


def test_a_value_can_be_taken_apart_by_match() -> None:
    def tell(value: object) -> str:
        match value:
            case Place(x, y, name=str(name)):
                return f"{name} at {x}, {y}"
            case Point(0, 0):
                return "origin"
            case Point(x, 0):
                return f"{x} on the axis"
            case _:
                return "elsewhere"

    assert tell(Place(1, 2, "home")) == "home at 1, 2"
    assert tell(Point(0)) == "origin"
    assert tell(Point(4)) == "4 on the axis"
    assert tell(Point(4, 4)) == "elsewhere"


def test_a_value_shows_what_it_holds() -> None:
    assert repr(Place(1, 2)) == "Place(x=1, y=2, name='here')"


def test_a_value_has_no_room_for_anything_else() -> None:
    assert not hasattr(Place(1, 2), "__dict__")


def test_the_ground_floor_loads_without_the_slow_modules_of_the_standard_library() -> None:
    program = f"""
import sys
import re  # it brings enum along; nothing else of ours may
before = set(sys.modules)
sys.path.insert(0, {str(SOURCES)!r})
import importlib, os
ground = [os.path.join({str(SOURCES)!r}, "twiceshy", room) for room in {GROUND!r}]
for folder, _, names in (found for room in ground for found in os.walk(room)):
    for name in names:
        if name.endswith(".py"):
            path = os.path.relpath(os.path.join(folder, name), {str(SOURCES)!r})
            importlib.import_module(path[:-3].replace(os.sep, ".").removesuffix(".__init__"))
print(*sorted(set(sys.modules) - before))
"""

    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True
    )

    loaded = set(run.stdout.split())
    slow = {"dataclasses", "typing", "pathlib", "datetime", "enum", "inspect", "json", "sqlite3"}
    assert {f"twiceshy.{room}" for room in GROUND} <= loaded
    assert not loaded & slow
