"""Ask a model for the lessons of a session, if worthwhile; failures are never raised.

Answers and failures are reported in the result. It is worthwhile with enough calls, a
failure, and material not paid for.

Nothing depends on the model: findings of the detectors are kept before, and a model that is
off, out of budget, slow or hostile only means that nothing is added. Everything needed comes
as an argument.
"""

from __future__ import annotations

from twiceshy.core.draft import Draft
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.model_ledger import ModelCall
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.transcript import CallStep, ResultStep
from twiceshy.core.trigger import FILES, Trigger, tool_family
from twiceshy.core.trust import INJECTABLE, ORIGINS
from twiceshy.core.value import Value
from twiceshy.learning.distil.answer import (
    CORRECTION_KINDS,
    LESSON_KINDS,
    MOST_LESSONS,
    MOST_PRINCIPLES,
    PRINCIPLE_KINDS,
    Refusal,
    parse_answer,
)
from twiceshy.learning.distil.coverage import (
    ENOUGH,
    find_concrete_terms,
    find_trust,
    measure_coverage,
)
from twiceshy.learning.distil.material import digest_material, render_prompt
from twiceshy.safety.danger import find_danger
from twiceshy.shell.call_words import call_words

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from twiceshy.core.evidence import Signal
    from twiceshy.core.note import Kind
    from twiceshy.core.transcript import Step
    from twiceshy.learning.distil.answer import Delta
    from twiceshy.learning.distil.material import Material, MaterialSpan, Purpose
    from twiceshy.models.completer import Completion

_LONGEST_ERROR = 300
_STRUCTURAL = frozenset(("error", "fix", "retry", "correction", "thrash"))
# purpose → the kinds that a model may add; they are kinds of lessons unless the table says otherwise
_ANSWER_KINDS: dict[Purpose, tuple[str, ...]] = {
    "lessons": LESSON_KINDS,
    "principles": PRINCIPLE_KINDS,
    "corrections": CORRECTION_KINDS,
}
_NOTE_KINDS: dict[str, tuple[Kind, str]] = {
    "decision": ("decision", ""),
    "convention": ("pattern", "convention"),
    "preference": ("preference", ""),
}
_WRITES = "Write"  # the one tool with a path that does not look for it
_FEWEST, _MOST = 2, 3  # grams; one alone, such as "git", would concern half of all calls


class Evidence(Value):
    """Counts of a session's calls and signals; no text is part of the evidence."""

    calls: int  # of tools
    signals: int = 0  # failures, fixes, retries, corrections
    seeds: int = 0  # signals of earlier sessions that wait for this skill


class Allowance(Value):
    """Model calls left today, and the minimum of tool calls in a session."""

    daily_calls: int
    spent_today: int
    min_tool_calls: int

    @property
    def calls_left(self) -> int:
        """Return the number of model calls left."""
        return max(0, self.daily_calls - self.spent_today)


class ProposedChange(Value):
    """An allowed change proposed by a model; ``note`` is the handle of the note."""

    op: str
    draft: Draft
    note: str = ""


class ModelAttempt(Value):
    """A model request: the ledger entry, and a redacted preview of the reply."""

    spending: ModelCall
    preview: str = ""


