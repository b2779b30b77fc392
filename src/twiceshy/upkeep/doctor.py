"""Examine machine, settings, store, rules and connections; audit a project; count memory."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext, suppress

from twiceshy.app import App, RedactionGate, read_clock, user_home, working_directory
from twiceshy.core.errors import ConfigError, DamagedStoreError, StoreError
from twiceshy.core.evidence import STOP
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY
from twiceshy.core.store import HealthFinding, StoreSummary
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.value import Value
from twiceshy.effect.stops import count_stops, describe_stops
from twiceshy.learning.requests import MOST_TRIES, list_set_aside
from twiceshy.learning.source_counts import count_sources
from twiceshy.notes.find_by_name import list_handles, visible_projects
from twiceshy.notes.propose import list_proposals
from twiceshy.notes.user_changes import sort_active_rules
from twiceshy.notes.vouch import answer_as
from twiceshy.project.audit import run_audit
from twiceshy.project.audit.facts import AREAS, AuditResult
from twiceshy.project.audit.gather import AuditPlace, find_audited_project, gather_facts
from twiceshy.recall.hook_log import locate_fallback
from twiceshy.runtimes import RUNTIMES, launcher, receipt
from twiceshy.runtimes.install_plan import InstallPlace, plan_install
from twiceshy.runtimes.installers import (
    find_install_place,
    list_connected_runtimes,
    load_installer,
)
from twiceshy.runtimes.plan import read_bytes
from twiceshy.runtimes.transcripts import load_reader
from twiceshy.store.connect import SQLITE_VERSION
from twiceshy.store.health import list_exposed_files
from twiceshy.store.store_file import mark_suspect
from twiceshy.upkeep.claimed_project import describe_claimed, report_claim
from twiceshy.upkeep.fade import sum_runs
from twiceshy.upkeep.hook_reliability import (
    DAYS,
    HookReliability,
    count_hook_endings,
    has_fallback,
    is_failure,
    recent_hook_lines,
    report_endings,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from twiceshy.config.resolved import Config
    from twiceshy.core.session import SkillUsage
    from twiceshy.places.identity import Identity
    from twiceshy.project.audit.facts import Area, AuditFinding
    from twiceshy.runtimes.installers import Installer

    Look = Callable[[App], HealthFinding]

_REPAIR = "run: twiceshy install"
_NEWEST = 3
_STOP_DAYS, _MANY_FALSE = 30, 3
_VERBS = {"tell": "told", "ask": "that ask", "deny": "that deny"}


def hook_findings(config: Config, *, trial: bool = True) -> Iterator[HealthFinding]:
    """Check every connection between runtimes and the memory home.

    Without a ``trial`` no program is started.
    """
    here = find_install_place(config)
    runtimes = list_connected_runtimes(config.home)
    if not runtimes:
        message = "none is connected yet; `twiceshy install` connects one"
        yield HealthFinding("runtimes", "ok", message)
    hooked = [name for name in runtimes if _is_registered(here, name, here.launcher_path)]
    if hooked:
        yield from _check_launcher(here, {name: runtimes[name] for name in hooked if trial})
    served = any(_is_registered(here, name, here.server_path) for name in runtimes)
    if trial and here.mcp and served:
        yield _check_server(here)
    for name, runtime in runtimes.items():
        yield from _check_connection(here, name, runtime)
    yield from report_endings(config, now=read_clock())
    yield from report_failures(config.home, now=read_clock())


def report_failures(home: str, *, now: int) -> Iterator[HealthFinding]:
    """Report recent failures of hooks, newest first."""
    recent = [line for line in recent_hook_lines(home, now=now) if is_failure(line)]
    if not recent:
        return
    path = os.path.join(home, launcher.LOG)
    where = f"{path} or {locate_fallback(home)}" if has_fallback(home) else path
    count = f"{len(recent)} failure{'s' * (len(recent) > 1)} in {DAYS} days"
    yield HealthFinding("hooks", "warning", count, f"all are in {where}")
    for line in reversed(recent[-_NEWEST:]):
        yield HealthFinding("failure", "warning", fold_to_line(strip_unsafe(line), limit=300))


def _is_registered(here: InstallPlace, name: str, path: str) -> bool:
    """True if a runtime starts this program of ours."""
    try:
        done = receipt.load_receipt(here.home, name)
    except ConfigError:
        return False  # told with the runtime itself
    return done is not None and done.find_touched(path) is not None


def _check_launcher(here: InstallPlace, runtimes: dict[str, Installer]) -> Iterator[HealthFinding]:
    path = here.launcher_path
    text = (read_bytes(path) or b"").decode("utf-8", "replace")
    target = launcher.parse_launcher(text)
    if target is None:
        yield HealthFinding("launcher", "broken", f"{path} is missing or not ours", _REPAIR)
    elif gone := target.missing_file:
        yield HealthFinding("launcher", "broken", f"it points to {gone}, which is gone", _REPAIR)
    elif not os.access(path, os.X_OK):
        yield HealthFinding("launcher", "broken", f"{path} may not be executed", _REPAIR)
    else:
        if text != launcher.render_launcher(here.home, here.target):
            other = f"hooks run with {target.python}, this is {here.target.python}"
            yield HealthFinding("launcher", "warning", other, f"to use this one, {_REPAIR}")
        for name, runtime in runtimes.items():
            yield _check_answer(path, name, runtime)


def _check_answer(path: str, name: str, runtime: Installer) -> HealthFinding:
    from twiceshy.upkeep.trials import try_hook  # noqa: PLC0415 - an audit starts no program

    if trouble := try_hook(path, name, runtime.sample_payload):
        message = f"a hook of {runtime.TITLE} did not answer: {trouble}"
        return HealthFinding("launcher", "broken", message, _REPAIR)
    message = f"a hook of {runtime.TITLE} was run, and showed a test note"
    return HealthFinding("launcher", "ok", message)


def _check_server(here: InstallPlace) -> HealthFinding:
    from twiceshy.upkeep.trials import try_server  # noqa: PLC0415 - as above

    if trouble := try_server(here.server_path):
        return HealthFinding("mcp", "broken", f"the server did not answer: {trouble}", _REPAIR)
    return HealthFinding("mcp", "ok", "the server was started, and answered")


def _check_connection(
    here: InstallPlace, name: str, runtime: Installer
) -> Iterator[HealthFinding]:
    try:
        done = receipt.load_receipt(here.home, name)
        wanted = runtime.build_request(here)
        trouble = runtime.find_trouble(here)
        repair = "" if plan_install(here, wanted).is_empty else _REPAIR
    except ConfigError as error:
        yield HealthFinding(name, "broken", str(error), error.hint)
        return
    stale = [file.path for file in done.own_files if file.path not in wanted.files] if done else []
    differ = [
        *(path for path, (content, _) in wanted.files.items() if read_bytes(path) != content),
        *(path for path in stale if os.path.exists(path)),
    ]
    other = [path for path in differ if path not in (here.launcher_path, here.server_path)]
    if other:
        more = f" and {len(other) - 1} more" if len(other) > 1 else ""
        yield HealthFinding(name, "warning", f"file missing or changed: {other[0]}{more}", _REPAIR)
    elif trouble:
        yield HealthFinding(name, "warning", trouble, repair)
    else:
        yield HealthFinding(name, "ok", f"{runtime.TITLE}: connected, {runtime.LEVEL}")


def examine_memory(
    config: Config,
    open_store: Callable[[Config], AbstractContextManager[App]],
    *,
    looks: Iterable[Look] = (),
    repair: Callable[[App], object] | None = None,
) -> Iterator[HealthFinding]:
    """Yield a finding per examination; ``looks`` add findings about the store."""
    python = ".".join(map(str, sys.version_info[:3]))
    yield HealthFinding("python", "ok", f"Python {python}, SQLite {SQLITE_VERSION}")
    yield HealthFinding("home", "ok", config.home)
    for problem in config.problems:
        yield HealthFinding("settings", "warning", problem, "see: twiceshy config --explain")
    try:
        if repair:
            _repair_store(config, open_store, repair)
        with open_store(config) as app:
            yield from _examine_store(app, looks)
    except StoreError as error:
        yield HealthFinding("store", "broken", str(error), error.hint)
    yield from hook_findings(config)


def _repair_store(
    config: Config,
    open_store: Callable[[Config], AbstractContextManager[App]],
    repair: Callable[[App], object],
) -> None:
    """Repair the store; if damage is found or met, open it once more, which rescues it, and go on."""
    with suppress(DamagedStoreError), open_store(config) as app:
        if next(iter(app.store.check_health())).verdict != "broken":
            repair(app)
            return
    mark_suspect(config.store)
    with open_store(config) as app:
        repair(app)


def close_to_others(app: App) -> None:
    """Remove permissions of other users from the store's files."""
    for path in list(list_exposed_files(app.config.store)):
        os.chmod(path, 0o700 if os.path.isdir(path) else 0o600)


