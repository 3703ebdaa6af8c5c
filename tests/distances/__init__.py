"""How far data are apart: distances by their definition, and the estimator made of them."""
