"""What was learned of each context: bit histories, runs, counters, matches, DMC."""
