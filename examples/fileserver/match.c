#include "match.h"

#include <stddef.h>
#include <string.h>

/* Whether the pattern that ends at `end` matches all of the path. */
static bool match_one(const char *pattern, const char *end, const char *path) {
  for (; pattern < end; pattern++, path++) {
    if (*pattern == '*') {
      bool across = pattern + 1 < end && pattern[1] == '*';
      const char *rest = pattern + (across ? 2 : 1);
      for (;; path++) {
        if (match_one(rest, end, path)) return true;
        if (*path == '\0' || (*path == '/' && !across)) return false;
      }
    }
    if (*path == '\0') return false;
    if (*pattern == '?' ? *path == '/' : *pattern != *path) return false;
  }
  return *path == '\0';
}

bool match(const char *pattern, const char *path) {
  for (;;) {
    const char *end = pattern + strcspn(pattern, "|");
    if (match_one(pattern, end, path)) return true;
    if (*end == '\0') return false;
    pattern = end + 1;
  }
}
