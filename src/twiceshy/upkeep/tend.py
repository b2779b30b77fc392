"""One maintenance run: steps in order, each a change, under a lease, with a history."""

from __future__ import annotations

import contextlib
import json
import os
from collections import Counter

from twiceshy.app import App, user_home
from twiceshy.config.load import load_config
from twiceshy.core.errors import BusyError, TwiceshyError
from twiceshy.core.maintenance import LEASE_S, STEPS, TEND, MaintenanceRun
from twiceshy.core.value import Value
from twiceshy.notes.embed import embed_missing
from twiceshy.notes.write import note_limits_of
from twiceshy.store.copies import is_copy_due
from twiceshy.sync.copies import write_copy
from twiceshy.upkeep import tend_steps as curating
from twiceshy.upkeep.compress import compress_home
from twiceshy.upkeep.doctor import audit_project

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from twiceshy.core.note import Note
    from twiceshy.project.audit.facts import AuditResult

COPYING = "copy"  # the step that changes nothing in the store
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


class TendedNote(Value):
    """A change to a note: counted word, and the note afterwards."""

    what: str
    note: Note


class TendOptions(Value):
    """Options of a step: plan or real, and the keep-alive callback."""

    plan: bool = False
    keep_on: Callable[[], None] = lambda: None


class TendResult(Value):
    """Result of a step: counts, changed notes, and the batch for undo."""

    step: str
    counts: Mapping[str, int] = {}
    made: tuple[TendedNote, ...] = ()
    change: str = ""
    error: str = ""
    audit: AuditResult | None = None


def plan_steps(app: App, steps: Sequence[str] = STEPS) -> list[TendResult]:
    """Plan each step; changes are tried and rolled back."""
    works = {step: _prepare_work(app, step) for step in steps if step in _ON_NOTES}
    with app.store.change(rehearsal=True):
        done = [_change_notes(app, step, work) for step, work in works.items()]
    return [
        *(each.but(change="") for each in done),
        *(_ELSEWHERE[step](app, TendOptions(plan=True)) for step in steps if step in _ELSEWHERE),
    ]


def run_steps(
    app: App, steps: Sequence[str] = STEPS, *, tell: Callable[[str], object] = lambda _: None
) -> list[TendResult]:
    """Run these steps under a lease; a failing step stops no other step.

    ``tell`` receives the name of each step before its start.
    """
    store, holder = app.store, f"{os.getpid()}-{os.urandom(4).hex()}"
    if not store.take_lease(TEND, holder, seconds=LEASE_S):
        raise BusyError(
            "another process is tending", hint="wait for it; see: twiceshy tend --history"
        )
    try:
        return _run_step(app, steps, holder, tell)
    finally:
        with contextlib.suppress(TwiceshyError):
            store.take_lease(TEND, holder, seconds=0)


def describe_run(done: Sequence[TendResult]) -> dict[str, dict[str, object]]:
    """Return a run for history and --json: counts by step, and errors."""
    return {
        each.step: {
            **each.counts,
            **({"change": each.change} if each.change else {}),
            **({"error": each.error} if each.error else {}),
        }
        for each in done
    }


def parse_run_steps(run: MaintenanceRun) -> dict[str, dict[str, object]]:
    """Parse the counts of an earlier run by step; foreign rows are ignored."""
    try:
        found = json.loads(run.done or "{}")
    except ValueError:
        return {}
    if not isinstance(found, dict):
        return {}
    return {str(step): counts for step, counts in found.items() if isinstance(counts, dict)}


def _run_step(
    app: App, steps: Sequence[str], holder: str, tell: Callable[[str], object]
) -> list[TendResult]:
    store, done = app.store, list[TendResult]()
    run = store.begin_run(TEND)

    def end(error: str) -> None:
        told = json.dumps(describe_run(done))
        store.save_records(run.but(done=told, error=error, ended_at=store.now()))

    def keep_on() -> None:
        if not store.take_lease(TEND, holder, seconds=LEASE_S):
            raise BusyError("another process has taken over", hint="see: twiceshy tend --history")

    try:
        for step in steps:
            keep_on()
            tell(step)
            done.append(_perform_step(app, step, TendOptions(keep_on=keep_on)))
            store.save_records(run.but(done=json.dumps(describe_run(done))))
    except BaseException as error:
        with contextlib.suppress(TwiceshyError):
            end(type(error).__name__)
        raise
    end("; ".join(f"{each.step}: {each.error}" for each in done if each.error))
    return done


