"""What a model is shown of a session, what it may answer, and how far its answer is believed."""
