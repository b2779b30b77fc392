"""What takes the place of an older note by what it says, and what merely differs."""

import pytest
from tests.core.builders import a_note
from tests.requirements import requirement

from twiceshy.language.supersede import find_superseded, has_supersession_cue

REPLACES = [
    ("We no longer deploy from Jenkins; GitHub Actions deploys.", "Deploy from Jenkins."),
    ("Use pnpm instead of npm for installs.", "Install packages with npm ci."),
    ("Never squash merge release branches.", "Always squash merge release branches."),
    ("The API no longer accepts XML.", "The API accepts XML and JSON."),
    ("以后不再用 yarn，改用 pnpm", "安装依赖用 yarn install"),
]
DIFFERS = [
    ("Use tabs instead of spaces in Makefiles.", "Spaces matter in YAML files."),
    ("Run the linter before pushing.", "Run the tests before pushing."),
    ("Always lock before tagging.", "Tag releases with a v."),
    ("Use ruff instead of flake8.", "Deploy from Jenkins."),
]


@requirement("L17")
@pytest.mark.parametrize(("new", "old"), REPLACES)
def test_what_says_so_takes_the_place_of_what_it_is_about(new: str, old: str) -> None:
    other = a_note("Something else entirely, about parsers.")

    found = find_superseded(new, [other, a_note(old)])

    assert has_supersession_cue(new)
    assert found is not None
    assert found.text == old


@pytest.mark.parametrize(("new", "old"), DIFFERS)
def test_what_merely_differs_takes_no_place(new: str, old: str) -> None:
    assert find_superseded(new, [a_note(old)]) is None


def test_nothing_takes_the_place_of_nothing() -> None:
    assert find_superseded("Use pnpm instead of npm.", []) is None
