"""Counts of what one test of attacks tried."""

from dataclasses import dataclass, field

import pytest

ATTACK, BENIGN = "attack", "benign"


@dataclass
class Tally:
    """What one test tried; ``succeeded`` and ``held`` name the cases that a reader should see."""

    node: pytest.Item
    succeeded: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    def count_attack(self, family: str, case: str, *, succeeded: bool) -> None:
        """Count an attack; it succeeded if the attacker has what he wanted."""
        self.node.user_properties.append((ATTACK, [family, succeeded]))
        if succeeded:
            self.succeeded.append(case)

    def count_benign(self, family: str, case: str, *, held: bool) -> None:
        """Count a harmless case in the same place; it is held if it did not get through."""
        self.node.user_properties.append((BENIGN, [family, held]))
        if held:
            self.held.append(case)

    def expect_control(self, case: str, *, arrived: bool) -> None:
        """Note a positive control: the way is open, so what does not arrive was repelled."""
        if not arrived:
            self.lost.append(case)
