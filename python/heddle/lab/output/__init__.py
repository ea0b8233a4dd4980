"""A trial as text, picture, page and timeline."""
