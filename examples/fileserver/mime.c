#include "mime.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct ending {
  const char *ending, *type;
};

/* In alphabetical order. */
static const struct ending types[] = {
    {"avif", "image/avif"},
    {"bin", "application/octet-stream"},
    {"c", "text/plain; charset=utf-8"},
    {"css", "text/css; charset=utf-8"},
    {"csv", "text/csv; charset=utf-8"},
    {"gif", "image/gif"},
    {"h", "text/plain; charset=utf-8"},
    {"htm", "text/html; charset=utf-8"},
    {"html", "text/html; charset=utf-8"},
    {"ico", "image/x-icon"},
    {"iso", "application/octet-stream"},
    {"jpeg", "image/jpeg"},
    {"jpg", "image/jpeg"},
    {"js", "text/javascript; charset=utf-8"},
    {"json", "application/json"},
    {"md", "text/markdown; charset=utf-8"},
    {"mp3", "audio/mpeg"},
    {"mp4", "video/mp4"},
    {"ogg", "audio/ogg"},
    {"pdf", "application/pdf"},
    {"png", "image/png"},
    {"svg", "image/svg+xml"},
    {"tar", "application/x-tar"},
    {"txt", "text/plain; charset=utf-8"},
    {"wasm", "application/wasm"},
    {"wav", "audio/wav"},
    {"webm", "video/webm"},
    {"webp", "image/webp"},
    {"woff2", "font/woff2"},
    {"xml", "application/xml"},
    {"zip", "application/zip"},
};

static const struct ending encodings[] = {{"br", "br"}, {"gz", "gzip"}, {"zst", "zstd"}};

struct piece {
  const char *start;
  size_t length;
};

static int compare(const void *key, const void *element) {
  const struct piece *piece = key;
  const struct ending *ending = element;
  int order = strncasecmp(piece->start, ending->ending, piece->length);
  return order != 0 ? order : ending->ending[piece->length] != '\0' ? -1 : 0;
}

static const char *find(const struct ending *table, size_t count, struct piece piece) {
  const struct ending *found = bsearch(&piece, table, count, sizeof *table, compare);
  return found != NULL ? found->type : NULL;
}

/* What stands behind the last dot of the name's first `length` bytes. */
static struct piece ending_of(const char *name, size_t length) {
  struct piece piece = {name + length, 0};
  while (piece.start > name && piece.start[-1] != '/' && piece.start[-1] != '.') piece.start--, piece.length++;
  if (piece.start == name || piece.start[-1] == '/') piece.length = 0;
  return piece;
}

struct mime mime_of(const char *name) {
  struct mime mime = {NULL, NULL};
  struct piece piece = ending_of(name, strlen(name));
  if (piece.length > 0) mime.encoding = find(encodings, sizeof encodings / sizeof *encodings, piece);
  if (mime.encoding != NULL) piece = ending_of(name, (size_t)(piece.start - name) - 1);
  if (piece.length > 0) mime.type = find(types, sizeof types / sizeof *types, piece);
  if (mime.type == NULL) mime.type = "application/octet-stream";
  return mime;
}