class DistillationResult(Value):
    """Result of asking a model; ``skipped`` gives the reason if no model was asked."""

    proposals: tuple[ProposedChange, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    attempts: tuple[ModelAttempt, ...] = ()
    skipped: str = ""

    @property
    def spendings(self) -> tuple[ModelCall, ...]:
        """Return the ledger entries of every call, failed calls included."""
        return tuple(attempt.spending for attempt in self.attempts)


def count_evidence(
    steps: Iterable[Step], *, signals: Iterable[Signal] = (), seeds: int = 0
) -> Evidence:
    """Count calls and structural failures: by flags and signals, never by text."""
    known = list(steps)
    failures = sum(
        isinstance(step, ResultStep) and step.failed and not step.refusal for step in known
    )
    observed = sum(signal.kind in _STRUCTURAL for signal in signals)
    return Evidence(
        calls=sum(isinstance(step, CallStep) for step in known),
        signals=failures + observed,
        seeds=seeds,
    )


def find_refusal(evidence: Evidence, allowance: Allowance, *, skill: str, known: bool) -> str:
    """Return the reason against asking a model, or nothing. ``known``: material paid before."""
    reasons = {
        "this project is not shown to a model": allowance.daily_calls == 0,
        f"{evidence.calls} tool calls are too few": evidence.calls < allowance.min_tool_calls,
        "nothing went wrong": not evidence.signals and not (skill and evidence.seeds),
        "this was distilled before": known,
        f"all {allowance.daily_calls} calls of today are spent": not allowance.calls_left,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


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
) -> DistillationResult:
    """Ask for lessons about a skill or for principles.

    ``spent_on`` is asked with the digest of the material, ``complete`` with the prompt and, as
    ``most``, with the number of calls left. ``now`` is from before the transcript was read.
    """
    paid_for = digest_material(material, purpose=purpose)
    reason = find_refusal(evidence, allowance, skill=material.skill, known=spent_on(paid_for))
    if reason:
        return DistillationResult(skipped=reason)
    try:
        prompt = redact(render_prompt(purpose, material))
        answered = complete(prompt, most=allowance.calls_left)
    except (TwiceshyError, OSError) as error:  # a setting that makes no sense, a full disk
        return DistillationResult(skipped=f"no model can be asked: {redact(str(error))}")
    asked = _ModelRequest(material, purpose, scope, redact, now, paid_for)
    attempts = tuple(asked.build_attempt(one) for one in (*answered.failed, answered) if one.model)
    if answered.error:
        return DistillationResult(attempts=attempts)
    return asked.read_answer(answered.text).but(attempts=attempts)


class _ModelRequest(Value):
    """A request to a model, and the interpretation of the answer."""

    material: Material
    purpose: Purpose
    scope: Scope
    redact: Callable[[str], str]
    now: int
    paid_for: str

    def build_attempt(self, completion: Completion) -> ModelAttempt:
        """Build the record of a model request."""
        spending = ModelCall(
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
        return ModelAttempt(spending, self.redact(completion.preview))

    def read_answer(self, text: str) -> DistillationResult:
        """Parse an answer into proposals and refusals."""
        answer = parse_answer(
            text,
            known=dict(self.material.existing),
            kinds=_ANSWER_KINDS[self.purpose],
            most=MOST_PRINCIPLES if self.purpose == "principles" else MOST_LESSONS,
        )
        read = list(map(self._build_proposal, answer.deltas))
        refused = (*answer.refusals, *(one for one in read if isinstance(one, Refusal)))
        return DistillationResult(
            proposals=tuple(one for one in read if isinstance(one, ProposedChange)),
            refusals=tuple(Refusal(self.redact(one.what), one.reason) for one in refused),
        )

    def _build_proposal(self, delta: Delta) -> ProposedChange | Refusal:
        spans = self.material.excerpts
        text = self.redact(delta.text or dict(self.material.existing).get(delta.id, ""))
        why, tag = self.redact(delta.why), self.redact(delta.tag)
        trust = ORIGINS["output"] if find_danger(text) else find_trust(text, spans)
        if delta.op == "contradict":  # what is doubted need not have been said again
            trust = find_trust(why, spans)
        if delta.id and trust < INJECTABLE:
            return Refusal(
                f"{delta.op} {delta.id}", "nothing that the user said or that was run bears it out"
            )
        trigger = build_trigger(delta.trigger, spans) if delta.trigger else ""
        kind, subtype = _NOTE_KINDS.get(delta.kind, ("lesson", delta.kind))
        draft = Draft(
            kind=kind,
            subtype=subtype,
            text=text,
            # a brief shows it beside the text, so it has to be as good
            why=why if measure_coverage(why, spans) >= ENOUGH and not find_danger(why) else "",
            tag=tag,
            trigger=self.redact(trigger),
            scope=self._choose_scope(text),
            source="distiller",
            trust=trust,
            origin_project=self.material.project,
            origin_session=self.material.session,
        )
        return ProposedChange(delta.op, draft, delta.id)

    def _choose_scope(self, text: str) -> Scope:
        """Return the scope of a note; a note with names of its project stays in the project."""
        local = any(not term.startswith("-") for term in find_concrete_terms(text))
        if self.scope.project == EVERYWHERE and local:
            return self.scope.but(project=self.material.project)
        return self.scope


def list_log_events(distilled: DistillationResult) -> Iterator[tuple[str, str]]:
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


def build_trigger(subject: str, spans: Iterable[MaterialSpan]) -> str:
    """Return the trigger for a command or path named by a model; empty if never called."""
    for span in spans:
        if span.origin != "command":
            continue
        tool, _, call = span.text.removeprefix("TC: ").partition("(")
        name = "file_path" if tool_family(tool) == FILES or tool == _WRITES else "command"
        wanted = call_words({name: subject})
        made = call_words({name: call.removesuffix(")")})
        called = len(wanted) == 1 and any(set(wanted[0]) <= set(part) for part in made)
        if called and len(wanted[0]) >= _FEWEST:
            return Trigger(tool_family(tool), wanted[0][:_MOST]).to_line()
    return ""
