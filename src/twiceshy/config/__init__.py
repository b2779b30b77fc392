"""Settings: defaults, then the user's file, the project's and the environment, merged and frozen."""
