"""The word table that recall uses without a model: data only, read by the store."""
