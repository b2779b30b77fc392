"""Let a configured model refine the lessons of a session; a model can only propose."""

from __future__ import annotations

from collections import deque

from twiceshy.core.filter import Filter
from twiceshy.core.model_ledger import answered_at, is_spent, midnight
from twiceshy.core.scope import GLOBAL, NO_SKILL, Scope
from twiceshy.learning.distil.asking import distil, told
from twiceshy.learning.distil.gate import Allowance, evidence_of
from twiceshy.learning.distil.log import Log, place
from twiceshy.learning.distil.material import material_of
from twiceshy.learning.distil.take import take

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.app import App
    from twiceshy.core.transcript import Step
    from twiceshy.learning.distil.asking import Purpose
    from twiceshy.learning.sources import SessionOrigin
    from twiceshy.models.chat import Completer

_MOST_STEPS = 4_000  # from the end; the material is far shorter
_EXISTING = 10
_PURPOSES: tuple[Purpose, ...] = ("lessons", "principles")


class ModelReview:
    """Collects the steps not yet seen by the model, and asks the model about them."""

    def __init__(self, app: App, origin: SessionOrigin) -> None:
        self._app, self._origin = app, origin
        self._now = app.store.now()  # before a step is read: what comes later is asked about later
        self._chosen = app.config.text("distiller.backend") != "none"
        self._since = min(map(self._answered_at, _PURPOSES)) if self._chosen else 0
        self._steps: deque[Step] = deque(maxlen=_MOST_STEPS)

    def take(self, step: Step) -> None:
        """Add a step of the transcript."""
        if self._chosen and step.at > self._since:
            self._steps.append(step)

    def ask(self) -> None:
        """Ask about a finished session: each skill in turn, then general principles."""
        model = self._app.completer()
        if model is None:
            return
        uses = self._app.store.uses(self._origin.session, "")
        skills = [use.skill for use in uses if use.how == "active"]
        for skill in skills or [NO_SKILL]:
            self._ask(model, "lessons", Scope(self._origin.project, skill))
        if skills:
            self._ask(model, "principles", GLOBAL)

    def _answered_at(self, purpose: Purpose) -> int:
        spendings = self._app.store.spendings()
        return answered_at(spendings, session=self._origin.session, purpose=purpose)

    def _ask(self, model: Completer, purpose: Purpose, scope: Scope) -> None:
        app, now = self._app, self._now
        since = self._answered_at(purpose)
        fresh = [step for step in self._steps if step.at > since]
        distilled = distil(
            material_of(
                fresh,
                project=self._origin.project,
                skill=scope.skill,
                lines=app.config.integer("learn.transcript_lines"),
                existing=_existing(app, scope),
                redact=app.redact,
            ),
            purpose=purpose,
            scope=scope,
            evidence=evidence_of(fresh),
            allowance=_allowance(app, now),
            spent_on=lambda material: is_spent(app.store.spendings(), material),
            complete=model.complete,
            redact=app.redact,
            now=now,
        )
        app.store.keep(*distilled.spendings)
        take(app, distilled.proposals)
        _log(app).write(self._origin.session, told(distilled), at=now)


def _allowance(app: App, now: int) -> Allowance:
    return Allowance(
        daily_calls=app.config.integer("distiller.daily_calls"),
        spent_today=sum(one.at >= midnight(now) for one in app.store.spendings()),
        min_tool_calls=app.config.integer("learn.min_tool_calls"),
    )


def _existing(app: App, scope: Scope) -> Sequence[tuple[str, str]]:
    which = Filter(projects=(scope.project,), skill=scope.skill, kinds=("lesson",))
    return [(note.handle, note.text) for note in app.store.notes(which, limit=_EXISTING)]


def _log(app: App) -> Log:
    config = app.config
    path = place(
        config.text("logs.distiller"), debug=config.flag("distiller.debug"), home=config.home
    )
    return Log(path, app.redact, config.integer("retention.log_kilobytes"))
