"""No verb destroys what was written down in passing, and a removal can be undone until it is confirmed."""

import pytest
from tests.cli.conftest import Command
from tests.requirements import requirement

CHECKPOINT = "The mirror needs the tag first."
# everything that removes, folds, merges or empties something
VERBS = (
    ("flush", "--skill", "release", "--include-checkpoints"),
    ("clear", "all", "--yes"),
    ("compress",),
    ("tend",),
    ("reflect",),
    ("extract-facts", "-"),
    ("keeper", "reset"),
    ("undo",),
)


@pytest.fixture(autouse=True)
def no_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))


@requirement("A05")
@pytest.mark.parametrize("verb", VERBS, ids=lambda words: words[0])
def test_no_verb_destroys_a_checkpoint(twiceshy: Command, verb: tuple[str, ...]) -> None:
    twiceshy("note", "Tag last.", "--skill", "release")
    twiceshy("checkpoint", "--skill", "release", "--note", CHECKPOINT)
    from twiceshy.cli import run_command_line

    run_command_line(list(verb))

    assert CHECKPOINT in twiceshy("show", "--skill", "release", "--checkpoints").out


@requirement("A05")
@pytest.mark.parametrize(
    "verb", [("retire",), ("clear", "all", "--yes")], ids=lambda words: words[0]
)
def test_a_removal_is_undone_by_one_command(twiceshy: Command, verb: tuple[str, ...]) -> None:
    handle = twiceshy("note", "Tag last.").out.strip()
    before = twiceshy("list", "--json").json

    twiceshy(*verb, *([handle] if verb == ("retire",) else []))
    gone = twiceshy("list", "--json").json
    twiceshy("undo")

    assert gone == []
    assert [note["text"] for note in twiceshy("list", "--json").json] == [
        note["text"] for note in before
    ]
