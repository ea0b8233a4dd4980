"""A web on loopback that a crawler is tried on: what it serves is known, and every request is written down.

`Web` runs it; `Site` is one scheme, address and port of it; `pages` makes documents with links of every kind; `Answer`
says how a body travels; `hostile` has answers that break the rules; `random_web` makes whole webs from a seed.
"""
