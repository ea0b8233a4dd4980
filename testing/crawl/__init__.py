"""What `heddle crawl` promises, tried on a synthetic web: web/ serves it, reference.py says what is to come out."""
