"""Pages that nobody here wrote: Debian's documentation packages behind Debian's nginx, crawled by us and by others."""
