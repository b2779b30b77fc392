"""Settings: defaults, then the user's file, the project's and the environment, merged and frozen."""

from twiceshy.config.load import load
from twiceshy.config.resolved import Assigned, Config, Explained
from twiceshy.config.settings import SETTINGS, Setting

__all__ = ["SETTINGS", "Assigned", "Config", "Explained", "Setting", "load"]
