"""Servers under the runtime and ThreadSanitizer."""
