"""How Heddle measures: what benchmarks, the demo and the laboratory share.

Contenders in turn and how far a median is known (`alternation`), who else used the machine (`processor`), servers and
their load (`serving`, `load`), contenders on libevent and on Node.js (`libevent`, `node`), claims and results
(`benchmark`), the list of all benchmarks (`catalogue`).
"""
