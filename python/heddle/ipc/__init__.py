"""`heddle ipc`: who talks with whom over sockets and pipes, what that costs, and what would cost less."""
