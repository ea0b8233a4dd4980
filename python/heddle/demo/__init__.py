"""`heddle demo`: one server, twice: under libevent as it is, and under heddle; the same load, the same answers."""
