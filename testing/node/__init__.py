"""Node.js programs, compared between node and heddle-node."""
