#include "listing.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "text.h"

struct entry {
  char *name;
  bool directory;
  off_t size;
  time_t modified;
};

struct entries {
  struct entry *list;
  size_t count, size;
};

/* Directories first, then by name. */
static int compare(const void *a, const void *b) {
  const struct entry *one = a, *other = b;
  if (one->directory != other->directory) return one->directory ? -1 : 1;
  return strcmp(one->name, other->name);
}

static bool add(struct entries *entries, const char *name, const struct stat *status) {
  if (entries->count == entries->size) {
    size_t size = entries->size > 0 ? entries->size * 2 : 64;
    struct entry *list = realloc(entries->list, size * sizeof *list);
    if (list == NULL) return false;
    entries->list = list;
    entries->size = size;
  }
  struct entry entry = {strdup(name), S_ISDIR(status->st_mode), status->st_size, status->st_mtime};
  if (entry.name == NULL) return false;
  entries->list[entries->count++] = entry;
  return true;
}

/* What can be served: files and directories whose names do not hide them. */
static bool read_entries(struct entries *entries, DIR *stream) {
  const struct dirent *found;
  while ((found = readdir(stream)) != NULL) {
    struct stat status;
    if (found->d_name[0] == '.' || fstatat(dirfd(stream), found->d_name, &status, 0) != 0) continue;
    if (!S_ISDIR(status.st_mode) && !S_ISREG(status.st_mode)) continue;
    if (!add(entries, found->d_name, &status)) return false;
  }
  return true;
}

static void write_row(struct text *page, const struct entry *entry) {
  char modified[32];
  struct tm parts;
  const char *slash = entry->directory ? "/" : "";
  gmtime_r(&entry->modified, &parts);
  strftime(modified, sizeof modified, "%Y-%m-%d %H:%M", &parts);
  text_format(page, "<tr><td><a href=\"./");
  text_add_encoded(page, entry->name);
  text_format(page, "%s\">", slash);
  text_add_escaped(page, entry->name);
  text_format(page, "%s</a><td>%s<td>", slash, modified);
  if (!entry->directory) text_format(page, "%lld", (long long)entry->size);
  text_format(page, "\n");
}

bool listing_write(struct text *page, const char *path, int directory) {
  struct entries entries = {0};
  DIR *stream = fdopendir(directory);
  if (stream == NULL) {
    close(directory);
    return false;
  }
  bool complete = read_entries(&entries, stream);
  closedir(stream);
  if (entries.count > 0) qsort(entries.list, entries.count, sizeof *entries.list, compare);

  text_format(page, "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Index of ");
  text_add_escaped(page, path);
  text_format(page, "</title>\n<h1>Index of ");
  text_add_escaped(page, path);
  text_format(page, "</h1>\n<table>\n");
  if (path[1] != '\0') text_format(page, "<tr><td><a href=\"../\">../</a><td><td>\n");
  for (size_t i = 0; i < entries.count; i++) {
    write_row(page, &entries.list[i]);
    free(entries.list[i].name);
  }
  free(entries.list);
  text_format(page, "</table>\n");
  return complete;
}
