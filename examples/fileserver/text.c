#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 512 };

/* Room for `more` bytes and a terminating zero. */
static bool reserve(struct text *text, size_t more) {
  if (text->failed) return false;
  size_t size = text->size > 0 ? text->size : FIRST_SIZE;
  while (size - text->used <= more) size *= 2;
  if (size == text->size) return true;
  char *data = realloc(text->data, size);
  if (data == NULL) {
    text->failed = true;
    return false;
  }
  text->data = data;
  text->size = size;
  return true;
}

void text_add(struct text *text, const char *data, size_t size) {
  if (!reserve(text, size)) return;
  memcpy(text->data + text->used, data, size);
  text->used += size;
}

void text_format(struct text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length < 0 || !reserve(text, (size_t)length)) return;
  va_start(arguments, format);
  vsnprintf(text->data + text->used, (size_t)length + 1, format, arguments);
  va_end(arguments);
  text->used += (size_t)length;
}

void text_add_escaped(struct text *text, const char *words) {
  for (; *words != '\0'; words++) {
    switch (*words) {
      case '&':
        text_add(text, "&amp;", 5);
        break;
      case '<':
        text_add(text, "&lt;", 4);
        break;
      case '>':
        text_add(text, "&gt;", 4);
        break;
      case '"':
        text_add(text, "&quot;", 6);
        break;
      default:
        text_add(text, words, 1);
    }
  }
}

void text_add_encoded(struct text *text, const char *path) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  for (; *path != '\0'; path++) {
    if (strchr(plain, *path) != NULL)
      text_add(text, path, 1);
    else
      text_format(text, "%%%02X", (unsigned)(unsigned char)*path);
  }
}

void text_free(struct text *text) { free(text->data); }
