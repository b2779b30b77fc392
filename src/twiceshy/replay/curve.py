"""Net tokens by tokens told for every policy, as a table or a picture."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator

from twiceshy.core.prices import Prices
from twiceshy.core.value import Value
from twiceshy.files.replace import replace_file
from twiceshy.replay.histories import FoundHistories
from twiceshy.replay.play import OURS, replay_projects
from twiceshy.replay.policies import ByCall, ByPrompt, InjectAll, Policy, Strongest
from twiceshy.replay.score import ReplayScore

# policy → how many lines it may show at once
_LINES: dict[type[Policy], tuple[int, ...]] = {
    InjectAll: (5, 20, 50, 100),
    Strongest: (1, 5, 10, 20, 40),
    ByPrompt: (1, 3, 8, 20),
    ByCall: (1, 2, 3, 5),
}
_TITLES = {
    InjectAll: "inject-all",
    Strongest: "recency × hits",
    ByPrompt: "BM25 on prompt",
    ByCall: "BM25 on call",
}
# tokens at the start of a session; what is said later is never cut
_ROOM = (0, 100, 200, 400, 600)
RUNS = len(_ROOM)
_CHART = 40  # characters of the longest bar
_WIDTH, _HEIGHT, _EDGE = 640, 400, 56
_COLOURS = ("#c2410c", "#475569", "#0f766e", "#7c3aed", "#1d4ed8")


class CurvePoint(Value):
    """Gain and cost of a policy at a budget, a session."""

    policy: str
    room: int
    tokens: float
    net: float
    saved: float


def measure_curve(
    found: FoundHistories, folder: str, prices: Prices, progress: Callable[[], object]
) -> list[CurvePoint]:
    """Replay everything for each brief budget; other policies are measured along."""
    points: list[CurvePoint] = []
    named = {policy.name: (_TITLES[base], most) for base, most, policy in _budget_variants()}
    for room in _ROOM:
        with tempfile.TemporaryDirectory(dir=folder) as own:
            replayed = replay_projects(
                found,
                own,
                baselines=[policy for *_, policy in _budget_variants()]
                if room == _ROOM[0]
                else (),
                settings={"TWICESHY_BRIEF_SESSION_TOKENS": str(room)},
                progress=progress,
            )
        for name, score in replayed.scores.items():
            points.append(_build_point(*named.get(name, (OURS, room)), score, prices))
    return sorted(points, key=lambda point: (point.policy != OURS, point.policy, point.tokens))


def write_curve(points: Iterable[CurvePoint], path: str) -> None:
    """Write a picture or a table, by file name; never half-written."""
    lines = _drawing_lines(list(points)) if path.endswith(".svg") else _table_lines(points)
    replace_file(path, (f"{line}\n".encode() for line in lines), mode=None)


def render_chart(points: Iterable[CurvePoint]) -> Iterator[str]:
    """Yield the curve as text: a bar for each point, as long as the net tokens that it gains."""
    shown = list(points)
    longest = max((abs(point.net) for point in shown), default=0.0) or 1.0
    policy = ""
    for point in shown:
        if point.policy != policy:
            policy = point.policy
            yield f"{policy} (tokens told in a session → net tokens a session)"
        bar = ("█" if point.net > 0 else "░") * round(_CHART * abs(point.net) / longest)
        yield f"  {point.tokens:>7,.0f} → {point.net:>+9,.0f}  {bar}"


def _budget_variants() -> Iterator[tuple[type[Policy], int, type[Policy]]]:
    for base, sizes in _LINES.items():
        for most in sizes:
            own = {"name": f"{base.name}/{most}", "most": most}
            yield base, most, type(base.__name__, (base,), own)


def _build_point(policy: str, room: int, score: ReplayScore, prices: Prices) -> CurvePoint:
    figures = score.to_figures(prices)
    tokens, net, saved = (
        figures[name] or 0.0 for name in ("tokens_per_session", "net_tokens", "saved_share")
    )
    return CurvePoint(policy, room, tokens, net, saved)


def _table_lines(points: Iterable[CurvePoint]) -> Iterator[str]:
    yield "policy,room,tokens_per_session,net_tokens,saved_share"
    for point in points:
        yield f"{point.policy},{point.room},{point.tokens:.1f},{point.net:.1f},{point.saved:.4f}"


class _Scale(Value):
    """The ranges of a drawing: tokens from 0 to ``most``, net tokens from ``low`` to ``high``."""

    most: float
    low: float
    high: float

    def place_point(self, tokens: float, net: float) -> tuple[float, float]:
        """Return the position of a point in the drawing."""
        bottom, right = _HEIGHT - _EDGE, _WIDTH - 16
        up = (net - self.low) / (self.high - self.low)
        return _EDGE + tokens / self.most * (right - _EDGE), bottom - up * (bottom - 16)


def _drawing_lines(points: list[CurvePoint]) -> Iterator[str]:
    """Yield a drawing: a line per policy, tokens to the right, net tokens upwards."""
    nets = [0.0, *(point.net for point in points)]
    most = max((point.tokens for point in points), default=0.0) or 1.0
    scale = _Scale(most, min(nets), max(*nets, min(nets) + 1.0))
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">'
    )
    yield f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>'
    yield from _axis_lines(scale)
    policies = list(dict.fromkeys(point.policy for point in points))
    for number, policy in enumerate(policies):
        own = [
            scale.place_point(point.tokens, point.net)
            for point in points
            if point.policy == policy
        ]
        colour = _COLOURS[number % len(_COLOURS)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in own)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
        for x, y in own:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
        below = _HEIGHT - _EDGE - 16 * (len(policies) - number)
        yield f'<text x="{_WIDTH - 170}" y="{below}" fill="{colour}">{policy}</text>'
    yield "</svg>"


def _axis_lines(scale: _Scale) -> Iterator[str]:
    bottom, right = _HEIGHT - _EDGE, _WIDTH - 16
    for fifth in range(6):
        net = scale.low + fifth / 5 * (scale.high - scale.low)
        y = scale.place_point(0.0, net)[1]
        yield f'<line x1="{_EDGE}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="#e2e8f0"/>'
        yield f'<text x="{_EDGE - 8}" y="{y + 4:.1f}" text-anchor="end">{net:,.0f}</text>'
    for quarter in range(5):
        x = _EDGE + quarter / 4 * (right - _EDGE)
        label = f"{scale.most * quarter / 4:,.0f}"
        yield f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{label}</text>'
    yield (
        f'<text x="{(_EDGE + right) / 2:.0f}" y="{_HEIGHT - 14}" text-anchor="middle">'
        "tokens told in a session</text>"
    )
    yield f'<text x="{_EDGE}" y="12">net tokens a session</text>'
