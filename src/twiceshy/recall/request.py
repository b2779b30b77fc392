"""Briefs on request, for a named project or skill."""

from __future__ import annotations

from twiceshy.core.errors import NotFoundError, StoreError, SwitchedOffError
from twiceshy.core.filter import ADVICE, NoteFilter, filter_visible_notes
from twiceshy.core.scope import EVERYWHERE
from twiceshy.language.rank import rank_weights_of
from twiceshy.notes.embed import embed_query
from twiceshy.notes.find_by_name import find_similar_name
from twiceshy.places import skill as skills
from twiceshy.places.skill_frontmatter import KEY
from twiceshy.places.skill_names import list_skill_names
from twiceshy.recall.brief import brief_budget_of
from twiceshy.recall.nearest import WORK, complete_recall
from twiceshy.recall.no_answer import count_checkpoints, explain_answer
from twiceshy.recall.question import read_question
from twiceshy.recall.recall_notes import filter_tellable, recall_notes, search_notes
from twiceshy.recall.respell import find_meant_words
from twiceshy.recall.skill_brief import brief_skill, describe_skill, plan_budget
from twiceshy.safety.names import check_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.scope import Scope
    from twiceshy.language.rank import RankedNote
    from twiceshy.notes.embed import Tell
    from twiceshy.recall.brief import Brief, BriefBudget, RecallResult
    from twiceshy.recall.nearest import RecallAnswer
    from twiceshy.recall.no_answer import Door
    from twiceshy.recall.question import AskedQuestion
    from twiceshy.recall.skill_brief import SkillInProject

_LOOKED_AT = 12  # notes, tasks and pages that a question finds
_WHOLE = 0.999  # of a question, by the weights of its words
_MOST_PLACES = 40  # a session deep in a project has eight for each folder above it


def require_skill(app: App, name: str, *, prefer: str, project: str = "") -> SkillInProject:
    """Return a skill that exists, has notes or checkpoints, or was used; ``prefer`` is a runtime.

    NotFoundError names similar skills and the searched folders, SwitchedOffError the setting
    that forbids notes. Without ``project`` the current one is meant.
    """
    name, here = check_name(name, what="skill"), app.current_project()
    root = here.root
    if project and project not in (here.id, EVERYWHERE):
        root = app.store.list_projects().get(project, ("", ""))[1]
    around = app.skill_search_path(root, prefer=prefer)
    found = skills.find_skill(name, around)
    if found is None and not _is_known(app, name):
        places = skills.list_search_folders(name, around)
        more = f" and {len(places) - _MOST_PLACES} more" if len(places) > _MOST_PLACES else ""
        close = find_similar_name(name, [*app.store.list_skills(), *list_skill_names(around)])
        meant = f"did you mean {close!r}? " if close else ""
        raise NotFoundError(
            f"no SKILL.md of a skill {name!r} was found, and no note about it",
            hint=f"{meant}searched: {', '.join(places[:_MOST_PLACES])}{more}",
        )
    skill = describe_skill(app, name, project or here.id, found)
    require_notes(app, skill)
    return skill


def require_notes(app: App, skill: SkillInProject) -> None:
    """Raise SwitchedOffError if notes are switched off for a skill."""
    if skill.enabled:
        return
    form = f"{KEY}: {{ enabled: true }}"
    hint = (
        f"its SKILL.md must say so in its front matter, as {form} on one line,"
        f" or as {KEY}: and below it, indented, enabled: true"
    )
    if app.config.text("skills.policy") == "off":
        hint = "the user switched notes of skills off: twiceshy config set skills.policy auto"
    raise SwitchedOffError(f"notes are not enabled for skill {skill.name!r}", hint=hint)


def brief_scope(
    app: App,
    scope: Scope,
    intent: str,
    *,
    tell: Tell,
    tokens: int | None,
    notes: int | None = None,
    prefer: str = "",
    door: Door = "command",
) -> RecallAnswer:
    """Return what is told of a project or skill, and count its notes as shown.

    ``tokens`` and ``notes`` change the budget once; ``tell`` receives remarks about the model.
    """
    if scope.skill:
        skill = require_skill(app, scope.skill, prefer=prefer, project=scope.project)
        return brief_named_skill(
            app, skill, intent, tell=tell, tokens=tokens, notes=notes, door=door
        )
    budget = _change_budget(app, brief_budget_of(app.config), tokens, notes)
    question = read_question(intent, embed_query(app, intent, tell=tell))
    recalled = recall_notes(
        app.store,
        scope,
        intent,
        budget=budget,
        key=app.rule_key,
        weights=rank_weights_of(app.config),
        meaning=question.meaning,
        is_welcome=app.is_welcome,
    )
    return _answer_question(app, scope, question, recalled, budget=budget, door=door)


