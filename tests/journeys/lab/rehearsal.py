"""Make Claude Code send every kind of event once and keep the payloads, so that tests use real ones.

    python -m tests.journeys.lab.rehearsal [RUNTIME…]     writes tests/payloads/RUNTIME/ anew

What differs from run to run or from machine to machine is made neutral.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.journeys.lab import sessions_codex, sessions_gemini, sessions_opencode, sessions_pi
from tests.journeys.lab.bench import Lab
from tests.journeys.lab.claude_code import ClaudeCode, a_market, reject
from tests.journeys.lab.codex import Codex
from tests.journeys.lab.gemini import Gemini
from tests.journeys.lab.neutral import neutral
from tests.journeys.lab.opencode import OpenCode
from tests.journeys.lab.pi import Pi
from tests.journeys.lab.script import Step, calls, says, together
from tests.journeys.lab.sessions import keep, rehearsed, write
from tests.journeys.lab.wire import Json

PAYLOADS = Path(__file__).resolve().parents[2] / "payloads" / "claude_code"
STUB = Path(__file__).with_name("stub_mcp.py")
SESSION = "00000000-0000-4000-8000-000000000001"
EVENTS = """
    SessionStart SessionEnd UserPromptSubmit UserPromptExpansion PreToolUse PostToolUse
    PostToolUseFailure PostToolBatch PermissionRequest Stop SubagentStart SubagentStop PreCompact
    PostCompact
