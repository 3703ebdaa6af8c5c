"""What the machine and the process allow; names of files, notices, work to undo on a signal."""
