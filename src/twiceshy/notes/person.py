"""Acts that only a person may do: one table, and the one function that asks for the person.

Nothing here asks anybody. ``require_person`` raises; the command line catches that, asks at the terminal,
and runs the same command again. A hook and the MCP server have no such door, so there it stays refused.
"""

from __future__ import annotations

from contextlib import contextmanager

from twiceshy.core.errors import TwiceshyError
from twiceshy.core.value import Value
from twiceshy.wording import worded

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class PersonAct(Value):
    """An act of a person: what it is, and the commands that do it."""

    says: str
    commands: tuple[str, ...]
    agents_only: bool = False  # a script of yours may do it; what a client's agent started may not


PERSON_ACTS: dict[str, PersonAct] = {
    "sign": PersonAct(
        "approve a rule",
        ("note --kind rule", "review --accept", "edit ID TEXT of a rule", "restore of a rule", "analyze"),
    ),
    "decide": PersonAct(
        "decide about what waits",
        (
            "review --accept", "review --other", "review --edit", "review --keep", "review --reject",
            "review --accept-all", "review --reject-all", "correct --clear", "correct --activate", "reflect --remove",
            "restore", "undo",
        ),
    ),
    "rule": PersonAct(
        "change or hide an approved rule",
        ("edit", "move", "retire", "restore", "clear", "undo", "project merge", "project move-notes"),
    ),
    "forget": PersonAct("erase for good", ("forget", "scan --purge")),
    "undo": PersonAct("take back a decision of a person", ("undo",)),
    "join": PersonAct(
        "join projects", ("project alias", "project merge", "project move-notes", "project join", "project separate")
    ),
    "trust": PersonAct("approve rules of a bundle", ("import --trust",)),
    "share": PersonAct(
        "choose with whom notes are shared",
        ("sync --remote", "sync --accept", "sync --trust", "sync --revoke", "sync --take", "backup --remote", "backup --accept", "backup --purge",
         "recover --remote", "recover --accept", "recover --trust"),
    ),
    "setting": PersonAct(
        "change a setting that protects you", ("config set KEY VALUE", "config unset KEY")
    ),
    "own": PersonAct(
        "change what a person wrote or pinned",
        ("edit", "move", "retire", "restore", "pin", "unpin", "clear", "undo", "note --supersedes"),
        agents_only=True,
    ),
    "everywhere": PersonAct(
        "write or pin for every project", ("note --everywhere", "note --pin", "move --everywhere"),
        agents_only=True,
    ),
}  # fmt: skip


def describe_act(act: str) -> str:
    """Say what an act is, after "may" or "to"."""
    return worded(PERSON_ACTS[act].says)


class PersonNeededError(TwiceshyError):
    """An act that only a person may do, asked for by somebody who is not known to be one."""

    def __init__(self, act: str, about: Iterable[str] = ()) -> None:
        """Say what the act is; ``about`` are lines that the person should read before."""
        self.act, self.about = act, tuple(about)
        super().__init__(
            worded("only a person may {act}", act=describe_act(act)),
            hint=worded("run this command yourself, in a terminal of your own"),
        )


class _Present:
    """Whether a person confirmed the command that runs."""

    now = False


def is_person_present() -> bool:
    """True if a person at a terminal confirmed the command that runs."""
    return _Present.now


def require_person(act: str, about: Iterable[str] = ()) -> None:
    """Go on if a person confirmed this command; else PersonNeededError, before anything is changed."""
    if not is_person_present():
        raise PersonNeededError(act, about)


@contextmanager
def person_confirmed() -> Iterator[None]:
    """Run something as the act of a person, who was asked before."""
    before, _Present.now = _Present.now, True
    try:
        yield
    finally:
        _Present.now = before
