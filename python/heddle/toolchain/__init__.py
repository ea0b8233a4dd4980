"""How bitcode gets into a program and out again: compiler stand-ins, the wrapper behind them, the section they fill."""
