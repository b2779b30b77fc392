"""Ask a model for the lessons of a session, if worthwhile; failures are never raised.

Answers and failures are reported in the result.

Nothing depends on the model: findings of the detectors are kept before, and a model that is
off, out of budget, slow or hostile only means that nothing is added. Everything needed comes
as an argument.
"""

from __future__ import annotations

from twiceshy.core.draft import Draft
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.model_ledger import Spending
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.trust import INJECTABLE, ORIGINS
from twiceshy.core.value import Value
from twiceshy.learning.distil.answer import (
    LESSON_KINDS,
    MOST_LESSONS,
    MOST_PRINCIPLES,
    PRINCIPLE_KINDS,
    Refusal,
    parse_answer,
)
from twiceshy.learning.distil.cover import ENOUGH, concrete, covered, trust_by
from twiceshy.learning.distil.gate import refusal
from twiceshy.learning.distil.material import digest
from twiceshy.learning.distil.occasion import trigger_for
from twiceshy.learning.distil.prompt import lessons_prompt, principles_prompt
from twiceshy.safety.danger import danger as waits

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Literal

    from twiceshy.learning.distil.answer import Delta
    from twiceshy.learning.distil.gate import Allowance, Evidence
    from twiceshy.learning.distil.material import Material
    from twiceshy.models.chat import Completion

    Purpose = Literal["lessons", "principles"]

_LONGEST_ERROR = 300


class Proposal(Value):
    """An allowed change proposed by a model; ``note`` is the handle of the note."""

    op: str
    draft: Draft
    note: str = ""


class Attempt(Value):
    """A model request: the ledger entry, and a redacted preview of the reply."""

    spending: Spending
    preview: str = ""


class Distilled(Value):
    """Result of asking a model; ``skipped`` gives the reason if no model was asked."""

    proposals: tuple[Proposal, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    skipped: str = ""

    @property
    def spendings(self) -> tuple[Spending, ...]:
        """Return the ledger entries of every call, failed calls included."""
        return tuple(attempt.spending for attempt in self.attempts)

    @property
    def error(self) -> str:
        """Return the error of the last model asked, if any."""
        return self.attempts[-1].spending.error if self.attempts else ""


def distil(
    material: Material,
    *,
    purpose: Purpose,
    scope: Scope,
    evidence: Evidence,
    allowance: Allowance,
    spent_on: Callable[[str], bool],
    complete: Callable[..., Completion],
    redact: Callable[[str], str],
    now: int,
    danger: Callable[[str], object] = waits,
) -> Distilled:
    """Ask for lessons about a skill or for principles; ``danger`` finds texts to hold back.

    ``spent_on`` is asked with the digest of the material, ``complete`` with the prompt and, as
    ``most``, with the number of calls left. ``now`` is from before the transcript was read.
    """
    paid_for = digest(material, purpose=purpose)
    reason = refusal(evidence, allowance, skill=material.skill, known=spent_on(paid_for))
    if reason:
        return Distilled(skipped=reason)
    prompt = (lessons_prompt if purpose == "lessons" else principles_prompt)(material)
    try:
        answered = complete(redact(prompt), most=allowance.left)
    except (TwiceshyError, OSError) as error:  # a setting that makes no sense, a full disk
        return Distilled(skipped=f"no model can be asked: {redact(str(error))}")
    asked = _Asked(material, purpose, scope, redact, danger, now, paid_for)
    attempts = tuple(asked.attempt(one) for one in (*answered.failed, answered) if one.model)
    if answered.error:
        return Distilled(attempts=attempts)
    return asked.understood(answered.text).but(attempts=attempts)


class _Asked(Value):
    """A request to a model, and the interpretation of the answer."""

    material: Material
    purpose: Purpose
    scope: Scope
    redact: Callable[[str], str]
    danger: Callable[[str], object]
    now: int
    paid_for: str

    def attempt(self, completion: Completion) -> Attempt:
        """Build the record of a model request."""
        spending = Spending(
            at=self.now,
            purpose=self.purpose,
            project=self.material.project,
            session=self.material.session,
            backend=completion.backend,
            model=completion.model,
            material=self.paid_for,
            tokens_in=completion.tokens_in,
            tokens_out=completion.tokens_out,
            milliseconds=completion.milliseconds,
            error=self.redact(completion.error)[:_LONGEST_ERROR],
        )
        return Attempt(spending, self.redact(completion.preview))

    def understood(self, text: str) -> Distilled:
        """Parse an answer into proposals and refusals."""
        principles = self.purpose == "principles"
        answer = parse_answer(
            text,
            known=dict(self.material.existing),
            kinds=PRINCIPLE_KINDS if principles else LESSON_KINDS,
            most=MOST_PRINCIPLES if principles else MOST_LESSONS,
        )
        read = list(map(self._proposal, answer.deltas))
        refused = (*answer.refusals, *(one for one in read if isinstance(one, Refusal)))
        return Distilled(
            proposals=tuple(one for one in read if isinstance(one, Proposal)),
            refusals=tuple(Refusal(self.redact(one.what), one.reason) for one in refused),
        )

    def _proposal(self, delta: Delta) -> Proposal | Refusal:
        spans = self.material.excerpts
        text = self.redact(delta.text or dict(self.material.existing).get(delta.id, ""))
        why, tag = self.redact(delta.why), self.redact(delta.tag)
        trust = ORIGINS["output"] if self.danger(text) else trust_by(text, spans)
        if delta.op == "contradict":  # what is doubted need not have been said again
            trust = trust_by(why, spans)
        if delta.id and trust < INJECTABLE:
            return Refusal(
                f"{delta.op} {delta.id}", "nothing that the user said or that was run bears it out"
            )
        trigger = trigger_for(delta.trigger, spans) if delta.trigger else ""
        draft = Draft(
            kind="lesson",
            subtype=delta.kind,
            text=text,
            # a brief shows it beside the text, so it has to be as good
            why=why if covered(why, spans) >= ENOUGH and not self.danger(why) else "",
            tag=tag,
            trigger=self.redact(trigger),
            scope=self._place(text),
            source="distiller",
            trust=trust,
            origin_project=self.material.project,
            origin_session=self.material.session,
        )
        return Proposal(delta.op, draft, delta.id)

    def _place(self, text: str) -> Scope:
        """Return the scope of a note; a note with names of its project stays in the project."""
        local = any(not gram.startswith("-") for gram in concrete(text))
        if self.scope.project == EVERYWHERE and local:
            return self.scope.but(project=self.material.project)
        return self.scope


def told(distilled: Distilled) -> Iterator[tuple[str, str]]:
    """Yield log events: requests, errors, replies and refusals."""
    if distilled.skipped:
        yield "SKIP", distilled.skipped
    for attempt in distilled.attempts:
        spending = attempt.spending
        who = f"{spending.backend} | {spending.model}"
        took = f"{spending.tokens_in} in, {spending.tokens_out} out, {spending.milliseconds} ms"
        yield "DISTILLER", f"{who} | {spending.purpose} | {took}"
        if spending.error:
            yield "DISTILLER_ERR", f"{who} | {spending.error}"
        if attempt.preview:
            yield "DISTILLER_RAW", f"{who} | {attempt.preview}"
        if spending.error and attempt is not distilled.attempts[-1]:
            yield "FALLBACK", f"{who} failed; the next one is asked"
    for one in distilled.refusals:
        yield "SKIP", f"{one.what} | {one.reason}"
