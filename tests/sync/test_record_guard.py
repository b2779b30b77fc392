"""Whatever a store of ours keeps, another one of ours takes in."""

import ast
import inspect
from contextlib import closing
from pathlib import Path

from tests.store.support import a_store, app_of

from twiceshy.core import evidence as signal
from twiceshy.core.evidence import Episode, Signal
from twiceshy.sync import bundle
from twiceshy.sync.intake import merge_bundle

PROJECT = "dir:" + "a" * 32


def kinds(name: str) -> list[str]:
    """Return the values of a type that only type checkers see."""
    for node in ast.walk(ast.parse(inspect.getsource(signal))):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            found = ast.walk(node.value)
            return [str(one.value) for one in found if isinstance(one, ast.Constant)]
    raise AssertionError(name)


def test_signals_and_episodes_of_every_kind_travel(tmp_path: Path) -> None:
    signals = [Signal(kind, kind, "s1", PROJECT, 1) for kind in kinds("SignalKind")]  # type: ignore[arg-type]  # read from its source
    episodes = [
        Episode(f"e{number}", kind, "s1", PROJECT, 1, 2, title=kind)  # type: ignore[arg-type]  # as above
        for number, kind in enumerate(kinds("EpisodeKind"))
    ]
    with closing(a_store(tmp_path / "a")) as one, closing(a_store(tmp_path / "b")) as other:
        one.capture(*signals, *episodes)
        lines = list(bundle.write_history(app_of(one)))

        done = merge_bundle(app_of(other), bundle.read_bundle(lines))
        arrived = other.list_episodes(kinds=kinds("EpisodeKind"), limit=None)

    assert (done.refused, done.signals) == ({}, len(signals))
    assert {one.kind for one in arrived} == set(kinds("EpisodeKind"))
    assert done.episodes == len(episodes) - 1  # a kept file is no session, and not counted as one
