"""Features of memory-keeper 7: ids K01 and up."""

from tests.older_systems.feature import OlderFeature

MEMORY_KEEPER: dict[str, OlderFeature] = {}
