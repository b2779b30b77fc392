"""Features of fireworks-skill-memory: ids F01 and up."""

from tests.older_systems.feature import OlderFeature

FIREWORKS: dict[str, OlderFeature] = {}
