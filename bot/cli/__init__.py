"""The command line: what an operator types, and what the program says back."""
