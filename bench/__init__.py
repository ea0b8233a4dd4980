"""The benchmarks: a module each, with the claims that it measures (heddle.measure.catalogue says what one has)."""
