"""The paper's experiments, smaller where they would be slow: see `bench.paper`."""
