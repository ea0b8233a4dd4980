"""What Heddle finds around it: its own parts, LLVM and Node.js, the cores it may use, the user's cache.

`health` says which of that is missing, and what the absence costs.
"""
