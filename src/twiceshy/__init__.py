"""Memory for coding agents: what one session learned, the next one knows."""

__version__ = "0.1.0"
