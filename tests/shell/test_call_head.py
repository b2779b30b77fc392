"""A head says what a call runs and keeps nothing else of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.shell.call_head import is_head, list_heads


@pytest.mark.parametrize(
    ("command", "heads"),
    [
        ("git commit -m 'fix: it'", ("git commit",)),
        ("cd /tmp && go build ./... && go test -run TestA ./...", ("go build", "go test")),
        ("mise run fmt; mise run lint 2>&1 | tail -20", ("mise run fmt", "mise run lint")),
        ("npm run build:prod -- --token=abc", ("npm run build:prod",)),
        ("gh pr create --title x --body y", ("gh pr create",)),
        ("git -C /home/u/shop commit", ("git commit",)),
        ("uv run pytest -q tests", ("uv run pytest",)),
        ("python3 -m pytest tests", ("python3 -m pytest",)),
        ("python3 -m 'a b'", ("python3",)),
        ("sudo FOO=1 make test", ("make test",)),
        ("./scripts/deploy.sh prod", ("deploy.sh",)),
        ("git push && git push", ("git push",)),
        ("docker compose up -d", ("docker compose up",)),
        ("grep -rn secret . | head; ls -la", ()),
        ("", ()),
    ],
)
def test_a_head_is_a_program_and_its_subcommand(command: str, heads: tuple[str, ...]) -> None:
    found = list_heads(command)

    assert found == heads


@pytest.mark.parametrize(
    "command",
    [
        "mysql hunter2",
        "git commit hunter2",
        "sshpass -p hunter2 ssh host",
        "aws configure set aws_secret_access_key hunter2",
        "curl https://user:hunter2@example.org",
        "PASSWORD=hunter2 npm test",
        "npm run a1b2c3d4e5hunter2",
        "docker login -u me --password hunter2",
        "make -C hunter2 test",
    ],
)
def test_an_argument_is_never_part_of_a_head(command: str) -> None:
    assert "hunter2" not in " ".join(list_heads(command))


@given(st.text(max_size=300) | st.text(alphabet="git commt-'\"\\|;&(){}<$\n=/.", max_size=300))
def test_whatever_a_command_is_its_heads_are_heads(command: str) -> None:
    found = list_heads(command)

    assert all(map(is_head, found))
    assert len(set(found)) == len(found) <= 24


def test_a_command_without_end_is_read_from_its_beginning() -> None:
    found = list_heads("git add . && " + "make x && " * 100_000 + "git push")

    assert found == ("git add", "make x")


@pytest.mark.parametrize("text", ["", "two  blanks", "a/b", "rm -rf", "x" * 33, "a b c d e f g"])
def test_other_texts_are_no_heads(text: str) -> None:
    assert not is_head(text)
