"""What contexts and gates are made of: features of the bytes seen so far."""
