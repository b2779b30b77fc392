"""One maintenance run: steps in order, each a change, under a lease, with a history."""

from __future__ import annotations

import contextlib
import json
import os

from twiceshy.app import user_home
from twiceshy.config.load import load
from twiceshy.core.errors import BusyError, TwiceshyError
from twiceshy.core.maintenance import LEASE_S, STEPS, TEND
from twiceshy.core.value import Value
from twiceshy.notes.embed import embed_missing
from twiceshy.notes.write import bounds_of
from twiceshy.upkeep import tend_steps as curating
from twiceshy.upkeep.auditing import audit_project
from twiceshy.upkeep.compressing import compressed

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from twiceshy.app import App
    from twiceshy.core.history import Entry
    from twiceshy.core.maintenance import Run
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store
    from twiceshy.project.audit.finding import Area

LOOKING = "health"  # the step that changes nothing
_MOST_EMBEDDED = 2_000  # in one run; the next one goes on
_RENEWED = 32  # notes after which a lease is renewed, as many as a model is asked about at once
_ON_NOTES = ("merge", "promote", "retire", "expire")
# what is done to a note → by which word it is counted
_COUNTED = {
    "supersede": "merged",
    "promote": "believed",
    "retire": "retired",
    "doubt": "doubted",
    "expire": "expired",
    "renew": "renewed",
}


class Made(Value):
    """A change to a note: counted word, and the note afterwards."""

    what: str
    note: Note


class Way(Value):
    """Options of a step: plan or real, and the keep-alive callback."""

    plan: bool = False
    keep_on: Callable[[], None] = lambda: None


class Work(Value):
    """A prepared step on notes."""

    step: str
    act: Callable[[], None]


class Done(Value):
    """Result of a step: counts, changed notes, and the batch for undo."""

    step: str
    counts: Mapping[str, int] = {}
    made: tuple[Made, ...] = ()
    change: str = ""
    error: str = ""


def planned(app: App, steps: Sequence[str] = STEPS) -> list[Done]:
    """Plan each step; changes are tried and rolled back."""
    works = [_work(app, step) for step in steps if step in _ON_NOTES]
    with app.store.change(rehearsal=True):
        done = [_on_notes(app, work) for work in works]
    return [
        *(each.but(change="") for each in done),
        *(_ELSEWHERE[step](app, Way(plan=True)) for step in steps if step in _ELSEWHERE),
    ]


def tend(
    app: App, steps: Sequence[str] = STEPS, *, tell: Callable[[str], object] = lambda _: None
) -> list[Done]:
    """Run these steps under a lease; a failing step stops no other step.

    ``tell`` receives the name of each step before its start.
    """
    store, holder = app.store, f"{os.getpid()}-{os.urandom(4).hex()}"
    if not store.lease(TEND, holder, seconds=LEASE_S):
        raise BusyError(
            "another process is tending", hint="wait for it; see: twiceshy tend --history"
        )
    try:
        return _run(app, steps, holder, tell)
    finally:
        with contextlib.suppress(TwiceshyError):
            store.lease(TEND, holder, seconds=0)


def told(done: Sequence[Done]) -> dict[str, dict[str, object]]:
    """Return a run for history and --json: counts by step, and errors."""
    return {
        each.step: {
            **each.counts,
            **({"change": each.change} if each.change else {}),
            **({"error": each.error} if each.error else {}),
        }
        for each in done
    }


def steps_of(run: Run) -> dict[str, dict[str, object]]:
    """Parse the counts of an earlier run by step; foreign rows are ignored."""
    try:
        found = json.loads(run.done or "{}")
    except ValueError:
        return {}
    if not isinstance(found, dict):
        return {}
    return {str(step): counts for step, counts in found.items() if isinstance(counts, dict)}


