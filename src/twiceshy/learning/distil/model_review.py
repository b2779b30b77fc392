"""Let a configured model refine the lessons of a session; a model can only propose.

The log has a redacted line per event, owner-readable, limited in size; the calls of the last
days are counted with their cost.
"""

from __future__ import annotations

import contextlib
import os
from collections import deque

from twiceshy.core.filter import NoteFilter
from twiceshy.core.model_ledger import find_last_answer, is_spent, start_of_day, sum_model_calls
from twiceshy.core.moment import DAY, format_day, format_stamp
from twiceshy.core.scope import GLOBAL, NO_SKILL, Scope
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.value import Value
from twiceshy.files.log import append_lines
from twiceshy.learning.distil.apply_changes import apply_proposals
from twiceshy.learning.distil.ask_model import Allowance, count_evidence, distil, list_log_events
from twiceshy.learning.distil.material import build_material

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.app import App
    from twiceshy.core.model_ledger import ModelCall, ModelSpending
    from twiceshy.core.transcript import Step
    from twiceshy.learning.distil.prompt import Purpose
    from twiceshy.learning.sources import SessionOrigin
    from twiceshy.models.completer import Completer


_MOST_STEPS = 4_000  # from the end; the material is far shorter
_MOST_EXISTING = 10
_PURPOSES: tuple[Purpose, ...] = ("lessons", "principles")
LOG_NAME = "distiller.log"
_LONGEST_LINE, _LONGEST_SESSION = 1_000, 8  # characters in the log
_NO_MODEL = ("none", "null")


class ModelReview:
    """Collects the steps not yet seen by the model, and asks the model about them."""

    def __init__(self, app: App, origin: SessionOrigin) -> None:
        self._app, self._origin = app, origin
        self._now = app.store.now()  # before a step is read: what comes later is asked about later
        self._chosen = app.config.text("distiller.backend") != "none"
        self._since = min(map(self._find_answer_time, _PURPOSES)) if self._chosen else 0
        self._steps: deque[Step] = deque(maxlen=_MOST_STEPS)

    def add_step(self, step: Step) -> None:
        """Add a step of the transcript."""
        if self._chosen and step.at > self._since:
            self._steps.append(step)

    def ask_model(self) -> None:
        """Ask about a finished session: each skill in turn, then general principles."""
        model = self._app.build_completer()
        if model is None:
            return
        uses = self._app.store.list_skill_uses(self._origin.session, "")
        skills = [use.skill for use in uses if use.how == "active"]
        for skill in skills or [NO_SKILL]:
            self._ask_about_scope(model, "lessons", Scope(self._origin.project, skill))
        if skills:
            self._ask_about_scope(model, "principles", GLOBAL)

    def _find_answer_time(self, purpose: Purpose) -> int:
        spendings = self._app.store.list_model_calls()
        return find_last_answer(spendings, session=self._origin.session, purpose=purpose)

    def _ask_about_scope(self, model: Completer, purpose: Purpose, scope: Scope) -> None:
        app, now = self._app, self._now
        since = self._find_answer_time(purpose)
        fresh = [step for step in self._steps if step.at > since]
        distilled = distil(
            build_material(
                fresh,
                project=self._origin.project,
                skill=scope.skill,
                lines=app.config.integer("learn.transcript_lines"),
                existing=_list_existing(app, scope),
                redact=app.redact,
            ),
            purpose=purpose,
            scope=scope,
            evidence=count_evidence(fresh),
            allowance=_read_allowance(app, now),
            spent_on=lambda material: is_spent(app.store.list_model_calls(), material),
            complete=model.complete,
            redact=app.redact,
            now=now,
        )
        app.store.save_records(*distilled.spendings)
        apply_proposals(app, distilled.proposals)
        log_events(app, self._origin.session, list_log_events(distilled), at=now)


def _read_allowance(app: App, now: int) -> Allowance:
    return Allowance(
        daily_calls=app.config.integer("distiller.daily_calls"),
        spent_today=sum(one.at >= start_of_day(now) for one in app.store.list_model_calls()),
        min_tool_calls=app.config.integer("learn.min_tool_calls"),
    )


def _list_existing(app: App, scope: Scope) -> Sequence[tuple[str, str]]:
    which = NoteFilter(projects=(scope.project,), skill=scope.skill, kinds=("lesson",))
    return [(note.handle, note.text) for note in app.store.notes(which, limit=_MOST_EXISTING)]


def log_events(app: App, session: str, events: Iterable[tuple[str, str]], *, at: int) -> None:
    """Append events, such as ``("SKIP", "nothing went wrong")``; a full disk loses them quietly.

    The log is where the settings say, or in the memory home while debugging; else there is none.
    """
    config = app.config
    at_home = os.path.join(config.home, LOG_NAME) if config.flag("distiller.debug") else ""
    path = config.text("logs.distiller") or at_home
    if not path:
        return
    when = format_stamp(at)[:19].replace("T", " ")
    who = fold_to_line(strip_unsafe(session), limit=200)[:_LONGEST_SESSION] or "-"
    lines = [
        fold_to_line(
            strip_unsafe(app.redact(f"{when} | {who} | {event} | {text}")), limit=_LONGEST_LINE
        )
        for event, text in events
    ]
    with contextlib.suppress(OSError):
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    append_lines(path, lines, most=config.integer("retention.log_kilobytes") << 10)


class ModelCalls(Value):
    """Model calls of some days: sums in total and by day, backend and model, and failed calls."""

    backend: str
    daily_calls: int
    today: int
    total: ModelSpending
    sums: tuple[tuple[str, str, str, ModelSpending], ...]
    failures: tuple[ModelCall, ...]

    @property
    def asks_model(self) -> bool:
        """True if a model is configured."""
        return self.backend not in _NO_MODEL

    @property
    def calls_left(self) -> int:
        """Return the number of calls left today."""
        return max(0, self.daily_calls - self.today) if self.asks_model else 0


def count_model_calls(app: App, *, days: int) -> ModelCalls:
    """Add up the model calls of the last days, including today."""
    today = start_of_day(app.store.now())
    calls = app.store.list_model_calls(since=today - (days - 1) * DAY)
    groups: dict[tuple[str, str, str], list[ModelCall]] = {}
    for call in calls:
        groups.setdefault((format_day(call.at), call.backend, call.model), []).append(call)
    return ModelCalls(
        backend=app.config.text("distiller.backend"),
        daily_calls=app.config.integer("distiller.daily_calls"),
        today=sum_model_calls(call for call in calls if call.at >= today).calls,
        total=sum_model_calls(calls),
        sums=tuple((*key, sum_model_calls(groups[key])) for key in sorted(groups)),
        failures=tuple(call for call in calls if call.error),
    )
