"""`heddle crawl`: hands over to the native crawler, and shows what it found as a page and as a picture."""
