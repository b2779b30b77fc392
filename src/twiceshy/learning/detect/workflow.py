"""Detect routines: steps taken before a goal in the same order by enough sessions.

A step is a program and its subcommand that worked, never an argument. Steps that go with
every goal, such as ``git add``, tell nothing and are left out.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from twiceshy.core.value import Value
from twiceshy.shell.call_head import is_head, list_heads
from twiceshy.shell.tool_call import ToolCall

ENOUGH_SESSIONS = 5
ENOUGH_PERCENT = 40
_FEWEST_STEPS, _MOST_STEPS, _LONGEST_ROUTINE = 2, 24, 6
_MOST_WORKFLOWS = 200  # the newest: what was usual a year ago is not
_MOST_KINDS = 16
_MOST_TRIED = 2_000  # where more orders than these are common, none of them is a routine
_BETWEEN, _GOAL = " > ", " => "

_GOALS = frozenset(
    "git commit|git push|jj commit|gh pr create|gh pr merge|gh release create|glab mr create|docker push"
    "|npm publish|pnpm publish|yarn publish|cargo publish|uv publish|poetry publish|twine upload|pulumi up"
    "|terraform apply|tofu apply|kubectl apply|helm upgrade|helm install|vercel".split("|")
)
_DEPLOYS = ("deploy", "release", "publish")
# They go with every goal, only show where one stands, or run something of which nothing is known.
_GENERIC = frozenset(
    "git|git add|git status|git diff|git log|git show|git branch|git checkout|git switch|git restore"
    "|git fetch|git stash|git stash list|git stash pop|git rev-parse|git remote|git config|git ls-files"
    "|git reset|gh api|gh auth status|gh issue view|gh pr checks|gh pr diff|gh pr list|gh pr view"
    "|gh repo view|gh run list|gh run view|chmod|chown|cp|curl|diff|ln|mv|node|open|python|python3|rm"
    "|wget".split("|")
)


class Workflow(Value):
    """The steps of a session towards a goal, ordered by their last occurrence."""

    goal: str
    steps: tuple[str, ...]
    session: str = ""

    def to_line(self) -> str:
        """Return goal and steps as a line; only command heads, so safe to keep."""
        return _BETWEEN.join(self.steps) + _GOAL + self.goal


class Routine(Value):
    """Steps taken in order before a goal by ``support`` of ``sessions``."""

    goal: str
    steps: tuple[str, ...]
    support: int
    sessions: int


def advance_workflow(
    taken: Sequence[str], act: ToolCall, *, session: str = ""
) -> tuple[tuple[str, ...], Workflow | None]:
    """Return the steps towards the next goal after a call, and the workflow ended by the call.

    ``taken`` are the steps up to then: nothing else has to be remembered between two calls.
    """
    done = _list_done_heads(act)
    goals = [at for at, head in enumerate(done) if is_goal(head)]
    if not goals:
        return _keep_last_of_each((*taken, *done)), None
    ended = Workflow(done[goals[0]], _keep_last_of_each((*taken, *done[: goals[0]])), session)
    return _keep_last_of_each(done[goals[-1] + 1 :]), ended


def parse_workflow(text: str, *, session: str = "") -> Workflow | None:
    """Parse a workflow line; None if malformed."""
    steps, arrow, goal = text.rpartition(_GOAL)
    taken = tuple(steps.split(_BETWEEN)) if steps else ()
    if not arrow or not all(map(is_head, (goal, *taken))):
        return None
    return Workflow(goal, taken[:_MOST_STEPS], session)


def find_routines(workflows: Sequence[Workflow]) -> list[Routine]:
    """Return the routine of every goal with a routine."""
    by_goal: dict[str, list[Workflow]] = {}
    for each in workflows:
        by_goal.setdefault(each.goal, []).append(each)
    found = (find_routine(by_goal[goal]) for goal in sorted(by_goal))
    return [routine for routine in found if routine]


def find_routine(workflows: Sequence[Workflow]) -> Routine | None:
    """Return the longest order of steps shared by enough sessions before their goal."""
    newest = [each for each in workflows if each.goal == workflows[-1].goal][-_MOST_WORKFLOWS:]
    sessions: dict[str, list[list[str]]] = {}
    for at, each in enumerate(newest):
        telling = [step for step in each.steps if step not in _GENERIC]
        sessions.setdefault(each.session or f"#{at}", []).append(telling)
    enough = max(ENOUGH_SESSIONS, -(-len(sessions) * ENOUGH_PERCENT // 100))
    found = [order for order in _list_orders(sessions, enough) if len(order[0]) >= _FEWEST_STEPS]
    if not found:
        return None
    steps, support = max(found, key=lambda order: (len(order[0]), order[1], order[0]))
    return Routine(newest[-1].goal, steps, support, len(sessions))


def render_routine(routine: Routine) -> str:
    """Render a routine as a sentence."""
    steps = " → ".join(f"`{step}`" for step in routine.steps)
    return (
        f"Before `{routine.goal}`, sessions here run: {steps}"
        f" ({routine.support} of {routine.sessions} sessions)."
    )


def is_goal(head: str) -> bool:
    """True if a call with this head ends a piece of work."""
    return (
        head in _GOALS or head.startswith(_DEPLOYS) or head.rpartition(" ")[2].startswith(_DEPLOYS)
    )


def _list_orders(
    sessions: Mapping[str, list[list[str]]], enough: int
) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield every order of steps taken by enough sessions, with the number of sessions."""
    taken = {step for paths in sessions.values() for path in paths for step in path}
    counted = ((step, _count_support(sessions, (step,))) for step in sorted(taken))
    usual = [(step, count) for step, count in counted if count >= enough]
    kinds = [step for step, _ in sorted(usual, key=lambda each: -each[1])[:_MOST_KINDS]]
    tried = 0
    growing: list[tuple[str, ...]] = [()]
    while growing and tried < _MOST_TRIED:
        order = growing.pop()
        for kind in kinds:
            longer = (*order, kind)
            tried += 1
            if kind not in order and (support := _count_support(sessions, longer)) >= enough:
                yield longer, support
                growing += [longer] * (len(longer) < _LONGEST_ROUTINE)


def _count_support(sessions: Mapping[str, list[list[str]]], order: Sequence[str]) -> int:
    """Count the sessions with these steps in order, whatever came between."""
    return sum(any(_is_within(order, path) for path in paths) for paths in sessions.values())


def _is_within(order: Sequence[str], path: Iterable[str]) -> bool:
    rest = iter(path)
    return all(step in rest for step in order)


def _list_done_heads(act: ToolCall) -> tuple[str, ...]:
    """Return the heads run by a successful command."""
    if act.mistake is not None or act.refusal or not act.command:
        return ()
    return list_heads(act.command)


def _keep_last_of_each(taken: Sequence[str]) -> tuple[str, ...]:
    """Return every step once, at its last occurrence.

    The way to the goal counts, not the beginning.
    """
    return tuple(dict.fromkeys(reversed(taken)))[:_MOST_STEPS][::-1]
