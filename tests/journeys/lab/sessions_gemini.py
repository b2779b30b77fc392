"""Make Gemini CLI send every kind of event once, and write the chats that go with them."""

from tests.journeys.lab.gemini import Gemini
from tests.journeys.lab.script import calls
from tests.journeys.lab.sessions import STUB, Named, Scene, one, play, transcripts

EVENTS = """
    SessionStart SessionEnd BeforeAgent AfterAgent BeforeTool AfterTool PreCompress Notification
""".split()
AGAIN = ("--resume", "latest")


def tools(gemini: Gemini) -> Named:
    """Use tools that work and tools that fail; what the client does not know tells nobody."""
    gemini.serve("scales", STUB)
    boxes = str(gemini.lab.home / "shop" / "boxes.txt")
    edit = {"file_path": boxes, "new_string": "gold", "instruction": "Paint it."}
    played = play(
        gemini,
        gemini.record(EVENTS, {"SessionStart": "Two boxes are taped."}),
        "pack the boxes",
        calls("activate_skill", name="pack"),
        calls("run_shell_command", command="echo three boxes; echo one is open >&2"),
        calls("run_shell_command", command="echo packing; echo no tape >&2; exit 3"),
        calls("read_file", file_path=boxes),
        calls("read_file", file_path=".gemini/skills/pack/SKILL.md"),
        calls("read_file", file_path="crate.txt"),
        calls("replace", **edit, old_string="green"),
        calls("replace", **edit, old_string="pink"),
        calls("mcp_scales_weigh", box="red"),
        calls("mcp_scales_count", box="red"),
        calls("activate_skill", name="unpack"),
        calls("lift", box="red"),
    )
    yield "session_start_startup", one(played, "SessionStart")
    yield "before_agent", one(played, "BeforeAgent")
    yield "pre_compress_that_compresses_nothing", one(played, "PreCompress")
    yield "before_tool_skill", one(played, "BeforeTool", "activate_skill")
    yield "before_tool_shell", one(played, "BeforeTool", "three boxes;")
    yield "before_tool_replace", one(played, "BeforeTool", "green")
    yield "before_tool_mcp", one(played, "BeforeTool", "weigh")
    yield "after_tool_skill", one(played, "AfterTool", "activate_skill")
    yield "after_tool_shell", one(played, "AfterTool", "three boxes;")
    yield "after_tool_shell_failed", one(played, "AfterTool", "packing")
    yield "after_tool_read", one(played, "AfterTool", "boxes.txt")
    yield "after_tool_read_a_skill", one(played, "AfterTool", "SKILL.md")
    yield "after_tool_read_failed", one(played, "AfterTool", "crate.txt")
    yield "after_tool_replace", one(played, "AfterTool", "green")
    yield "after_tool_replace_failed", one(played, "AfterTool", "pink")
    yield "after_tool_mcp", one(played, "AfterTool", "count")
    yield "after_tool_mcp_failed", one(played, "AfterTool", "weigh")
    yield "after_agent", one(played, "AfterAgent")
    yield "session_end", one(played, "SessionEnd")
    yield from chats(gemini)


def sessions(gemini: Gemini) -> Named:
    """Resume a session, and sum it up."""
    log = gemini.record(EVENTS)
    play(gemini, log, "count the boxes", calls("run_shell_command", command="echo three boxes"))
    resumed = play(gemini, log, "and now the big one", options=AGAIN)
    compressed = play(gemini, log, "/compress", options=AGAIN)
    yield "session_start_resume", one(resumed, "SessionStart")
    yield "pre_compress", one(compressed, "PreCompress", trigger="manual")
    yield "before_agent_of_a_command", one(compressed, "BeforeAgent")
    yield from chats(gemini)


def chats(gemini: Gemini) -> Named:
    """Yield what the client wrote of its sessions."""
    return transcripts(gemini, gemini.lab.home / ".gemini" / "tmp")


SCENES: list[Scene[Gemini]] = [tools, sessions]
