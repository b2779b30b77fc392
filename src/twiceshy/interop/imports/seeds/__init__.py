"""The four systems that twiceshy grew from, in their own places and formats."""