def _perform_step(app: App, step: str, way: TendOptions) -> TendResult:
    try:
        if step in _ON_NOTES:
            return _change_notes(app, step, _prepare_work(app, step))
        return _ELSEWHERE[step](app, way)
    except BusyError:
        raise
    except TwiceshyError as error:
        return TendResult(step, error=app.redact(str(error)))


def _prepare_work(app: App, step: str) -> Callable[[], None]:
    """Prepare a step outside of any change, so that nobody waits."""
    store, user = app.store, user_home()
    # what a project says is left out: maintenance is about the notes of all
    bounds = note_limits_of(load_config(os.environ, cwd=user, home_dir=user))
    match step:
        case "merge":
            pairs = curating.find_near_pairs(store, threshold=bounds.near)
            return lambda: curating.merge_duplicates(app, pairs, threshold=bounds.near)
        case "promote":
            return lambda: curating.promote_notes(app)
        case "retire":
            return lambda: curating.retire_notes(app, bounds)
        case _:
            days, waits = bounds.expiry_days, bounds.proposal_days
            return lambda: curating.expire_notes(app, days, proposal_days=waits)


def _change_notes(app: App, step: str, work: Callable[[], None]) -> TendResult:
    """Perform the work as one change, and read the changes from the journal."""
    store = app.store
    with store.change() as batch:
        before = len(store.history(batch=batch))
        work()
        entries = [e for e in store.history(batch=batch)[before:] if e.op in _COUNTED]
        noted = [(_COUNTED[entry.op], store.note(entry.object)) for entry in entries]
    made = tuple(TendedNote(what, note) for what, note in noted if note)
    counts = dict(Counter(each.what for each in made))
    return TendResult(step, counts, made, change=batch if made else "")


def _embed_notes(app: App, way: TendOptions) -> TendResult:
    """Embed notes: with the word table, and with the chosen model."""
    store, embedder = app.store, app.build_embedder()
    asked = 0
    if way.plan:
        known = len(store.list_unembedded_notes(limit=None))
        if embedder:
            asked = len(store.list_unembedded_notes(embedder.identity, limit=_MOST_EMBEDDED))
    else:
        known = sum(1 for _ in store.rebuild_derived(only="meanings"))
        for _ in embed_missing(store, embedder, most=_MOST_EMBEDDED) if embedder else ():
            asked += 1
            if asked % _RENEWED == 0:
                way.keep_on()
    return TendResult("embed", _select_notes({"looked up": known, "embedded": asked}))


def _compress_home(app: App, way: TendOptions) -> TendResult:
    """Fold, prune and sweep."""
    done = compress_home(app, plan=way.plan)
    pruned = done.outlived + sum(done.pruned.values())
    counts = {"folded": done.folded, "pruned": pruned, "swept": len(done.swept)}
    return TendResult("compress", _select_notes(counts | {"bytes freed": done.freed}))


def _copy_store(app: App, way: TendOptions) -> TendResult:
    """Write a copy of the store beside it, if due."""
    due = is_copy_due(app.config, now=app.store.now())
    done = due and (way.plan or write_copy(app))
    return TendResult(COPYING, {"copies": 1} if done else {})


def _check_health(app: App, way: TendOptions) -> TendResult:  # noqa: ARG001 - to look changes nothing, planned or not
    """Audit the project, and count findings for a person."""
    done = audit_project(app.config, app)
    counts = {"warnings": done.warnings, "broken": done.broken}
    return TendResult(LOOKING, _select_notes(counts), audit=done)


def _select_notes(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count}


# Steps that are about other things than what notes say.
_ELSEWHERE: dict[str, Callable[[App, TendOptions], TendResult]] = {
    "embed": _embed_notes,
    "compress": _compress_home,
    COPYING: _copy_store,
    LOOKING: _check_health,
}
