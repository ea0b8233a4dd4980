"""`heddle run`: the command and environment that a program is started with, and its figures while it runs."""
