"""What the client's config.toml says about us goes, and every other byte stays."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.core.errors import ConfigError
from twiceshy.runtimes.codex.plugin import (
    CodexRegistration,
    has_notify,
    is_hook_trusted,
    list_trust_keys,
)

HOOK = "/home/u/.twiceshy/bin/hook"
OURS = CodexRegistration("/home/u/.codex/config.toml", HOOK)
THEIRS = """\
# a person's own
model = "gpt-5.5"   # good enough

[tui]
theme = "dark"

# kept for the shop
[projects."/home/u/shop"]
trust_level = "trusted"
"""
REGISTERED = """
[marketplaces.twiceshy]
source_type = "local"
source = "/home/u/.twiceshy/codex"

[plugins."twiceshy@twiceshy"]
enabled = true

[plugins."twiceshy-hooks@twiceshy"]
enabled = true
"""
TRUSTED = "\n[hooks.state]\n" + "".join(
    f'\n[hooks.state."{key}"]\ntrusted_hash = "sha256:1"\ntrusted_content_hash = "sha256:2"\n'
    for key in list_trust_keys()
)


def test_what_the_commands_and_the_user_wrote_goes() -> None:
    assert OURS.remove_from(THEIRS + REGISTERED + TRUSTED, THEIRS) == THEIRS
    assert OURS.remove_from(REGISTERED.lstrip() + "\n[tui]\n", "") == "\n[tui]\n"
    assert OURS.insert_into(THEIRS) == THEIRS


def test_what_others_wrote_between_ours_stays() -> None:
    other = '\n# mine\n[plugins."lint@acme"]\nenabled = true\n'
    theirs = '\n[hooks.state."/x/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:3"\n'

    left = OURS.remove_from(THEIRS + REGISTERED + other + TRUSTED + theirs, THEIRS)

    assert left == THEIRS + other + "\n[hooks.state]\n" + theirs


def test_a_table_that_nobody_trusted_us_in_stays_though_it_is_empty() -> None:
    before = "[hooks.state]\n"

    assert OURS.remove_from(before + REGISTERED, before + REGISTERED) == before


def test_our_notify_goes_and_anybody_elses_stays() -> None:
    ours, theirs = f'notify = ["{HOOK}", "codex"]\n', 'notify = ["bell"]\n'

    assert OURS.remove_from(ours + THEIRS, THEIRS) == THEIRS
    assert OURS.remove_from(theirs + THEIRS, THEIRS) == theirs + THEIRS
    assert (has_notify(ours, HOOK), has_notify(theirs, HOOK)) == (True, False)


@pytest.mark.parametrize("told", ['source = "x"', "[tui]"])
def test_what_only_looks_like_ours_stays(told: str) -> None:
    text = f'story = """\n[marketplaces.twiceshy]\n{told}\n"""\n'

    assert OURS.remove_from(text + REGISTERED, text) == text


def test_entries_that_are_not_tables_go_as_well() -> None:
    notify = f'notify = [  # every turn\n  "{HOOK}",\n  "codex",\n]\n'
    text = (
        '[plugins]\n"lint@acme" = { enabled = true }\n"twiceshy@twiceshy" = { enabled = true }\n'
    )

    assert OURS.remove_from(notify + text, "") == '[plugins]\n"lint@acme" = { enabled = true }\n'


def test_what_cannot_be_told_apart_is_left_alone() -> None:
    text = 'plugins = { "lint@acme" = {}, "twiceshy@twiceshy" = { enabled = true } }\n'

    with pytest.raises(ConfigError, match="cannot find twiceshy's entries") as caught:
        OURS.remove_from(text, "")

    assert "by hand" in caught.value.hint


def test_a_file_that_is_no_toml_is_said_to_be_none() -> None:
    with pytest.raises(ConfigError, match="not valid TOML"):
        OURS.remove_from("a = ", "")


@pytest.mark.parametrize(
    ("state", "is_so"),
    [
        ('trusted_hash = "sha256:1"', True),
        ('trusted_hash = "sha256:1"\nenabled = false', False),
        ("enabled = true", False),
    ],
)
def test_a_hook_is_trusted_if_the_user_said_so(state: str, is_so: bool) -> None:
    key = list_trust_keys()[0]

    assert is_hook_trusted(f'[hooks.state."{key}"]\n{state}\n', key) is is_so
    assert not is_hook_trusted("", key)


NAMES = st.sampled_from(["tui", "plugins", "hooks", "a-b"])
VALUES = st.sampled_from(["1", '"x"', "[1, 2]", "[\n[1],\n[2],\n]", '"""\n[a]\n"""', "{ b = 1 }"])


@given(st.lists(st.tuples(NAMES, VALUES, st.booleans()), max_size=5, unique_by=lambda row: row[0]))
def test_nothing_of_anybody_else_is_ever_lost(tables: list[tuple[str, str, bool]]) -> None:
    texts = [
        f'[{name}."x"]\nvalue = {value}\n{"# so" if said else ""}\n'
        for name, value, said in tables
    ]
    theirs = "".join(texts)
    mixed = "".join([*texts[:2], REGISTERED, *texts[2:], TRUSTED])

    left = OURS.remove_from(mixed, theirs)

    assert tomllib.loads(left) == tomllib.loads(theirs)
    assert [line for line in left.splitlines() if line] == [
        line for line in theirs.splitlines() if line
    ]
