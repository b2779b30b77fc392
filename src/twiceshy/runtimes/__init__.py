"""What each runtime sends and keeps, translated into our words; one folder for each of them."""
