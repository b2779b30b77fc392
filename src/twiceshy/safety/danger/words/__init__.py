"""Words of many languages by the part they play in an order to an agent."""
