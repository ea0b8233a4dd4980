"""Tests of the whole, and what they share with benchmarks and the tests of examples."""
