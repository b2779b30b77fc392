"""Context windows of models, by the names of the models."""

from __future__ import annotations

USUAL_WINDOW = 200_000
# The first that a model's name holds tells its window.
_WINDOWS = (
    ("[1m]", 1_000_000),
    ("-1m", 1_000_000),
    ("gemini", 1_048_576),
    ("gpt-4.1", 1_047_576),
    ("gpt-5", 272_000),
    ("gpt-4o", 128_000),
    ("deepseek", 128_000),
)


def context_window_of(model: str) -> int:
    """Return the context window of a model in tokens, by its name."""
    folded = model.casefold()
    return next((window for part, window in _WINDOWS if part in folded), USUAL_WINDOW)
