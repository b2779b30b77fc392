"""The row type of the tables of older systems."""

from dataclasses import dataclass


@dataclass(frozen=True)
class OlderFeature:
    """A feature of an older system: what it promised, and why we decided otherwise if we did."""

    feature: str  # as the older system's own document names the feature
    promise: str  # one sentence: what its user may expect from twiceshy; quotes the document where it can
    otherwise: str = ""  # why twiceshy does something else, and what the user does instead
