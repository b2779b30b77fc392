"""Features of magic-context's skill memory: ids M01 and up."""

from tests.older_systems.feature import OlderFeature

MAGIC_CONTEXT: dict[str, OlderFeature] = {}
