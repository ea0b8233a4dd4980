"""`heddle build`: the compiler stand-ins that a build meets, and the wrapper behind them, which keeps bitcode."""
