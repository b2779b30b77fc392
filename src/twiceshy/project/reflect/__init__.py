"""Look back at a project: what holds, what to keep, what recurs, what may go, and the report of it."""
