"""What verdicts mean to the owner of a program: why handlers conflict, and what would change that.

Causes and remedies, names of conflicts that survive edits, what a change of the program did, which conflicts its owners
have judged harmless, and the source lines behind all of it. Nothing here prints: `report` does.
"""
