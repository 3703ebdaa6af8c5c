"""How a release is made: RELEASING.md in code.

======== ================================================================================
contents what a wheel and an sdist must hold: what git has, no more and no less
trial    installs one of them where nothing else is, and tries it there
dist     ``make dist``: builds both, checks them, tries them
======== ================================================================================
"""
