"""What a recorded run of a scenario would take on other cores, with other numbers of workers."""
