"""Faults injected on one rank: memory that runs short, calls that cannot write, signals that end the process."""
