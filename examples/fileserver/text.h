/* Text that grows as it is written: the head of an answer, an error page, a directory's listing. */
#ifndef FILESERVER_TEXT_H
#define FILESERVER_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* All zero is an empty text. */
struct text {
  char *data;
  size_t used, size;
  bool failed; /* there was no memory for all of it */
};

void text_add(struct text *text, const char *data, size_t size);
void text_format(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For HTML, and for the path of a URL. */
void text_add_escaped(struct text *text, const char *words);
void text_add_encoded(struct text *text, const char *path);

void text_free(struct text *text);

#endif
