"""The shapes of everything that Heddle shows: wrapped lists, columns, colour and width of a terminal, picture files."""
