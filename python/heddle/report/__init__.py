"""Constraints and runs, as a person reads them: plain text that needs neither colour nor more than 120 columns."""
