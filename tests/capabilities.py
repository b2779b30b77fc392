"""What twiceshy can do in which runtime, and the test that proves it: the table in docs/runtimes.md.

A cell says what carries the capability there and names its test, by file and function; ``tests/``
stands before every file. Where a runtime cannot, the cell says why and names none.
"""

from dataclasses import dataclass

from twiceshy.runtimes import RUNTIMES

MCP = "mcp"
COLUMNS = {
    "claude-code": "Claude Code",
    "codex": "Codex",
    "opencode": "OpenCode",
    "pi": "Pi",
    "gemini": "Gemini CLI",
    MCP: "any MCP client",
}


@dataclass(frozen=True)
class Cell:
    """What carries a capability in a runtime, and its proof; without one, why there is none."""

    how: str
    test: str = ""


_NOTE_READ = (
    "journeys/test_stops.py::test_a_note_about_a_pending_call_is_read_with_its_result_or_never"
)
_STOP_READ = "journeys/test_stops.py::test_an_agent_that_is_stopped_reads_why_before_anything_ran_and_does_it_right"
_STOP_PASSES = "journeys/test_stops.py::test_a_stopped_call_passes_when_it_is_repeated_unchanged"
_REWRITTEN = (
    "journeys/test_stops.py::test_a_call_runs_with_the_right_word_where_the_user_wants_that"
)

