"""The 15 ratios of the 2007 paper, of the events that today's processors count.

Source of all: Karlsson, Multithreaded concurrency for faster web browsers (Linköping, 2007), section 7.2.5 and figure
7.12, who has them from Intel's manual of the Core 2. Each function's docstring gives the paper's formula; where an
event of the Core 2 has gone, the docstring says which one stands for it. A ratio whose events this machine does not
count is None, never an estimate.
"""

from collections.abc import Callable, Mapping

Counts = Mapping[str, float]
Ratio = Callable[[Counts], float | None]


def _quotient(counts: Counts, above: str, below: str, factor: float = 1.0) -> float | None:
    if above not in counts or not counts.get(below):
        return None
    return factor * counts[above] / counts[below]


def clocks_per_instruction(counts: Counts) -> float | None:
    """CPU_CLK_UNHALTED:CORE_P / INST_RETIRED:ANY_P. High: instructions wait, for data or for each other."""
    return _quotient(counts, "cycles", "instructions")


def branch_mispredictions(counts: Counts) -> float | None:
    """BR_INST_RETIRED_MISPRED / UOPS_RETIRED:ANY. Micro-operations are counted on Intel's processors only."""
    return _quotient(counts, "branch-misses", "uops-retired")


def branch_misprediction_impact(counts: Counts) -> float | None:
    """RESOURCE_STALLS:BR_MISS_CLEAR / CPU_CLK_UNHALTED:CORE_P. The Core 2 alone had the event."""
    return _quotient(counts, "branch-stalls", "cycles")


def bus_not_ready(counts: Counts) -> float | None:
    """2 * BUS_BNR_DRV:ALL_AGENTS / CPU_CLK_UNHALTED:BUS. Today's processors have no such bus."""
    return _quotient(counts, "bus-not-ready", "bus-cycles", 2)


def bus_use(counts: Counts) -> float | None:
    """2 * BUS_TRANS_ANY:ALL_AGENTS / CPU_CLK_UNHALTED:BUS. What misses the last level stands for bus transactions."""
    return _quotient(counts, "LLC-misses", "bus-cycles", 2)


def itlb_misses(counts: Counts) -> float | None:
    """ITLB_MISS_RETIRED / INST_RETIRED:ANY_P. High: the program's code is spread over many pages."""
    return _quotient(counts, "ITLB-misses", "instructions")


def dtlb_misses(counts: Counts) -> float | None:
    """DTLB_MISSES:ANY / INST_RETIRED:ANY_P. High: the data are spread over many pages."""
    return _quotient(counts, "DTLB-misses", "instructions")


def loads_blocked(counts: Counts) -> float | None:
    """LOAD_BLOCK:L1D / CPU_CLK_UNHALTED:CORE_P. The Core 2 alone had the event."""
    return _quotient(counts, "loads-blocked", "cycles")


def l1i_misses_by_instruction(counts: Counts) -> float | None:
    """L1I_MISSES / INST_RETIRED:ANY_P. High: code in use does not fit the first level."""
    return _quotient(counts, "L1I-misses", "instructions")


def l1i_misses_by_cycle(counts: Counts) -> float | None:
    """L1I_MISSES / CPU_CLK_UNHALTED:CORE_P; in figure 7.12 only."""
    return _quotient(counts, "L1I-misses", "cycles")


def l1_loads(counts: Counts) -> float | None:
    """L1D_CACHE_LD:MESI / CPU_CLK_UNHALTED:CORE_P. High: reads of memory limit the program."""
    return _quotient(counts, "L1D-loads", "cycles")


def l1d_misses(counts: Counts) -> float | None:
    """L1D_REPL / INST_RETIRED:ANY_P. Reads that miss stand for the lines that are brought in."""
    return _quotient(counts, "L1D-misses", "instructions")


def l1d_miss_impact(counts: Counts) -> float | None:
    """8 * L1D_REPL / CPU_CLK_UNHALTED:CORE_P: the share of cycles if each miss costs 8, as on the Core 2."""
    return _quotient(counts, "L1D-misses", "cycles", 8)


def l2_misses_by_instruction(counts: Counts) -> float | None:
    """L2_LINES_IN:SELF / INST_RETIRED:ANY_P. The Core 2's second level was its last: where lines of the second level
    are not counted, misses of the last level stand for them."""
    return _quotient(counts, "L2-lines-in" if "L2-lines-in" in counts else "LLC-misses", "instructions")


def l2_misses_by_cycle(counts: Counts) -> float | None:
    """L2_LINES_IN:SELF / CPU_CLK_UNHALTED:CORE_P; in figure 7.12 only. As above."""
    return _quotient(counts, "L2-lines-in" if "L2-lines-in" in counts else "LLC-misses", "cycles")


RATIOS: tuple[tuple[str, Ratio], ...] = (
    ("clocks per instruction (CPI)", clocks_per_instruction),
    ("branch mispredictions per micro-operation", branch_mispredictions),
    ("branch misprediction, share of cycles", branch_misprediction_impact),
    ("bus not ready", bus_not_ready),
    ("bus use", bus_use),
    ("ITLB misses per instruction", itlb_misses),
    ("DTLB misses per instruction", dtlb_misses),
    ("loads blocked by the L1 data cache, per cycle", loads_blocked),
    ("L1 instruction misses per instruction", l1i_misses_by_instruction),
    ("L1 instruction misses per cycle", l1i_misses_by_cycle),
    ("L1 data loads per cycle", l1_loads),
    ("L1 data misses per instruction", l1d_misses),
    ("L1 data misses, share of cycles", l1d_miss_impact),
    ("L2 misses per instruction", l2_misses_by_instruction),
    ("L2 misses per cycle", l2_misses_by_cycle),
)


def all_of(counts: Counts) -> dict[str, float | None]:
    return {name: ratio(counts) for name, ratio in RATIOS}


def formula(ratio: Ratio) -> str:
    """The paper's, as the docstring gives it."""
    text = " ".join((ratio.__doc__ or "").split())
    return text.partition(". ")[0].partition("; in ")[0].partition(": the share")[0].rstrip(".")
