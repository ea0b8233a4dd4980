"""What a run cost beneath the clock: events of kernel and processor, the 15 ratios of the 2007 paper, a stand-in."""
