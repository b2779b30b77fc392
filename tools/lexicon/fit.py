"""Fit word vectors so that what a text is called lies near what it says, and far from its neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
import torch.nn.functional as nn

if TYPE_CHECKING:
    from tools.lexicon.vocabulary import Bags, Texts

# Pairs that stand side by side are about the same thing: the hardest to tell apart.
BLOCK = 32
BATCH = 1_024
RATE = 3e-3
TEMPERATURE = 0.05
DROPPED = 0.2  # of a text's words, at random, so that no word relies on another


class Fit:
    """Word vectors under training."""

    def __init__(self, texts: Texts, begin: np.ndarray, *, seed: int = 7) -> None:
        torch.manual_seed(seed)
        self._texts = texts
        self._random = np.random.default_rng(seed)
        self._vectors = torch.nn.Parameter(torch.from_numpy(begin.astype(np.float32)))
        self._taught: list[tuple[Bags, np.ndarray, torch.Tensor]] = []

    def teach(self, bags: Bags, which: np.ndarray, vectors: np.ndarray) -> None:
        """Let the vectors of these texts also come near what the teacher says of them."""
        self._taught.append((bags, which, torch.from_numpy(vectors)))

    def run(self, steps: int, *, paired: float = 1.0, taught: float = 3.0) -> np.ndarray:
        """Return the vectors after some steps; the weights tell how much pairs and teacher count."""
        descent = torch.optim.Adam([self._vectors], lr=RATE, fused=True)
        for step in range(steps):
            descent.param_groups[0]["lr"] = RATE * min(1, (step + 1) / 20) * (1 - step / steps)
            loss = taught * self._as_taught(BATCH // 2)
            if paired:
                loss = loss + paired * self._told_apart(self._neighbours())
            descent.zero_grad()
            loss.backward()
            descent.step()
        return self._vectors.detach().numpy().copy()

    def _neighbours(self) -> np.ndarray:
        begins = self._random.integers(0, len(self._texts.shorts) - BLOCK, BATCH // BLOCK)
        return np.unique(begins[:, None] + np.arange(BLOCK))

    def _told_apart(self, which: np.ndarray) -> torch.Tensor:
        asked = self._pooled(self._texts.short_bags, which, DROPPED)
        said = self._pooled(self._texts.long_bags, which, DROPPED)
        alike = asked @ said.T / TEMPERATURE
        right = torch.arange(len(which))
        return (nn.cross_entropy(alike, right) + nn.cross_entropy(alike.T, right)) / 2

    def _as_taught(self, batch: int) -> torch.Tensor:
        loss = torch.zeros(())
        for bags, which, vectors in self._taught:
            some = self._random.integers(0, len(which), batch)
            ours = self._pooled(bags, which[some], 0.0)
            loss = loss + (1 - (ours * vectors[some]).sum(1)).mean()
        return loss

    def _pooled(self, bags: Bags, which: np.ndarray, dropped: float) -> torch.Tensor:
        numbers, weights, begins = bags.take(which)
        kept = self._random.random(len(weights)) >= dropped
        summed = nn.embedding_bag(
            torch.from_numpy(numbers),
            self._vectors,
            torch.from_numpy(begins),
            mode="sum",
            per_sample_weights=torch.from_numpy((weights * kept).astype(np.float32)),
        )
        return nn.normalize(summed, dim=1)


def scarcity(texts: Texts) -> np.ndarray:
    """Return for each term a weight that falls with the share of texts that hold it."""
    share = np.array([texts.holding[term] for term in texts.vocabulary], np.float32) / texts.total
    return 1e-3 / (1e-3 + share)