def examine_rules(app: App) -> HealthFinding:
    """Report approved rules, and rules without effect."""
    key = app.rule_key()
    rules = sort_active_rules(app.store, key=key)
    left_out = [
        f"{list_handles(notes)} {what}"
        for notes, what in (
            (rules.changed, "changed since you approved"),
            (rules.unsigned, "not approved on this device"),
        )
        if notes
    ]
    if left_out:
        without = "" if key else "; there is no key to check them with"
        said = f"left out, not shown: {'; '.join(left_out)}{without}"
        return HealthFinding("rules", "warning", said, "twiceshy review")
    acts = [act for _, act in rules.approved]
    more = ", ".join(f"{acts.count(act)} {verb}" for act, verb in _VERBS.items() if act in acts)
    return HealthFinding("rules", "ok", f"{len(acts)} signed" + (f": {more}" if more else ""))


def examine_stops(app: App) -> HealthFinding:
    """Report whether lessons stop calls, and how often they were wrong."""
    mode = app.config.text("stops.mode")
    since = app.store.now() - _STOP_DAYS * DAY
    made = app.store.list_exposures(channel=STOP)
    found = count_stops(app, app.store.list_outcomes(since=since), made, since=since)
    said = f"{mode}; {describe_stops(found) or 'no call was stopped'} in {_STOP_DAYS} days"
    if found.false_stops >= _MANY_FALSE and 2 * found.false_stops > found.stopped:
        hint = "let yourself be asked: twiceshy config set stops.mode ask"
        return HealthFinding("stops", "warning", said, hint)
    return HealthFinding("stops", "ok", said)


