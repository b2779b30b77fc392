"""What went wrong in a session and what put it right: detectors over what a transcript tells, no model."""
