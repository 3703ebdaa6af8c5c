"""What priors are called where text names them: options, the environment, metadata of arrays."""

SHIPPED = "shipped"
PRIOR_VARIABLE = "GLNZIP_PRIOR"
"""The environment variable that holds the path of a prior file."""
