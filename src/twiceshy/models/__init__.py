"""Optional models for embedding and distilling; loaded only if chosen, never by a hook.

Texts are redacted before; the model may run on somebody else's computer.
"""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.config.resolved import Config
    from twiceshy.models.completer import Completer
    from twiceshy.models.embedder import Embedder


def build_embedder(config: Config, environ: Mapping[str, str]) -> Embedder | None:
    """Return the chosen embedder, loaded; None if none."""
    if not config.flag("embed.on"):
        return None
    match backend := config.text("embed.backend"):
        case "onnx":
            from twiceshy.models import onnx  # noqa: PLC0415 - only the chosen one is loaded

            return onnx.load_embedder(config.text("embed.model"), home_dir=environ.get("HOME", ""))
        case "openai" | "ollama":
            from twiceshy.models import remote  # noqa: PLC0415 - only the chosen one is loaded

            return remote.build_embedder(backend, config, environ)
        case _:
            return None


def build_completer(config: Config, environ: Mapping[str, str]) -> Completer | None:
    """Return the chosen distilling model; None if none."""
    match config.text("distiller.backend"):
        case "claude-cli":
            from twiceshy.models import claude_cli  # noqa: PLC0415 - only the chosen one is loaded

            return claude_cli.ClaudeCli(config.text("distiller.model"), environ)
        case "openai":
            from twiceshy.models import openai_chat  # noqa: PLC0415 - only the chosen one is loaded

            return openai_chat.build_completer(config, environ)
        case "null":
            from twiceshy.models import completer  # noqa: PLC0415 - only the chosen one is loaded

            return completer.NoCompleter()
        case _:
            return None
