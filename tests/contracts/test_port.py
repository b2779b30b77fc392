"""The store port itself: small enough to be written a second time, and whole in every store."""

import inspect
import re

import pytest

from twiceshy.core import store as port
from twiceshy.core.store_learning import LearningStore
from twiceshy.core.store_notes import NoteStore
from twiceshy.core.store_upkeep import UpkeepStore
from twiceshy.store.command_store import WholeStore
from twiceshy.store.hook_store import SqliteHookStore

# Whoever writes a store for another database writes each of them, and the contract suite proves each.
# A new question is usually a field of Filter, a record for keep(), or a parameter of a lookup.
MOST_METHODS = 60
GROUPS = (port.OpenStore, port.HookStore, NoteStore, LearningStore, UpkeepStore)


def methods(protocol: type) -> set[str]:
    """Return the names that a protocol declares itself."""
    return {
        name
        for name, member in vars(protocol).items()
        if not name.startswith("_")
        and (inspect.isfunction(member) or isinstance(member, property))
    }


def test_the_port_is_small_enough_to_be_implemented_again() -> None:
    declared = set().union(*(methods(each) for each in (*GROUPS, port.Store)))

    assert 0 < len(declared) <= MOST_METHODS, sorted(declared)


def test_a_method_is_declared_for_one_caller() -> None:
    declared = [name for group in GROUPS for name in methods(group)]

    assert len(declared) == len(set(declared))
    assert methods(port.Store) <= set(declared), "what all callers share is declared in a group"


@pytest.mark.parametrize(
    ("store", "protocol"), [(SqliteHookStore, port.HookStore), (WholeStore, port.Store)]
)
def test_a_store_implements_each_method_itself_and_says_what_it_does(
    store: type, protocol: type
) -> None:
    asked = set().union(*(methods(each) for each in protocol.__mro__))

    for name in asked - {"now"}:  # the clock is given to the store
        assert inspect.getdoc(getattr(store, name)), name


def test_the_port_knows_no_database() -> None:
    text = inspect.getsource(port) + inspect.getsource(LearningStore)

    assert re.findall(r"sql|\bwal\b|rowid|pragma|cursor|fts5", text, re.IGNORECASE) == []
