"""What a note advises, as calls."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note

from twiceshy.core.trigger import FILES, tool_family
from twiceshy.effect.advice import find_forms, parse_advice
from twiceshy.shell.call_words import call_words

# trigger, text, (the form that failed, the form that worked)
NOTES = {
    "flag": (
        "Bash/usage --stat gh",
        '`gh pr diff --stat` failed: "unknown flag: --stat". `gh pr diff --name-only` worked.',
        ("gh pr diff --stat", "gh pr diff --name-only"),
    ),
    "wrapper": (
        "Bash/usage bun rtk",
        '`rtk bun run test` failed: "unrecognized subcommand". `bun run test` worked.',
        ("rtk bun run test", "bun run test"),
    ),
    "missing flag": (
        "Bash/outcome go test !-tags !integration",
        '`go test ./store` failed: "build constraints". `go test -tags integration ./store` worked.',
        ("go test ./store", "go test -tags integration ./store"),
    ),
    "path": (
        "files/missing deploy/values.yml",
        '`Read deploy/values.yml` failed: "no such file". `Read deploy/values.yaml` worked.',
        ("Read deploy/values.yml", "Read deploy/values.yaml"),
    ),
    "skill": (
        "Skill/usage skill=commit",
        '`Skill skill=commit` failed: "Unknown skill". `Skill skill=git:commit` worked.',
        ("Skill skill=commit", "Skill skill=git:commit"),
    ),
    "preference": ("Bash npm", "Use `pnpm`, never `npm`.", ("npm", "pnpm")),
    "偏好": ("Bash npm", "以后用 `pnpm`，不要用 `npm`。", ("npm", "pnpm")),
    "two ways to fail": (
        "Bash npm",
        "`npm install` and `npm ci` fail here. `pnpm install` works.",
        ("npm install", "pnpm install"),
    ),
    "too much": (
        "Bash/outcome --race go",
        '`go test --race ./store` failed: "no cgo". `go test ./store` worked.',
        ("go test --race ./store", "go test ./store"),
    ),
    "owner": (
        "Bash/missing gh repos/acme",
        '`gh api repos/acme/web` failed: "Not Found". `gh api repos/acme-labs/web` worked.',
        ("gh api repos/acme/web", "gh api repos/acme-labs/web"),
    ),
    "no fix": ("Bash/usage bun rtk", '`rtk bun` failed: "unrecognized".', ("rtk bun", "")),
    "cut short": (
        "Bash gh --long",
        "`gh pr …` failed. `gh pr view` worked.",
        ("gh pr …", "gh pr view"),
    ),
}


@pytest.mark.parametrize("name", NOTES)
def test_the_trigger_tells_which_form_failed_whatever_the_wording(name: str) -> None:
    trigger, text, expected = NOTES[name]

    assert find_forms(a_note(text, trigger=trigger)) == expected


@pytest.mark.parametrize(
    ("name", "tool", "call", "means"),
    [
        ("flag", "Bash", "gh pr diff --stat", "violated"),
        ("flag", "Bash", "cd web && gh pr diff 7 --stat | head", "violated"),
        ("flag", "Bash", "gh pr diff 7 --name-only", "heeded"),
        ("flag", "Bash", "gh pr diff 7", "concerned"),  # the same work, in a third way
        ("flag", "Bash", "gh pr list", ""),
        ("flag", "Bash", "git diff --stat", ""),
        ("wrapper", "Bash", "rtk bun install", "violated"),
        ("wrapper", "Bash", "bun run build", "heeded"),
        ("wrapper", "Bash", "rtk git status", ""),
        ("missing flag", "Bash", "go test ./web", "violated"),
        ("missing flag", "Bash", "go test -tags integration ./web", "heeded"),
        ("missing flag", "Bash", "go vet ./store", ""),
        ("path", "Grep", "/home/u/shop/deploy/values.yml", "violated"),
        ("path", "Read", "/home/u/shop/deploy/values.yaml", "heeded"),
        ("path", "Read", "/home/u/shop/deploy/readme.md", ""),
        ("skill", "Skill", "commit", "violated"),
        ("skill", "Skill", "git:commit", "heeded"),
        ("skill", "Skill", "review", ""),
        ("偏好", "Bash", "npm ci", "violated"),
        ("偏好", "Bash", "pnpm install", "heeded"),
        ("偏好", "Bash", "yarn install", ""),
        ("too much", "Bash", "go test --race ./web", "violated"),
        ("too much", "Bash", "go test ./web", "heeded"),
        ("too much", "Bash", "go build ./web", ""),
        ("owner", "Bash", "gh api repos/acme-labs/docs", "heeded"),
        ("owner", "Bash", "gh api user", "concerned"),
        ("no fix", "Bash", "rtk bun test", "violated"),
        ("no fix", "Bash", "bun test", ""),  # nobody knows whether that is better
    ],
)
def test_a_call_heeds_a_note_violates_it_or_is_about_other_work(
    name: str, tool: str, call: str, means: str
) -> None:
    trigger, text, _ = NOTES[name]
    advice = parse_advice(a_note(text, trigger=trigger))
    key = {"Bash": "command", "Skill": "skill"}.get(tool, "file_path")
    parts = call_words({key: call})

    assert advice is not None
    assert advice.is_violated_by(tool_family(tool), parts) == (means == "violated")
    assert advice.is_heeded_by(tool_family(tool), parts) == (means == "heeded")
    assert advice.concerns_call(tool_family(tool), parts) == bool(means)


def test_a_note_that_is_about_no_call_advises_none() -> None:
    assert parse_advice(a_note("Prefer short names.")) is None
    assert find_forms(a_note("Prefer `x`.")) == ("", "")


@given(st.text(), st.text(), st.text(), st.sampled_from(("Bash", FILES, "Skill")))
def test_no_text_trigger_or_call_is_too_odd(text: str, trigger: str, call: str, tool: str) -> None:
    advice = parse_advice(a_note(text or "x", trigger=trigger))
    parts = call_words({"command": call})

    assert advice is None or not (
        advice.is_violated_by(tool, parts) and advice.is_heeded_by(tool, parts)
    )
