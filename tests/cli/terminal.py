"""A terminal on which a command is run and its questions are answered."""

from tests.person import PersonTerminal

from twiceshy.cli import run_command_line


def answered(words: list[str], answers: str) -> tuple[int, str]:
    """Run a command on a terminal of its own and type the answers, after the code if one is asked for."""
    terminal = PersonTerminal(
        lambda: run_command_line(words), types=lambda code: f"{code}\n{answers}"
    )
    terminal.type(answers)
    return terminal.end(), terminal.shown
