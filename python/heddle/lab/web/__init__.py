"""The sites that scenarios load, and the server they come from."""
