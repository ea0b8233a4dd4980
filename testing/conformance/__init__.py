"""libevent's own regression suite on our core."""
