"""Short data with nothing around them."""
