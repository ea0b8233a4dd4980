/* The page that lists a directory. */
#ifndef FILESERVER_LISTING_H
#define FILESERVER_LISTING_H

#include <stdbool.h>

struct text;

/* Appends the page to the text. Closes the directory's descriptor. False if it cannot be read. */
bool listing_write(struct text *page, const char *path, int directory);

#endif