def examine_sources(app: App) -> HealthFinding:
    """Report what the sessions on record were learned from, and sessions that taught nothing."""
    counts = count_sources(app)
    said = f"{counts.transcripts} of the last sessions learned from transcripts"
    if counts.captured:
        said += f", {counts.captured} from captured calls"
    if counts.full:
        said += f"; {counts.full} had more failed calls than are kept"
    if counts.waiting:
        said += f"; {counts.waiting} wait to be read"
    if not counts.neither:
        hint = "to read them now: twiceshy distill --all" if counts.waiting else ""
        return HealthFinding("learning", "ok", said, hint)
    total = sum(count for _, count in counts.neither)
    clients = ", ".join(f"{count} of {_name_client(name)}" for name, count in counts.neither)
    said += f"; {total} left neither a transcript nor failed calls and taught nothing: {clients}"
    return HealthFinding("learning", "warning", said, _hint_at_transcripts(counts.neither[0][0]))


def report_requests(app: App) -> Iterator[HealthFinding]:
    """Report sessions that the background job could not learn from."""
    given_up = list_set_aside(app.config.home)
    if not given_up:
        return
    sessions = list(dict.fromkeys(one.session for one in given_up))
    named = ", ".join(sessions[-_NEWEST:])
    said = f"{len(sessions)} not learned from after {MOST_TRIES} tries: {named}"
    hint = f"why is in {os.path.join(app.config.home, launcher.LOG)}; then: twiceshy distill --session {sessions[-1]}"
    yield HealthFinding("sessions", "warning", said, hint)


def _name_client(runtime: str) -> str:
    return load_installer(runtime).TITLE if runtime in RUNTIMES else "other clients"


def _hint_at_transcripts(runtime: str) -> str:
    """Say how sessions of a client leave a transcript that is found."""
    keep = "let the client keep transcripts (an ephemeral session has none)"
    if runtime not in RUNTIMES:
        return keep
    return f"{keep}, or say where: twiceshy config set {load_reader(runtime).SETTING} FOLDER"


