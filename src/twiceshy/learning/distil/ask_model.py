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
    split_answer,
)
from twiceshy.learning.distil.coverage import (
    ENOUGH,
    find_concrete_terms,
    find_trust,
    measure_coverage,
)
from twiceshy.learning.distil.material import digest_sections, render_prompt
from twiceshy.safety.danger import find_danger
from twiceshy.shell.call_words import call_words

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from twiceshy.core.note import Kind
    from twiceshy.learning.distil.answer import Delta
    from twiceshy.learning.distil.material import MaterialSpan, Purpose, Section
    from twiceshy.models.completer import Completion

_LONGEST_ERROR = 300
_SESSION = "session"  # purpose of a call in the ledger
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


def find_refusal(section: Section, allowance: Allowance) -> str:
    """Return the reason against asking a model about a section, or nothing."""
    evidence, seeded = section.evidence, section.material.skill and section.evidence.seeds
    reasons = {
        "this project is not shown to a model": allowance.daily_calls == 0,
        f"{evidence.calls} tool calls are too few": evidence.calls < allowance.min_tool_calls,
        "nothing went wrong": not evidence.signals and not seeded,
        f"all {allowance.daily_calls} calls of today are spent": not allowance.calls_left,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def distil(
    sections: Sequence[Section],
    *,
    allowance: Allowance,
    spent_on: Callable[[str], bool],
    complete: Callable[..., Completion],
    redact: Callable[[str], str],
    now: int,
) -> DistillationResult:
    """Ask once for all sections of a session that there is a reason for.

    ``spent_on`` is asked with the digest of the material, ``complete`` with the prompt and, as
    ``most``, with the number of calls left. ``now`` is from before the transcript was read.
    """
    reasons = {section.name: find_refusal(section, allowance) for section in sections}
    due = tuple(section for section in sections if not reasons[section.name])
    paid_for = digest_sections(due)
    if not due:
        return DistillationResult(skipped="; ".join(dict.fromkeys(reasons.values())))
    if spent_on(paid_for):
        return DistillationResult(skipped="this was distilled before")
    try:
        prompt = redact(render_prompt(due))
        answered = complete(prompt, most=allowance.calls_left)
    except (TwiceshyError, OSError) as error:  # a setting that makes no sense, a full disk
        return DistillationResult(skipped=f"no model can be asked: {redact(str(error))}")
    asked = (*answered.failed, answered)
    attempts = tuple(
        _build_attempt(one, due[0], paid_for, redact=redact, now=now) for one in asked if one.model
    )
    left_out = tuple(
        Refusal(_describe_section(one), reasons[one.name]) for one in sections if one not in due
    )
    if answered.error:
        return DistillationResult(refusals=left_out, attempts=attempts)
    parts = split_answer(answered.text, [section.name for section in due])
    read = [
        _SectionRequest(section, redact).read_answer(parts.get(section.name)) for section in due
    ]
    return DistillationResult(
        proposals=tuple(proposal for one in read for proposal in one.proposals),
        refusals=(*left_out, *(refusal for one in read for refusal in one.refusals)),
        attempts=attempts,
    )


def _build_attempt(
    completion: Completion,
    section: Section,
    paid_for: str,
    *,
    redact: Callable[[str], str],
    now: int,
) -> ModelAttempt:
    """Build the record of a model request for the session of a section."""
    spending = ModelCall(
        at=now,
        purpose=_SESSION,
        project=section.material.project,
        session=section.material.session,
        backend=completion.backend,
        model=completion.model,
        material=paid_for,
        tokens_in=completion.tokens_in,
        tokens_out=completion.tokens_out,
        milliseconds=completion.milliseconds,
        error=redact(completion.error)[:_LONGEST_ERROR],
    )
    return ModelAttempt(spending, redact(completion.preview))


def _describe_section(section: Section) -> str:
    return f"{section.purpose} {section.material.skill}".strip()


class _SectionRequest(Value):
    """A section that a model was asked about, and the interpretation of its part of the answer."""

    section: Section
    redact: Callable[[str], str]

    def read_answer(self, text: str | None) -> DistillationResult:
        """Parse a part of an answer into proposals and refusals; None if it cannot be read."""
        if text is None:
            lost = Refusal(_describe_section(self.section), "its part is missing or broken")
            return DistillationResult(refusals=(lost,))
        purpose = self.section.purpose
        answer = parse_answer(
            text,
            known=dict(self.section.material.existing),
            kinds=_ANSWER_KINDS[purpose],
            most=MOST_PRINCIPLES if purpose == "principles" else MOST_LESSONS,
        )
        read = list(map(self._build_proposal, answer.deltas))
        refused = (*answer.refusals, *(one for one in read if isinstance(one, Refusal)))
        return DistillationResult(
            proposals=tuple(one for one in read if isinstance(one, ProposedChange)),
            refusals=tuple(Refusal(self.redact(one.what), one.reason) for one in refused),
        )

    def _build_proposal(self, delta: Delta) -> ProposedChange | Refusal:
        material = self.section.material
        spans = material.excerpts
        text = self.redact(delta.text or dict(material.existing).get(delta.id, ""))
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
            origin_project=material.project,
            origin_session=material.session,
        )
        return ProposedChange(delta.op, draft, delta.id)

    def _choose_scope(self, text: str) -> Scope:
        """Return the scope of a note; a note with names of its project stays in the project."""
        local = any(not term.startswith("-") for term in find_concrete_terms(text))
        scope, project = self.section.scope, self.section.material.project
        return scope.but(project=project) if scope.project == EVERYWHERE and local else scope


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