def brief_named_skill(
    app: App,
    skill: SkillInProject,
    intent: str,
    *,
    tell: Tell,
    tokens: int | None,
    notes: int | None = None,
    door: Door = "command",
) -> RecallAnswer:
    """Return the brief of a skill load, and count its notes as shown."""
    budget = _change_budget(app, plan_budget(app.config, skill.settings), tokens, notes)
    question = read_question(intent, embed_query(app, intent, tell=tell))
    recalled = brief_skill(app, skill, intent, budget=budget, meaning=question.meaning)
    return _answer_question(app, skill.scope, question, recalled, budget=budget, door=door)


def _answer_question(
    app: App,
    scope: Scope,
    question: AskedQuestion,
    recalled: RecallResult,
    *,
    budget: BriefBudget,
    door: Door,
) -> RecallAnswer:
    """Complete what a hook would tell, say why nothing fits, and count the notes as shown."""
    found = list(recalled.found)
    if question.terms and not scope.skill:
        found = _search_with_work(app, scope, question)
    answer = _complete_answer(app, scope, question, recalled, found, budget=budget)
    if question.is_telling and (answer.fit != "good" or _may_be_guess(question, answer)):
        everything = filter_visible_notes(app.store, scope).but(kinds=(), statuses=())
        meant = find_meant_words(app.store, question.text, everything)
        question = question.add_meant(meant) if meant else question
        if meant and not scope.skill:  # of a skill the brief stays what a load of it tells
            found = _search_with_work(app, scope, question)
            answer = _complete_answer(app, scope, question, recalled, found, budget=budget)
    _count_as_shown(app, answer.brief)
    return answer.but(said=explain_answer(app, scope, question, answer, found, door=door))


def _may_be_guess(question: AskedQuestion, answer: RecallAnswer) -> bool:
    """True if the search itself may have taken the only word for another one."""
    return len(question.terms) == 1 and all(one.fit.covered < _WHOLE for one in answer.ranked)


def _complete_answer(
    app: App,
    scope: Scope,
    question: AskedQuestion,
    recalled: RecallResult,
    found: list[RankedNote],
    *,
    budget: BriefBudget,
) -> RecallAnswer:
    near = filter_tellable(app.store, found, now=app.store.now(), key=app.rule_key)
    near = [one for one in near if app.is_welcome(one.note)]
    return complete_recall(recalled, near, question, skill=scope.skill, budget=budget)


def _search_with_work(app: App, scope: Scope, question: AskedQuestion) -> list[RankedNote]:
    """Return the active notes that a question finds, with tasks and pages."""
    which = filter_visible_notes(app.store, scope).but(kinds=(*ADVICE, *WORK))
    return search_notes(
        app.store, question.text, which, limit=_LOOKED_AT, meaning=question.meaning
    )


def _count_as_shown(app: App, brief: Brief) -> None:
    try:
        if brief.notes:
            app.store.increment_counter("recalls", [note.id for note in brief.notes])
    except StoreError:
        pass  # a count must never keep anyone from reading


def _change_budget(
    app: App, usual: BriefBudget, tokens: int | None, notes: int | None
) -> BriefBudget:
    """Return a budget with given tokens and notes, at least one; more tokens allow more notes."""
    most = usual.notes
    if tokens and tokens > usual.tokens:
        most = app.config.integer("brief.skill_notes_max")
    return usual.but(tokens=tokens or usual.tokens, notes=max(1, notes or most))


def _is_known(app: App, name: str) -> bool:
    """True if a skill without a file has notes or checkpoints, or was used."""
    kept = app.store.count_notes(NoteFilter(skill=name, statuses=()))
    used = any(used.skill == name for used in app.store.count_skill_usage())
    return bool(kept) or used or count_checkpoints(app, name) > 0
