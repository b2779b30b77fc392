"""The errors raised on purpose, as a tree.

TwiceshyError            the user can act on it; shown as one line and a hint
├── ConfigError          a setting is missing or wrong
│   └── SwitchedOffError what was asked for is switched off
├── UnsafeNameError      a skill, project or file name that must not become a path or a key
├── NoteError            an invalid note: empty, too long, of unknown kind
├── NotFoundError        no object has that id, or several have
├── BundleError          a file that is not a twiceshy bundle, or a damaged one
├── SyncError            changes cannot be sent or received over git
├── ViewError            a view file cannot be read or written as it is
├── EmbedderError        the embedder gave no vectors; recall continues by words
└── StoreError           the store refused
    ├── BusyError        another process kept the store locked for too long
    │   └── OlderStoreError  the store waits to be converted; only hooks meet this
    ├── DiskFullError    there is no room left; reading works, writing does not
    ├── NewerStoreError  written by a newer twiceshy; can be read, not changed
    ├── ForeignStoreError  a file or database of another program; it is not touched
    └── DamagedStoreError  the file is not a sound database
"""


class TwiceshyError(Exception):
    """An error the user can act on; any other exception is a bug."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class ConfigError(TwiceshyError):
    """A setting is missing or wrong."""


class SwitchedOffError(ConfigError):
    """A setting or a SKILL.md switches off what was asked for."""


class UnsafeNameError(TwiceshyError):
    """A name unfit for a path or a key."""


class NoteError(TwiceshyError):
    """A note with an unusable field: empty, too long, of unknown kind."""


class NotFoundError(TwiceshyError):
    """No object has the given id, or several have."""


class BundleError(TwiceshyError):
    """A file is no bundle of ours, or a damaged bundle."""


class StoreError(TwiceshyError):
    """The store refused."""


class BusyError(StoreError):
    """A different process kept the store locked for too long."""


class DiskFullError(StoreError):
    """There is no room left on the disk; reading works, writing does not."""


class NewerStoreError(StoreError):
    """A newer twiceshy wrote the store; reading works, writing does not."""


class OlderStoreError(BusyError):
    """The store is of an older twiceshy; a command or the background job converts it."""


class ForeignStoreError(StoreError):
    """The file belongs to another program; nothing in it is changed."""


class DamagedStoreError(StoreError):
    """The file is not a sound database."""


class EmbedderError(TwiceshyError):
    """The embedder gave no vectors; recall continues by words."""
