"""What the papers behind Heddle published, beside what the benchmarks of this project saved."""
