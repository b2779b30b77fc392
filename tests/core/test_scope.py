"""One predicate decides what may be shown where."""

import pytest
from hypothesis import given
from tests.core.builders import scopes

from twiceshy.core.scope import EVERYWHERE, GLOBAL, NO_SKILL, Scope

HERE = Scope("demo", "release")


@pytest.mark.parametrize(
    ("home", "seen"),
    [
        (Scope("demo", "release"), True),
        (Scope(EVERYWHERE, "release"), True),
        (Scope("shop", "release"), False),
        (Scope("demo", "review"), False),
        (Scope(EVERYWHERE, "review"), False),
        (Scope("demo", NO_SKILL), False),
        (GLOBAL, False),
    ],
)
def test_a_loaded_skill_is_shown_its_notes_of_this_project_and_of_all(
    home: Scope, seen: bool
) -> None:
    assert HERE.can_see(home) is seen


@pytest.mark.parametrize(
    ("home", "seen"),
    [
        (Scope("demo"), True),
        (GLOBAL, True),
        (Scope("shop"), False),
        (Scope("demo", "release"), False),
        (Scope(EVERYWHERE, "release"), False),
    ],
)
def test_without_a_skill_only_notes_without_a_skill_are_shown(home: Scope, seen: bool) -> None:
    assert Scope("demo").can_see(home) is seen


@given(scopes, scopes)
def test_nothing_of_one_project_is_ever_seen_in_another(here: Scope, home: Scope) -> None:
    if home.project not in (here.project, EVERYWHERE):
        assert not here.can_see(home)


@given(scopes, scopes)
def test_work_outside_of_any_project_sees_only_what_is_for_all(here: Scope, home: Scope) -> None:
    if here.but(project=EVERYWHERE).can_see(home):
        assert home.project == EVERYWHERE


@given(scopes)
def test_every_scope_sees_itself(scope: Scope) -> None:
    assert scope.can_see(scope)


def test_a_scope_says_where_it_is() -> None:
    assert str(GLOBAL) == "everywhere"
    assert str(HERE) == "demo, skill release"
