"""What makes the files that C++, Python and TypeScript take their contracts from."""
