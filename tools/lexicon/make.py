"""Make the English words from harvested pairs: choose terms, ask the teacher, fit, write.

    python -m tools.lexicon.make PAIRS... --work FOLDER --out english.db

What each stage found lies in FOLDER, and is taken from there the next time.
"""

from __future__ import annotations

import argparse
import os
import pickle
import re
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import torch
from tools.lexicon.fit import Fit, scarcity
from tools.lexicon.teacher import Teacher, model_folder
from tools.lexicon.vocabulary import Texts
from tools.lexicon.write import write

if TYPE_CHECKING:
    from collections.abc import Callable

Made = TypeVar("Made")

TERMS, DIMS, STEPS = 25_000, 256, 400
# The mean of three fits: one alone gains or loses half a point by chance.
SEEDS = (7, 8, 9)
# Texts that the teacher reads: it takes ten times as long over what a text says as over its name.
SHORTS, LONGS, OPENING = 40_000, 15_000, 300
IDENTITY = "twiceshy-words-1"
SOURCE = "all-MiniLM-L6-v2 (Apache-2.0), fitted on public manuals, documentation and code"
RECIPE = "teacher's word vectors, principal axes, contrastive fit of names to what they name"


def main() -> None:
    """Run every stage, and say how large the file became."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("pairs", nargs="+")
    parser.add_argument("--work", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    texts = kept(given.work, "texts", lambda: Texts(given.pairs, everyday=everyday(), size=TERMS))
    words = kept(given.work, "words", lambda: word_vectors(texts))
    shorts = kept(given.work, "shorts", lambda: taught(texts.shorts, SHORTS))
    longs = kept(given.work, "longs", lambda: taught(texts.longs, LONGS))
    vectors = kept(given.work, "vectors", lambda: fitted(texts, words, shorts, longs))
    meta = {"identity": IDENTITY, "dims": str(DIMS), "source": SOURCE, "recipe": RECIPE}
    write(given.out, texts.vocabulary, vectors, meta)
    print(f"{given.out}: {len(texts.vocabulary):,} terms, {os.path.getsize(given.out):,} bytes")


def fitted(texts: Texts, words: np.ndarray, shorts: np.ndarray, longs: np.ndarray) -> np.ndarray:
    """Return the vectors of all terms; the others are what the teacher says of words and texts."""
    axes = principal(words)
    begin = words @ axes * np.sqrt(scarcity(texts))[:, None]
    runs = []
    for seed in SEEDS:
        fit = Fit(texts, begin, seed=seed)
        fit.teach(texts.short_bags, sample(len(texts.shorts), SHORTS), unit(shorts @ axes))
        fit.teach(texts.long_bags, sample(len(texts.longs), LONGS), unit(longs @ axes))
        runs.append(fit.run(STEPS))
    return np.asarray(np.mean(runs, axis=0), np.float32)


def kept(folder: str, name: str, make: Callable[[], Made]) -> Made:
    """Return what an earlier run left in the folder; make it, and leave it there, if there is none."""
    path = os.path.join(folder, f"{name}.pickle")
    if not os.path.exists(path):
        made = make()
        with open(path, "wb") as file:
            pickle.dump(made, file)
    with open(path, "rb") as file:
        found: Made = pickle.load(file)  # noqa: S301 - written by this program, in a folder of the caller
    return found


def everyday() -> list[str]:
    """Return the words of English that the teacher knows whole."""
    with open(os.path.join(model_folder(), "vocab.txt"), encoding="utf-8") as lines:
        return [word for word in map(str.strip, lines) if re.fullmatch("[a-z]{3,}", word)]


def word_vectors(texts: Texts) -> np.ndarray:
    """Return for each term the mean of the teacher's vectors of its words, by how often they occur."""
    surfaces = texts.surfaces(everyday())
    words = sorted({word for each in surfaces for word, _ in each})
    number = {word: at for at, word in enumerate(words)}
    vectors = Teacher().embed(words)
    return np.stack(
        [
            np.average(
                vectors[[number[word] for word, _ in each]], axis=0, weights=[n for _, n in each]
            )
            for each in surfaces
        ]
    )


def taught(texts: list[str], size: int) -> np.ndarray:
    """Return the teacher's vectors of some texts, of the first lines of long ones."""
    return Teacher().embed([texts[at][:OPENING] for at in sample(len(texts), size)])


def sample(texts: int, size: int) -> np.ndarray:
    """Choose texts at random, the same ones each time."""
    return np.random.default_rng(7).permutation(texts)[:size]


def principal(vectors: np.ndarray) -> np.ndarray:
    """Return the axes along which the vectors differ most."""
    return np.linalg.svd(vectors.T @ vectors)[0][:, :DIMS]


def unit(vectors: np.ndarray) -> np.ndarray:
    """Return the vectors at length 1."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


if __name__ == "__main__":
    main()