CAPABILITIES: dict[str, dict[str, Cell]] = {
    "brief at session start": {
        "claude-code": Cell(
            "SessionStart",
            "journeys/test_claude_recall.py::test_a_session_start_tells_the_rules_and_one_that_goes_on_repeats_nothing",
        ),
        "codex": Cell(
            "SessionStart",
            "journeys/test_codex.py::test_the_model_is_told_at_the_start_with_a_skill_and_over_mcp",
        ),
        "opencode": Cell(
            "first message",
            "journeys/test_opencode.py::test_a_session_is_briefed_at_its_start_and_where_its_skill_is_loaded",
        ),
        "pi": Cell(
            "before_agent_start",
            "journeys/test_pi.py::test_what_is_known_reaches_the_model_where_it_is_needed",
        ),
        "gemini": Cell(
            "SessionStart",
            "journeys/test_gemini.py::test_the_model_is_told_at_the_start_with_a_skill_and_after_a_mistake",
        ),
        MCP: Cell(
            "instructions", "mcp/test_offer.py::test_a_client_is_told_in_few_words_when_to_call"
        ),
    },
    "brief when a skill loads": {
        "claude-code": Cell(
            "in the tool result",
            "journeys/test_claude_recall.py::test_a_skill_brings_its_notes_inside_the_tool_result",
        ),
        "codex": Cell(
            "read of SKILL.md, `$skill`",
            "journeys/test_codex.py::test_a_mention_of_a_skill_brings_its_notes",
        ),
        "opencode": Cell(
            "in the tool result",
            "journeys/test_opencode.py::test_a_session_is_briefed_at_its_start_and_where_its_skill_is_loaded",
        ),
        "pi": Cell(
            "read of SKILL.md, `/skill:`",
            "journeys/test_pi.py::test_a_skill_that_the_user_calls_brings_its_notes_and_no_project_has_to_be_trusted_for_it",
        ),
        "gemini": Cell(
            "in the tool result",
            "journeys/test_gemini.py::test_the_model_is_told_at_the_start_with_a_skill_and_after_a_mistake",
        ),
        MCP: Cell(
            "skill_recall",
            "mcp/test_skill_tools.py::test_recalling_a_skill_gives_the_very_bytes_that_loading_it_would",
        ),
    },
    "intent of the skill": {
        "claude-code": Cell(
            "arguments, last prompt",
            "hooks/test_skill_recall.py::test_what_the_skill_is_asked_for_comes_first",
        ),
        "codex": Cell(
            "last prompt",
            "contracts/test_runtime.py::test_the_same_skill_and_store_give_the_same_bytes_in_every_runtime",
        ),
        "opencode": Cell(
            "`intent` of the call",
            "journeys/test_opencode.py::test_a_session_is_briefed_at_its_start_and_where_its_skill_is_loaded",
        ),
        "pi": Cell(
            "last prompt",
            "contracts/test_runtime.py::test_the_same_skill_and_store_give_the_same_bytes_in_every_runtime",
        ),
        "gemini": Cell(
            "last prompt",
            "contracts/test_runtime.py::test_the_same_skill_and_store_give_the_same_bytes_in_every_runtime",
        ),
        MCP: Cell(
            "argument",
            "mcp/test_skill_tools.py::test_recalling_a_skill_gives_the_very_bytes_that_loading_it_would",
        ),
    },
    "read before the call: a note about it": {
        "claude-code": Cell(
            "with the result",
            _NOTE_READ,
        ),
        "codex": Cell(
            "with the result",
            _NOTE_READ,
        ),
        "opencode": Cell(
            "with the result",
            _NOTE_READ,
        ),
        "pi": Cell(
            "with the result",
            _NOTE_READ,
        ),
        "gemini": Cell(
            "never; at the failure",
            _NOTE_READ,
        ),
        MCP: Cell("–"),
    },
    "read before the call: the reason of a stop": {
        "claude-code": Cell(
            "yes: PreToolUse denies, or asks",
            _STOP_READ,
        ),
        "codex": Cell(
            "yes: PreToolUse denies",
            _STOP_READ,
        ),
        "opencode": Cell(
            "yes: tool.execute.before throws",
            _STOP_READ,
        ),
        "pi": Cell(
            "yes: tool_call blocks, or asks",
            _STOP_READ,
        ),
        "gemini": Cell(
            "yes: BeforeTool denies",
            _STOP_READ,
        ),
        MCP: Cell("–"),
    },
    "a stopped call passes when repeated": {
        "claude-code": Cell(
            "yes",
            _STOP_PASSES,
        ),
        "codex": Cell(
            "yes",
            _STOP_PASSES,
        ),
        "opencode": Cell(
            "yes",
            _STOP_PASSES,
        ),
        "pi": Cell(
            "yes",
            _STOP_PASSES,
        ),
        "gemini": Cell(
            "yes",
            _STOP_PASSES,
        ),
        MCP: Cell("–"),
    },
    "one wrong word is rewritten (off by default)": {
        "claude-code": Cell(
            "updatedInput",
            _REWRITTEN,
        ),
        "codex": Cell("– (only together with an approval)"),
        "opencode": Cell(
            "tool.execute.before",
            _REWRITTEN,
        ),
        "pi": Cell(
            "tool_call",
            _REWRITTEN,
        ),
        "gemini": Cell("– (not told at this moment)"),
        MCP: Cell("–"),
    },
    "a rule asks or denies": {
        "claude-code": Cell(
            "PreToolUse",
            "journeys/test_claude_just_in_time.py::test_a_rule_that_the_user_approved_keeps_a_call_from_being_made",
        ),
        "codex": Cell(
            "PreToolUse (denies only)",
            "journeys/test_codex.py::test_a_rule_that_the_user_approved_keeps_a_call_from_being_made",
        ),
        "opencode": Cell(
            "tool.execute.before (denies only)",
            "journeys/test_opencode.py::test_a_rule_that_the_user_approved_keeps_a_call_from_being_made",
        ),
        "pi": Cell(
            "tool_call",
            "journeys/test_pi.py::test_a_rule_that_the_user_approved_keeps_a_call_from_being_made",
        ),
        "gemini": Cell(
            "BeforeTool (denies only)",
            "journeys/test_gemini.py::test_a_rule_that_the_user_approved_keeps_a_call_from_being_made",
        ),
        MCP: Cell("–"),
    },
    "errors kept, told at a failure": {
        "claude-code": Cell(
            "PostToolUseFailure",
            "journeys/test_claude_just_in_time.py::test_a_failure_that_was_met_before_says_so_inside_its_result",
        ),
        "codex": Cell(
            "PostToolUse, exit code from the rollout",
            "journeys/test_codex.py::test_what_was_learned_in_one_client_the_other_is_told",
        ),
        "opencode": Cell(
            "tool.execute.after, event",
            "journeys/test_opencode.py::test_what_one_client_got_wrong_the_other_is_told_when_it_does_it_again",
        ),
        "pi": Cell(
            "tool_result",
            "journeys/test_pi.py::test_what_went_wrong_in_one_client_is_told_in_the_other_when_it_goes_wrong_again",
        ),
        "gemini": Cell(
            "AfterTool",
            "journeys/test_gemini.py::test_the_model_is_told_at_the_start_with_a_skill_and_after_a_mistake",
        ),
        MCP: Cell("–"),
    },
    "lessons from and for the others": {
        "claude-code": Cell(
            "yes", "journeys/test_codex.py::test_what_was_learned_in_one_client_the_other_is_told"
        ),
        "codex": Cell(
            "yes", "journeys/test_codex.py::test_what_was_learned_in_one_client_the_other_is_told"
        ),
        "opencode": Cell(
            "yes",
            "journeys/test_opencode.py::test_what_one_client_got_wrong_the_other_is_told_when_it_does_it_again",
        ),
        "pi": Cell(
            "yes",
            "journeys/test_pi.py::test_what_went_wrong_in_one_client_is_told_in_the_other_when_it_goes_wrong_again",
        ),
        "gemini": Cell(
            "yes", "journeys/test_gemini.py::test_what_was_learned_in_one_client_the_other_is_told"
        ),
        MCP: Cell(
            "by recall and note",
            "mcp/test_note_tools.py::test_tools_and_commands_write_and_recall_the_same",
        ),
    },
    "learned from when it rests": {
        "claude-code": Cell(
            "Stop, SessionEnd",
            "journeys/test_claude_just_in_time.py::test_what_one_session_got_wrong_the_next_is_told_at_its_start_and_at_the_failure",
        ),
        "codex": Cell(
            "Stop, SessionEnd, notify",
            "journeys/test_codex.py::test_without_trust_it_learns_by_notify",
        ),
        "opencode": Cell(
            "session.idle, dispose",
            "journeys/test_opencode.py::test_what_one_client_got_wrong_the_other_is_told_when_it_does_it_again",
        ),
        "pi": Cell(
            "agent_end, session_shutdown",
            "journeys/test_pi.py::test_what_went_wrong_in_one_client_is_told_in_the_other_when_it_goes_wrong_again",
        ),
        "gemini": Cell(
            "AfterAgent, SessionEnd",
            "journeys/test_gemini.py::test_what_a_session_did_is_learned_although_nobody_waits_when_it_ends",
        ),
        MCP: Cell("–"),
    },
    "briefed again after a compaction": {
        "claude-code": Cell(
            "SessionStart",
            "journeys/test_claude_recall.py::test_after_a_compaction_the_notes_are_given_again",
        ),
        "codex": Cell(
            "SessionStart",
            "journeys/test_codex.py::test_after_a_compaction_the_model_is_told_again",
        ),
        "opencode": Cell(
            "session.compacted",
            "journeys/test_opencode.py::test_a_session_that_goes_on_repeats_nothing_until_it_loses_its_memory",
        ),
        "pi": Cell(
            "session_compact",
            "runtimes/pi/test_extension.py::test_a_prompt_waits_for_what_is_said_after_a_compaction_that_pi_does_not_wait_for",
        ),
        "gemini": Cell("– (its event means nothing)"),
        MCP: Cell("–"),
    },
    "its summariser is asked about skills": {
        "claude-code": Cell(
            "PreCompact",
            "journeys/test_summariser_asked.py::test_claude_code_asks_once_a_skill_was_used_and_a_second_session_makes_it_active",
        ),
        "codex": Cell("– (cannot be asked)"),
        "opencode": Cell(
            "session.compacting",
            "journeys/test_summariser_asked.py::test_opencode_asks_once_a_skill_was_used_and_a_second_session_makes_it_active",
        ),
        "pi": Cell(
            "session_before_compact",
            "journeys/test_summariser_asked.py::test_pi_asks_once_a_skill_was_used_and_a_second_session_makes_it_active",
        ),
        "gemini": Cell("– (cannot be asked)"),
        MCP: Cell("–"),
    },
    "tools for the model": {
        "claude-code": Cell(
            "MCP",
            "journeys/test_mcp.py::test_claude_code_calls_our_tools_and_its_hooks_reach_the_server_that_runs",
        ),
        "codex": Cell(
            "MCP",
            "journeys/test_mcp.py::test_codex_calls_our_tools_and_its_hooks_reach_the_server_that_runs",
        ),
        "opencode": Cell(
            "MCP",
            "journeys/test_opencode.py::test_a_session_is_briefed_at_its_start_and_where_its_skill_is_loaded",
        ),
        "pi": Cell(
            "of the extension",
            "journeys/test_pi.py::test_the_model_can_note_and_recall_with_tools_of_its_own",
        ),
        "gemini": Cell(
            "MCP",
            "journeys/test_gemini.py::test_the_model_is_told_at_the_start_with_a_skill_and_after_a_mistake",
        ),
        MCP: Cell(
            "MCP",
            "journeys/test_mcp.py::test_the_inspector_calls_tools_and_opens_what_they_have_kept",
        ),
    },
    "old sessions are learned from": {
        "claude-code": Cell(
            "JSON lines",
            "runtimes/claude_code/test_transcript_records.py::test_tools_skills_texts_and_results_are_told_each_result_with_its_call",
        ),
        "codex": Cell(
            "rollouts",
            "runtimes/codex/test_transcript_records.py::test_a_session_is_told_in_our_words",
        ),
        "opencode": Cell(
            "SQLite",
            "runtimes/opencode/test_transcript.py::test_a_second_pass_reads_only_what_is_new",
        ),
        "pi": Cell(
            "JSON lines",
            "runtimes/pi/test_transcript.py::test_a_recorded_session_is_told_in_our_words",
        ),
        "gemini": Cell(
            "chats",
            "runtimes/gemini/test_transcript.py::test_a_recorded_chat_tells_what_was_said_and_done",
        ),
        MCP: Cell("–"),
    },
    "a broken hook harms nothing": {
        "claude-code": Cell(
            "yes", "journeys/test_claude_harm.py::test_a_session_is_the_same_as_without_us"
        ),
        "codex": Cell(
            "yes",
            "journeys/test_codex_harm.py::test_a_session_is_the_same_as_without_us_whatever_is_wrong_with_the_hook",
        ),
        "opencode": Cell(
            "yes",
            "journeys/test_opencode_harm.py::test_a_session_is_the_same_as_without_us_whatever_is_wrong_with_the_hook",
        ),
        "pi": Cell(
            "yes",
            "journeys/test_pi_harm.py::test_a_session_is_the_same_as_without_us_whatever_is_wrong",
        ),
        "gemini": Cell(
            "yes",
            "journeys/test_gemini.py::test_whatever_is_wrong_with_us_a_session_is_as_without_us",
        ),
        MCP: Cell("a tool error", "mcp/test_server.py::test_a_bug_is_told_logged_and_survived"),
    },
    "uninstall leaves it as it was": {
        "claude-code": Cell(
            "byte for byte",
            "journeys/test_claude_install.py::test_after_an_uninstall_the_settings_are_as_before_byte_for_byte",
        ),
        "codex": Cell(
            "byte for byte", "journeys/test_codex.py::test_the_client_is_left_as_it_was"
        ),
        "opencode": Cell(
            "byte for byte",
            "journeys/test_opencode.py::test_an_uninstall_leaves_the_configuration_as_it_was",
        ),
        "pi": Cell(
            "byte for byte",
            "journeys/test_pi_harm.py::test_when_we_are_taken_out_nothing_of_us_is_left",
        ),
        "gemini": Cell(
            "byte for byte",
            "journeys/test_gemini.py::test_uninstalled_the_client_is_configured_as_before",
        ),
        MCP: Cell(
            "our lines only",
            "runtimes/generic/test_generic.py::test_files_named_before_are_kept_up_to_date_and_cleaned_together",
        ),
    },
}


def table() -> str:
    """Render the table for people: what carries each capability, and where it is proven."""
    lines = [
        f"| | {' | '.join(COLUMNS.values())} |",
        f"|---|{'---|' * len(COLUMNS)}",
        *(
            f"| {capability} | {' | '.join(_cell(cells[column]) for column in COLUMNS)} |"
            for capability, cells in CAPABILITIES.items()
        ),
    ]
    return "\n".join(lines)


def _cell(cell: Cell) -> str:
    if not cell.test:
        return cell.how
    file = cell.test.partition("::")[0]
    return f"[{cell.how}](../tests/{file})"


assert set(COLUMNS) == {*RUNTIMES, MCP}
