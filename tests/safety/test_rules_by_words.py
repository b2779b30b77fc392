"""Rules that need a word of a list find nothing in texts without one: then they are not loaded."""

from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import texts
from tests.safety import redact_corpus as corpus

from twiceshy.safety.redact import gate
from twiceshy.safety.redact.assigned import find_assigned_secrets
from twiceshy.safety.redact.command_lines import find_command_secrets
from twiceshy.safety.redact.joints import JoinedText, build_readings
from twiceshy.safety.redact.said import find_said_passwords

Finder = Callable[[JoinedText], Iterable[tuple[int, int, str]]]

RULES: list[tuple[Finder, Finder]] = [
    (gate._find_command_secrets, find_command_secrets),
    (gate._find_assigned_secrets, find_assigned_secrets),
    (gate._find_said_passwords, find_said_passwords),
]
SAMPLES = [sample.text for sample in [*corpus.surrounded(5), *corpus.formats(5)]]


@pytest.mark.parametrize(("quick", "full"), RULES)
@given(st.lists(st.sampled_from(SAMPLES) | texts, max_size=3).map("\n".join), st.integers(0, 400))
def test_the_quick_look_never_loses_a_finding(
    quick: Finder, full: Finder, text: str, cut: int
) -> None:
    for view in (*build_readings(text), *build_readings(text[cut:])):
        assert list(quick(view)) == list(full(view))


@pytest.mark.parametrize(("quick", "full"), RULES)
def test_every_rule_finds_some_samples_by_the_quick_look(quick: Finder, full: Finder) -> None:
    views = [view for text in SAMPLES for view in build_readings(text)]

    found = [list(quick(view)) for view in views]

    assert found == [list(full(view)) for view in views]
    assert any(found)
    assert any(quick(view) == () for view in views)
