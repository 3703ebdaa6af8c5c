"""From opinions to one probability: the network's inputs, the first stage, the APMs."""
