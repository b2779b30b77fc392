"""Everything that can go wrong on purpose.

TwiceshyError            the user can act on it; shown as one line and a hint
├── ConfigError          a setting is missing or wrong
├── UnsafeNameError      a skill, project or file name that must not become a path or a key
├── NoteError            a note that cannot be kept as it is: empty, too long, of no known kind
├── NotFoundError        nothing goes by that id, or more than one thing does
├── BundleError          a file that is not a bundle of ours, or a damaged one
├── SyncError            what is shared over git cannot be sent or taken in
├── ViewError            a file that people may edit and that cannot be read or written as it is
├── EmbedderError        the embedder gave no vectors; recall goes on by words
└── StoreError           the store refused
    ├── BusyError        another process kept it locked for too long
    ├── NewerStoreError  it was written by a newer twiceshy; it can be read, not changed
    └── DamagedStoreError  the file is not a sound database
"""


class TwiceshyError(Exception):
    """Something the user can act on; anything else that escapes is a bug."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class ConfigError(TwiceshyError):
    """A setting is missing or wrong."""


class UnsafeNameError(TwiceshyError):
    """A name that must not become a path or a key."""


class NoteError(TwiceshyError):
    """A note that cannot be kept as it is."""


class NotFoundError(TwiceshyError):
    """Nothing goes by that id, or more than one thing does."""


class BundleError(TwiceshyError):
    """A file that is not a bundle of ours, or a damaged one."""


class StoreError(TwiceshyError):
    """The store refused."""


class BusyError(StoreError):
    """Another process kept the store locked for too long."""


class NewerStoreError(StoreError):
    """The store was written by a newer twiceshy; it can be read, not changed."""


class DamagedStoreError(StoreError):
    """The file is not a sound database."""


class EmbedderError(TwiceshyError):
    """The embedder gave no vectors; recall goes on by words."""
