"""The scenarios that ship: a name, what it is, and how it is set up."""
