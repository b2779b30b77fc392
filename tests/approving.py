"""Approve of rules in tests as the user does with the command line, on the device whose key it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.store.support import app_of

from twiceshy.files.key import make_key
from twiceshy.notes.person import person_confirmed
from twiceshy.notes.user_changes import sign_rule

if TYPE_CHECKING:
    from twiceshy.core.note import Note
    from twiceshy.safety.signing import Act
    from twiceshy.store.command_store import WholeStore


def approve(store: WholeStore, note: Note, act: Act = "tell") -> Note:
    """Sign a rule as it stands."""
    with person_confirmed():  # who asks the person is tested where commands are
        sign_rule(app_of(store), note, act, key=device_key(store))
    return note


def device_key(store: WholeStore) -> bytes:
    """Return the key beside a store, made if there is none."""
    return make_key(str(Path(store.path).with_name("rules.key")))