""".split()
Played = list[Json]
Named = Iterator[tuple[str, Json]]
Scene = Callable[[ClaudeCode], Named]


def rehearse(claude: ClaudeCode, scene: Scene) -> dict[str, Json]:
    """Play a scene; return the payloads by the name of their file."""
    project = claude.lab.project("proj")
    (project / "boxes.txt").write_text("red\ngreen\nblue\n")
    claude.skill(project, "pack", body="Weigh the box first.")
    claude.trust(project)
    return {name: neutral(claude.lab, sent) for name, sent in scene(claude)}


def tools(claude: ClaudeCode) -> Named:
    """Use tools that work and tools that fail."""
    shop = claude.lab.home / "proj"
    played = play(
        claude,
        together(
            calls("Bash", command="echo three boxes; echo one is open >&2", description="Count"),
            calls("Read", file_path=str(shop / "boxes.txt"), offset=2, limit=1),
        ),
        calls("Bash", command="grep yellow boxes.txt", description="Look for yellow"),
        calls("Bash", command="cat crate.txt | head -1", description="Look into the crate"),
        calls("Bash", command="echo packing; echo no tape >&2; exit 3", description="Pack"),
        calls("Read", file_path=str(shop / "crate.txt")),
        calls("Edit", file_path=str(shop / "boxes.txt"), old_string="green", new_string="gold"),
        calls("Skill", skill="pack", args="three boxes"),
        calls("Read", file_path=str(shop / ".claude/skills/pack/SKILL.md")),
        calls("Bash", command="echo sealed", run_in_background=True, description="Seal"),
    )
    yield "user_prompt_submit", one(played, "UserPromptSubmit")
    yield "pre_tool_use_bash", one(played, "PreToolUse", text="three boxes;")
    yield "pre_tool_use_edit", one(played, "PreToolUse", tool="Edit")
    yield "pre_tool_use_skill", one(played, "PreToolUse", tool="Skill")
    yield "post_tool_use_bash", one(played, "PostToolUse", text="three boxes;")
    yield "post_tool_use_bash_without_a_match", one(played, "PostToolUse", text="yellow")
    yield "post_tool_use_bash_hidden_failure", one(played, "PostToolUse", text="head -1")
    yield "post_tool_use_bash_in_background", one(played, "PostToolUse", text="sealed")
    yield "post_tool_use_edit", one(played, "PostToolUse", tool="Edit")
    yield "post_tool_use_read_a_part", one(played, "PostToolUse", tool="Read", text="offset")
    yield "post_tool_use_read_a_skill", one(played, "PostToolUse", tool="Read", text="SKILL.md")
    yield "post_tool_use_skill", one(played, "PostToolUse", tool="Skill")
    yield "post_tool_use_failure_bash", one(played, "PostToolUseFailure", text="packing")
    yield "post_tool_use_failure_read", one(played, "PostToolUseFailure", tool="Read")
    yield "post_tool_batch", one(played, "PostToolBatch", text="three boxes;")
    yield "stop", one(played, "Stop")
    yield "session_start_startup", one(played, "SessionStart")
    yield "session_end", one(played, "SessionEnd")


def slow_tools(claude: ClaudeCode) -> Named:
    """Let a command take too long: it goes on in the background, or fails where there is none."""
    slow = calls("Bash", command="echo begun; sleep 2; true", timeout=1000, description="Dry")
    moved = play(claude, slow, says("It dries."))
    ended = play(claude, slow, CLAUDE_CODE_DISABLE_BACKGROUND_TASKS="1")
    yield "post_tool_use_bash_moved_to_background", one(moved, "PostToolUse")
    yield "user_prompt_submit_of_a_machine", one(moved, "UserPromptSubmit", text="<task-")
    yield "post_tool_use_failure_timeout", one(ended, "PostToolUseFailure")


def refusals(claude: ClaudeCode) -> Named:
    """Ask for what the client itself refuses: no tool runs, and only the batch tells."""
    boxes = str(claude.lab.home / "proj" / "boxes.txt")
    played = play(
        claude,
        calls("Edit", file_path=boxes, old_string="pink", new_string="rose"),
        calls("Skill", skill="unpack"),
        calls("WebFetch", url="http://127.0.0.1/boxes", prompt="How many?"),
    )
    yield "post_tool_batch_edit_refused", one(played, "PostToolBatch", text="pink")
    yield "post_tool_batch_unknown_skill", one(played, "PostToolBatch", text="unpack")
    yield "post_tool_batch_not_permitted", one(played, "PostToolBatch", text="How many?")
    yield "permission_request", one(played, "PermissionRequest", tool="WebFetch")


def scales(claude: ClaudeCode) -> Named:
    """Call a tool of an MCP server, which fails."""
    server = {"command": sys.executable, "args": ["-I", "-S", str(STUB)]}
    config = claude.lab.root / "mcp.json"
    claude.write(config, {"mcpServers": {"scales": server}})
    tool = "mcp__scales__weigh"
    played = play(
        claude,
        calls("ToolSearch", query=f"select:{tool}"),
        calls(tool, box="red"),
        options=("--mcp-config", str(config), "--allowedTools", tool),
    )
    yield "pre_tool_use_mcp", one(played, "PreToolUse", tool=tool)
    yield "post_tool_use_failure_mcp", one(played, "PostToolUseFailure", tool=tool)


def subagent(claude: ClaudeCode) -> Named:
    """Let a subagent load a skill and fail."""
    task = {"description": "Pack", "prompt": "Pack a box.", "subagent_type": "general-purpose"}
    played = play(
        claude,
        calls("Agent", **task, run_in_background=False),
        calls("Skill", skill="pack", args="one box"),
        calls("Bash", command="echo too heavy; exit 4", description="Lift"),
        says("The box is too heavy."),
    )
    yield "subagent_start", one(played, "SubagentStart")
    yield "subagent_stop", one(played, "SubagentStop")
    yield "post_tool_use_skill_in_a_subagent", one(played, "PostToolUse", tool="Skill")
    yield "post_tool_use_failure_in_a_subagent", one(played, "PostToolUseFailure", tool="Bash")


def sessions(claude: ClaudeCode) -> Named:
    """Begin a session with a slash, then resume, fork, compact and clear it."""
    again = ("--resume", SESSION)
    slash = play(claude, prompt='/pack two "small" boxes', options=("--session-id", SESSION))
    yield "user_prompt_submit_slash", one(slash, "UserPromptSubmit")
    yield "user_prompt_expansion", one(slash, "UserPromptExpansion")
    yield "session_start_resume", one(play(claude, options=again), "SessionStart")
    forked = play(claude, options=(*again, "--fork-session"))
    yield "session_start_fork", one(forked, "SessionStart")
    summary = says("Two small boxes are packed; the red one weighs three kilograms.")
    compact = "/compact keep the weights"
    compacted = play(claude, summary, summary, prompt=compact, options=again)
    yield "pre_compact", one(compacted, "PreCompact")
    yield "post_compact", one(compacted, "PostCompact")
    yield "session_start_compact", one(compacted, "SessionStart", source="compact")
    yield "subagent_stop_of_compaction", one(compacted, "SubagentStop")
    cleared = play(claude, prompt="/clear", options=again)
    yield "session_end_clear", one(cleared, "SessionEnd", reason="clear")
    yield "session_start_clear", one(cleared, "SessionStart", source="clear")


def kit(claude: ClaudeCode) -> Named:
    """Use the skill of a plugin, by its long name and by its short one."""
    claude.command("plugin", "marketplace", "add", str(a_market(claude)))
    claude.command("plugin", "install", "kit@stall")
    played = play(claude, calls("Skill", skill="kit:wrap"), calls("Skill", skill="wrap"))
    slash = play(claude, prompt="/wrap a box")
    yield "post_tool_use_skill_of_a_plugin", one(played, "PostToolUse", text="kit:wrap")
    yield "post_tool_use_skill_by_its_short_name", one(played, "PostToolUse", text='"wrap"')
    yield "user_prompt_expansion_of_a_plugin", one(slash, "UserPromptExpansion")


def person(claude: ClaudeCode) -> Named:
    """Sit at the terminal: reject a call, say why, leave."""
    log = fresh_log(claude)
    with claude.terminal(
        calls("Bash", command="rm -rf boxes", description="Throw the boxes away"),
        says("Then I keep them."),
        project=claude.lab.home / "proj",
    ) as terminal:
        terminal.wait_for("? for shortcuts")
        terminal.press("clear the room\r")
        reject(terminal, "Keep the boxes, sweep the floor.")
        terminal.wait_for("Then I keep them.")
        terminal.press("/exit\r")
        terminal.wait_until(lambda: "prompt_input_exit" in log.read_text(), "the end")
    played = read(log)
    yield "session_start_at_a_terminal", one(played, "SessionStart")
    yield "post_tool_batch_rejected", one(played, "PostToolBatch", text="rm -rf")
    yield "session_end_at_a_terminal", one(played, "SessionEnd")


def play(
    claude: ClaudeCode,
    *steps: Step,
    prompt: str = "pack the boxes",
    options: tuple[str, ...] = (),
    **env: str,
) -> Played:
    """Run one session and return what its hooks were told, in order."""
    log = fresh_log(claude)
    claude.ask(prompt, *steps, project=claude.lab.home / "proj", options=options, **env)
    return read(log)


def fresh_log(claude: ClaudeCode) -> Path:
    """Begin a new record of all events."""
    log = claude.record(EVENTS)
    log.write_text("")
    return log


def read(log: Path) -> Played:
    """Return what was recorded."""
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def one(played: Played, event: str, *, tool: str = "", text: str = "", **rest: str) -> Json:
    """Return the first payload of an event: of a tool, with a text in what was asked, with fields."""
    for sent in played:
        asked = [sent.get(key, "") for key in ("tool_input", "tool_calls", "prompt")]
        if (
            sent["hook_event_name"] == event
            and tool == sent.get("tool_name", "")[: len(tool)]
            and text in json.dumps(asked)
            and rest.items() <= sent.items()
        ):
            return sent
    raise LookupError(f"no {event} {tool} {text} {rest or ''} among {len(played)} payloads")


SCENES: list[Scene] = [tools, slow_tools, refusals, scales, subagent, sessions, kit, person]


def claude_code() -> None:
    """Rehearse every scene and write its payloads; what no scene plays any more goes."""
    PAYLOADS.mkdir(parents=True, exist_ok=True)
    for outdated in rehearsed(PAYLOADS.glob("*.json")):
        outdated.unlink()
    for scene in SCENES:
        with tempfile.TemporaryDirectory() as folder:
            lab = Lab(Path(folder) / "lab")
            for name, sent in rehearse(ClaudeCode(lab), scene).items():
                keep(PAYLOADS, name, sent)
            lab.close()


def pi() -> None:
    """Rehearse Pi under its new name and under its old one."""
    write("pi", Pi, sessions_pi.SCENES)
    write("pi/old", lambda lab: Pi(lab, "old"), sessions_pi.SCENES)


RUNTIMES: dict[str, Callable[[], None]] = {
    "claude_code": claude_code,
    "codex": lambda: write("codex", Codex, sessions_codex.SCENES),
    "gemini": lambda: write("gemini", Gemini, sessions_gemini.SCENES),
    "opencode": lambda: write("opencode", OpenCode, sessions_opencode.SCENES),
    "pi": pi,
}


if __name__ == "__main__":
    for runtime in sys.argv[1:] or RUNTIMES:
        RUNTIMES[runtime]()
