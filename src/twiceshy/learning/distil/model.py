"""Let a model refine what was learned from a session, if the user chose one; it can only propose."""

from __future__ import annotations

from collections import deque

from twiceshy.core.filter import Filter
from twiceshy.core.model_ledger import answered_at, is_spent, midnight
from twiceshy.core.scope import GLOBAL, NO_SKILL, Scope
from twiceshy.core.value import Value
from twiceshy.learning.distil.asking import distil, told
from twiceshy.learning.distil.gate import Allowance, evidence_of
from twiceshy.learning.distil.log import Log, place
from twiceshy.learning.distil.material import material_of
from twiceshy.learning.distil.take import Hands, take
from twiceshy.notes.edit import edit
from twiceshy.notes.naming import notes_named
from twiceshy.notes.write import bounds_of, change, write

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.transcript import Step
    from twiceshy.learning.distil.asking import Purpose
    from twiceshy.learning.session import Where
    from twiceshy.models.chat import Completer

_MOST_STEPS = 4_000  # from the end; the material is far shorter
_EXISTING = 10


class Refined(Value):
    """What a model brought: notes that are new, that it changed, and why it was not asked."""

    new: int = 0
    known: int = 0
    skipped: tuple[str, ...] = ()


def refine(app: App, where: Where, steps: Callable[[], Iterable[Step]]) -> Refined:
    """Ask the chosen model about a session that rests: its skills one by one, then what holds for all."""
    model = app.completer()
    if model is None:
        return Refined(skipped=("no model is chosen",))
    uses = app.store.uses(where.session, "")
    skills = [use.skill for use in uses if use.how == "active"]
    wanted: list[tuple[Purpose, Scope]] = [
        ("lessons", Scope(where.project, skill)) for skill in skills or [NO_SKILL]
    ]
    if skills:
        wanted.append(("principles", GLOBAL))
    refined = Refined()
    for each in wanted:
        one = _ask(app, where, model, each, steps)
        refined = Refined(
            refined.new + one.new, refined.known + one.known, refined.skipped + one.skipped
        )
    return refined


def _ask(
    app: App,
    where: Where,
    model: Completer,
    wanted: tuple[Purpose, Scope],
    steps: Callable[[], Iterable[Step]],
) -> Refined:
    purpose, scope = wanted
    store, config, now = app.store, app.config, app.store.now()
    spendings = store.spendings()
    since = answered_at(spendings, session=where.session, purpose=purpose)
    fresh = deque((step for step in steps() if step.at > since), maxlen=_MOST_STEPS)
    material = material_of(
        list(fresh),
        project=where.project,
        skill=scope.skill,
        lines=config.integer("learn.transcript_lines"),
        existing=_existing(app, scope),
        redact=app.redact,
    )
    distilled = distil(
        material,
        purpose=purpose,
        scope=scope,
        evidence=evidence_of(fresh),
        allowance=Allowance(
            daily_calls=config.integer("distiller.daily_calls"),
            spent_today=sum(one.at >= midnight(now) for one in spendings),
            min_tool_calls=config.integer("learn.min_tool_calls"),
        ),
        spent_on=lambda material: is_spent(spendings, material),
        complete=model.complete,
        redact=app.redact,
        now=now,
    )
    store.keep(*distilled.spendings)
    taken = take(distilled.proposals, _hands(app))
    _log(app).write(where.session, told(distilled), at=now)
    skipped = (distilled.skipped,) if distilled.skipped else ()
    return Refined(len(taken.new), len(taken.known), skipped)


def _existing(app: App, scope: Scope) -> Sequence[tuple[str, str]]:
    which = Filter(projects=(scope.project,), skill=scope.skill, kinds=("lesson",))
    return [(note.handle, note.text) for note in app.store.notes(which, limit=_EXISTING)]


def _hands(app: App) -> Hands:
    def find(handle: str) -> Note | None:
        named = notes_named(app.store, handle)
        return named[0] if len(named) == 1 else None

    return Hands(
        write=lambda draft: write(
            app.store, draft, redact=app.redact, bounds=bounds_of(app.config)
        ),
        find=find,
        edit=lambda note, fields: edit(app.store, note, fields, redact=app.redact),
        doubt=lambda note, why: change(app.store, "doubt", note, life="candidate", reason=why),
    )


def _log(app: App) -> Log:
    config = app.config
    path = place(
        config.text("logs.distiller"), debug=config.flag("distiller.debug"), home=config.home
    )
    return Log(path, app.redact, config.integer("retention.log_kilobytes"))