def _run(app: App, steps: Sequence[str], holder: str, tell: Callable[[str], object]) -> list[Done]:
    store, done = app.store, list[Done]()
    run = store.begin_run(TEND)

    def end(error: str) -> None:
        store.keep(run.but(done=_json(done), error=error, ended_at=store.now()))

    def keep_on() -> None:
        if not store.lease(TEND, holder, seconds=LEASE_S):
            raise BusyError("another process has taken over", hint="see: twiceshy tend --history")

    try:
        for step in steps:
            keep_on()
            tell(step)
            done.append(_step(app, step, Way(keep_on=keep_on)))
            store.keep(run.but(done=_json(done)))
    except BaseException as error:
        with contextlib.suppress(TwiceshyError):
            end(type(error).__name__)
        raise
    end("; ".join(f"{each.step}: {each.error}" for each in done if each.error))
    return done


def _step(app: App, step: str, way: Way) -> Done:
    try:
        if step in _ON_NOTES:
            return _on_notes(app, _work(app, step))
        return _ELSEWHERE[step](app, way)
    except BusyError:
        raise
    except TwiceshyError as error:
        return Done(step, error=app.redact(str(error)))


def _work(app: App, step: str) -> Work:
    """Prepare a step outside of any change, so that nobody waits."""
    store, user = app.store, user_home()
    # what a project says is left out: maintenance is about the notes of all
    bounds = bounds_of(load(os.environ, cwd=user, home_dir=user))
    match step:
        case "merge":
            pairs = curating.near_pairs(store, threshold=bounds.near)
            return Work(step, lambda: curating.merge(app, pairs, threshold=bounds.near))
        case "promote":
            return Work(step, lambda: curating.promote(app))
        case "retire":
            return Work(step, lambda: curating.retire(app, bounds))
        case _:
            return Work(step, lambda: curating.expire(app, bounds.expiry_days))


def _on_notes(app: App, work: Work) -> Done:
    """Perform the work as one change, and read the changes from the journal."""
    store = app.store
    with store.change() as batch:
        before = len(store.history(batch=batch))
        work.act()
        made = tuple(_made(store, store.history(batch=batch)[before:]))
    counts: dict[str, int] = {}
    for each in made:
        counts[each.what] = counts.get(each.what, 0) + 1
    return Done(work.step, counts, made, change=batch if made else "")


def _made(store: Store, entries: Sequence[Entry]) -> Iterator[Made]:
    for entry in entries:
        note = store.note(entry.object) if entry.op in _COUNTED else None
        if note:
            yield Made(_COUNTED[entry.op], note)


def _embed(app: App, way: Way) -> Done:
    """Embed notes: with the word table, and with the chosen model."""
    store, embedder = app.store, app.embedder()
    asked = 0
    if way.plan:
        known = len(store.without_meaning(limit=None))
        if embedder:
            asked = len(store.without_meaning(embedder.identity, limit=_MOST_EMBEDDED))
    else:
        known = sum(1 for _ in store.rebuild(only="meanings"))
        for _ in embed_missing(store, embedder, most=_MOST_EMBEDDED) if embedder else ():
            asked += 1
            if asked % _RENEWED == 0:
                way.keep_on()
    return Done("embed", _some({"looked up": known, "embedded": asked}))


def _compress(app: App, way: Way) -> Done:
    """Fold, prune and sweep."""
    done = compressed(app, plan=way.plan)
    pruned = done.outlived + sum(done.pruned.values())
    counts = {"folded": done.folded, "pruned": pruned, "swept": len(done.swept)}
    return Done("compress", _some(counts | {"bytes freed": done.freed}))


def _health(app: App, way: Way) -> Done:  # noqa: ARG001 - to look changes nothing, planned or not
    """Audit the project, and count findings for a person."""
    areas: tuple[Area, ...] = ("memory",)
    done = audit_project(app.config, app, "health", areas)
    weights = [finding.weight for finding in done.findings]
    counts = {"warnings": weights.count("WARNING"), "broken": weights.count("BROKEN")}
    return Done(LOOKING, _some(counts))


def _some(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count}


def _json(done: Sequence[Done]) -> str:
    return json.dumps(told(done))


# Steps that are about other things than what notes say.
_ELSEWHERE: dict[str, Callable[[App, Way], Done]] = {
    "embed": _embed,
    "compress": _compress,
    LOOKING: _health,
}
