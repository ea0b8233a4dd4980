"""Which invocations could not have run together, because one of them made the other due.

Each invocation has at most one parent: the one that added its event while the event was not pending. So the parents
form a forest. What invocation x did up to step s comes before all of y exactly if x is an ancestor of y, and x made the
next one on the way down to y due in step s or later.
"""

from bisect import bisect_right

import numpy as np
import numpy.typing as npt


class Order:
    def __init__(self, parent: npt.NDArray[np.uint32], parent_step: npt.NDArray[np.uint32]) -> None:
        """Entry i of either array is of invocation i + 1. Parent 0 stands for the program before its loop."""
        count = len(parent)
        self._step = parent_step.tolist()
        self._children: list[list[int]] = [[] for _ in range(count + 1)]
        for number, above in enumerate(parent.tolist(), 1):
            self._children[above].append(number)
        self._first = [0] * (count + 1)  # in depth-first order
        self._last = [0] * (count + 1)
        clock = 0
        stack = [(0, False)]
        while stack:
            number, done = stack.pop()
            if done:
                self._last[number] = clock
                continue
            self._first[number] = clock
            clock += 1
            stack.append((number, True))
            stack.extend((child, False) for child in reversed(self._children[number]))

    def before(self, x: int, step: int, y: int) -> bool:
        """Did `x` do what it did in `step` before `y` could begin?"""
        if not self._first[x] < self._first[y] < self._last[x]:
            return False
        children = self._children[x]
        branch = children[bisect_right(children, self._first[y], key=self._first.__getitem__) - 1]
        return step <= int(self._step[branch - 1])
