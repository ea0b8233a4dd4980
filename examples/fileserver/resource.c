#include "resource.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conn.h"
#include "date.h"
#include "listing.h"
#include "mime.h"
#include "path.h"
#include "reply.h"
#include "text.h"

struct part {
  size_t first, size;
};

static int open_file(const char *file, struct stat *status) {
  int fd = open(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC); /* not blocking: it may be a pipe */
  if (fd >= 0 && fstat(fd, status) != 0) {
    close(fd);
    return -1;
  }
  return fd;
}

static int status_of(int error) {
  switch (error) {
    case EACCES:
    case ELOOP:
      return 403;
    case ENOENT:
      return 404;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return 503;
    default:
      return 500;
  }
}

/* The part that is asked for. 200: all; 206: less; 416: what is not there. */
static int part_of(const struct request *request, const struct stat *status, struct part *part) {
  const size_t size = (size_t)status->st_size;
  *part = (struct part){0, size};
  if (!request->ranged || request->head) return 200;
  if (request->range_since != -1 && request->range_since != status->st_mtime) return 200;
  if (request->first < 0) {
    const size_t count = (size_t)request->last;
    if (count == 0 || size == 0) return 416;
    part->size = count < size ? count : size;
    part->first = size - part->size;
    return 206;
  }
  if ((size_t)request->first >= size) return 416;
  part->first = (size_t)request->first;
  part->size = size - part->first;
  if (request->last >= 0 && (size_t)(request->last - request->first) < part->size)
    part->size = (size_t)(request->last - request->first) + 1;
  return 206;
}

/* Maps the file for this connection and enters it with the throttles. Returns 0, or the status to refuse it with. */
static int take(struct conn *c, const char *path, int fd, const struct stat *status, struct part part) {
  if (!throttle_enter(&c->pace, path)) return 503;
  c->map = map_get(fd, status);
  if (c->map == NULL) {
    throttle_leave(&c->pace);
    return status_of(errno);
  }
  c->file = map_data(c->map) + part.first;
  c->file_size = part.size;
  return 0;
}

static void answer_file(struct conn *c, const char *path, int fd, const struct stat *status) {
  const struct mime mime = mime_of(path);
  char modified[DATE_SIZE], extra[256];
  struct part part;
  size_t used;

  date_format(status->st_mtime, modified);
  used = (size_t)snprintf(extra, sizeof extra, "Last-Modified: %s\r\nAccept-Ranges: bytes\r\n", modified);
  if (mime.encoding != NULL)
    used += (size_t)snprintf(extra + used, sizeof extra - used, "Content-Encoding: %s\r\n", mime.encoding);
  if (c->request.modified_since != -1 && status->st_mtime <= c->request.modified_since) {
    reply_head(c, 304, "", 0, extra);
    return;
  }
  int answer = part_of(&c->request, status, &part);
  if (answer == 416) {
    snprintf(extra, sizeof extra, "Content-Range: bytes */%lld\r\n", (long long)status->st_size);
    reply_page(c, 416, extra);
    return;
  }
  if (answer == 206)
    snprintf(extra + used, sizeof extra - used, "Content-Range: bytes %zu-%zu/%lld\r\n", part.first,
             part.first + part.size - 1, (long long)status->st_size);
  if (!c->request.head && part.size > 0) {
    int problem = take(c, path, fd, status, part);
    if (problem != 0) {
      reply_page(c, problem, problem == 503 ? "Retry-After: 10\r\n" : "");
      return;
    }
  }
  reply_head(c, answer, mime.type, part.size, extra);
}

static void redirect(struct conn *c, const char *path) {
  struct text line = {0};
  text_format(&line, "Location: ");
  text_add_encoded(&line, path);
  text_add(&line, "/\r\n", 4); /* and the end of a string */
  if (line.failed)
    reply_page(c, 500, "");
  else
    reply_page(c, 301, line.data);
  text_free(&line);
}

static void answer_listing(struct conn *c, const char *path, int directory) {
  struct text page = {0};
  if (listing_write(&page, path, directory))
    reply_text(c, 200, "text/html; charset=utf-8", &page, "");
  else
    reply_page(c, 500, "");
  text_free(&page);
}

/* Its index.html, or else a list of what is in it. */
static void answer_directory(struct conn *c, char path[PATH_MAX], int directory) {
  static const char name[] = "index.html";
  char file[PATH_MAX];
  struct stat status;
  size_t length = strlen(path);

  if (path[length - 1] != '/') {
    close(directory);
    redirect(c, path);
    return;
  }
  if (length + sizeof name <= PATH_MAX) {
    memcpy(path + length, name, sizeof name);
    int fd = path_resolve(path, file) == 200 ? open_file(file, &status) : -1;
    if (fd >= 0) {
      if (S_ISREG(status.st_mode)) {
        close(directory);
        answer_file(c, path, fd, &status);
        close(fd);
        return;
      }
      close(fd);
    }
    path[length] = '\0';
  }
  answer_listing(c, path, directory);
}

void resource_answer(struct conn *c) {
  char path[PATH_MAX], file[PATH_MAX];
  struct stat status;

  int problem = path_decode(c->in + c->request.target, path);
  if (problem == 200) problem = path_resolve(path, file);
  if (problem != 200) {
    reply_page(c, problem, "");
    return;
  }
  int fd = open_file(file, &status);
  if (fd < 0) {
    reply_page(c, status_of(errno), "");
  } else if (S_ISDIR(status.st_mode)) {
    answer_directory(c, path, fd);
  } else {
    if (S_ISREG(status.st_mode))
      answer_file(c, path, fd, &status);
    else
      reply_page(c, 403, "");
    close(fd);
  }
}
