"""The oracle: what handlers really touched in a serial run, held against what the analysis said they may."""
