"""The command as its users run it."""
