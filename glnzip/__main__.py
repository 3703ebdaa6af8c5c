"""`python -m glnzip` is the `glnzip` command."""

from glnzip.cli import main

if __name__ == "__main__":
    main()