def examine_growth(app: App) -> HealthFinding:
    """Report how many notes wait for a decision, and how many faded lately."""
    store, days = app.store, 30
    candidates = store.count_notes(NoteFilter(statuses=("candidate",)))
    proposals = len(list_proposals(store))
    done = sum_runs(app, since=store.now() - days * DAY)
    said = (
        f"{candidates - proposals} notes on probation, {proposals} proposed rules;"
        f" in {days} days {done.faded} faded, {done.crowded} were too many, {done.expired} expired"
    )
    return HealthFinding("growth", "ok", said + (f"; {done.left} are due" if done.left else ""))


def _examine_store(app: App, looks: Iterable[Look]) -> Iterator[HealthFinding]:
    found = list(app.store.check_health())
    yield from found
    unreadable = [one for one in found if one.what in ("integrity", "schema")]
    if not any(one.verdict == "broken" for one in unreadable):
        yield from report_claim(app)
        yield examine_rules(app)
        yield examine_stops(app)
        yield examine_sources(app)
        yield from report_requests(app)
        yield examine_growth(app)
        yield from (look(app) for look in looks)
    if app.store.read_only:
        can_wait = os.access(os.path.dirname(app.config.store), os.W_OK)
        kept = (
            "records of hooks wait in the spool" if can_wait else "hooks tell and record nothing"
        )
        said = f"{app.store.read_only}; until that changes, {kept}"
        yield HealthFinding("store", "warning", said, app.store.read_only_hint)


class MemoryStatus(Value):
    """Counts of the store and of a project, and connected runtimes."""

    store: StoreSummary
    here: Identity
    own: int  # notes of this project that are shown
    active: int  # notes that hold here, those for all projects among them
    waiting: int  # notes that wait for the user's review here
    usage: tuple[SkillUsage, ...]  # of skills, the most used first
    runtimes: Mapping[str, Installer]
    hooks: HookReliability  # of the last days
    claims: str = ""  # which known project the checkout says to be without proof


def count_memory(app: App) -> MemoryStatus:
    """Count kept records, in total and for the current project."""
    here = app.current_project()
    seen = visible_projects(app, here.id)
    waiting = NoteFilter(projects=seen, statuses=("candidate", "quarantined"))
    usage = sorted(app.store.count_skill_usage(), key=lambda used: (-used.sessions, used.skill))
    return MemoryStatus(
        store=app.store.summarise_store(),
        here=here,
        own=app.store.count_notes(NoteFilter(projects=seen[:-1])),
        active=app.store.count_notes(NoteFilter(projects=seen, statuses=("active",))),
        waiting=app.store.count_notes(waiting),
        usage=tuple(usage),
        runtimes=list_connected_runtimes(app.config.home),
        hooks=count_hook_endings(app.config, now=app.store.now()),
        claims=describe_claimed(app.store, here) if here.claimed else "",
    )


def audit_project(
    config: Config, app: App | None, areas: Collection[Area] = AREAS, *, project: str | None = None
) -> AuditResult:
    """Audit areas of a project: the one audit of every verb; ``app`` is None without a store."""
    cwd, home = app.cwd if app else working_directory(), user_home()
    here, folders = find_audited_project(app, project, cwd=cwd, home=home, environ=os.environ)
    hooks = tuple(hook_findings(config, trial=False)) if "hooks" in areas else ()
    runtimes = len(list_connected_runtimes(config.home))
    place = AuditPlace(here, folders, read_clock(), app)
    with answer_as(app, agent=True) if app else nullcontext():  # it is printed for agents, too
        facts = gather_facts(place, areas, hooks=hooks, runtimes=runtimes)
    gate = RedactionGate(config)
    findings = (_redact_facts(finding, gate) for finding in run_audit(facts, areas))
    return AuditResult(here, tuple(areas), facts, tuple(findings))


def _redact_facts(finding: AuditFinding, gate: RedactionGate) -> AuditFinding:
    """Redact quoted foreign files."""
    told = finding.values.items()
    values = {name: gate(value) if isinstance(value, str) else value for name, value in told}
    return finding.but(where=gate(finding.where), values=values)
