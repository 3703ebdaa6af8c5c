"""What the machine and the process allow: memory, locks, notices, work to undo on a signal."""
