"""The documents that the parts of Heddle hand each other: constraints, traces, figures of runs.

`schemas` reads any of them and checks it against `schemas/`; `constraints` and `trace` make objects of it; `writing`
makes text of one again; `timeline` exports a trace for other tools.
"""
