"""What a recorded run would have been with other threads, other constraints, other cores."""
