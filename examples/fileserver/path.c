#include "path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char root[PATH_MAX];

bool path_root(const char *directory) { return realpath(directory, root) != NULL && chdir(root) == 0; }

static int hex_value(char c) {
  static const char digits[] = "0123456789abcdef0123456789ABCDEF";
  const char *at = c != '\0' ? strchr(digits, c) : NULL;
  return at != NULL ? (int)(at - digits) % 16 : -1;
}

static int undo_percent(const char *target, char path[PATH_MAX]) {
  size_t used = 0;
  for (; *target != '\0' && *target != '?'; target++) {
    char c = *target;
    if (c == '%') {
      int high = hex_value(target[1]);
      int low = high >= 0 ? hex_value(target[2]) : -1;
      if (low < 0) return 400;
      c = (char)(high * 16 + low);
      target += 2;
    }
    if (c == '\0') return 400;
    if (used == PATH_MAX - 1) return 414;
    path[used++] = c;
  }
  path[used] = '\0';
  return 200;
}

/* Works on the path in place: what is written never overtakes what is read. */
static int work_out_dots(char *path) {
  char *out = path;
  for (const char *from = path; *from != '\0';) {
    from += strspn(from, "/");
    size_t length = strcspn(from, "/");
    bool dot = length == 1 && from[0] == '.', dots = length == 2 && from[0] == '.' && from[1] == '.';
    if (dots) {
      if (out == path) return 400;
      while (*--out != '/') continue;
    } else if (!dot) {
      if (from[0] == '.') return 404; /* hidden */
      *out++ = '/';
      memmove(out, from, length);
      out += length;
    }
    from += length;
    if ((dot || dots) && *from == '\0') *out++ = '/';
  }
  if (out == path) *out++ = '/';
  *out = '\0';
  return 200;
}

int path_decode(const char *target, char path[PATH_MAX]) {
  int status = undo_percent(target, path);
  return status == 200 ? work_out_dots(path) : status;
}

static bool below_root(const char *file) {
  size_t length = strlen(root);
  if (length == 1) return true; /* the root of the system */
  return strncmp(file, root, length) == 0 && (file[length] == '/' || file[length] == '\0');
}

int path_resolve(const char *path, char file[PATH_MAX]) {
  const char *relative = path[1] != '\0' ? path + 1 : ".";
  if (realpath(relative, file) == NULL) {
    if (errno == EACCES || errno == ELOOP) return 403;
    return errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG ? 404 : 500;
  }
  return below_root(file) ? 200 : 403;
}
