"""The word table for recall without a model: data only, read by the store."""
