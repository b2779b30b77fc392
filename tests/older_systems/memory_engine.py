"""Features of memory-engine 1.6: ids E01 and up."""

from tests.older_systems.feature import OlderFeature

MEMORY_ENGINE: dict[str, OlderFeature] = {}
