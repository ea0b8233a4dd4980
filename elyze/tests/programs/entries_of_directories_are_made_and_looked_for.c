// Whether a name is there is the result of mkdir(), rmdir(), open() with O_EXCL and of each look for it: one that another
// handler makes and takes away between two looks may be found half the way. open(2), mkdir(2).
// CONFLICT always: on_lock on_lock: directory entry of lock
// CONFLICT always: on_lock on_list: directory entry of lock
// SAFE: on_lock on_other
// SAFE: on_lock on_log
// CONFLICT always: on_lock on_session: directory entry of heddle
// SAFE: on_list on_list
// CONFLICT always: on_other on_list: directory entry of other
// CONFLICT always: on_log on_list: directory entry of log
// CONFLICT always: on_list on_session: directory entry of some file
// CONFLICT always: on_other on_other: directory entry of other
// SAFE: on_other on_log
// CONFLICT always: on_other on_session: directory entry of heddle
// SAFE: on_log on_log
// CONFLICT always: on_log on_session: directory entry of heddle
// CONFLICT always: on_session on_session: directory entry of some file
#include <dirent.h>
#include <sys/stat.h>

#include "server.h"

struct client {
  char path[40];
};

HANDLER(on_lock) {
  UNUSED;
  if (mkdir("/tmp/heddle/lock", 0700) == 0) rmdir("/tmp/heddle/lock");
}

HANDLER(on_list) {
  UNUSED;
  DIR *folder = opendir("/tmp/heddle");
  if (folder == NULL) return;
  while (readdir(folder) != NULL) continue;
  closedir(folder);
}

static void make(const char *path) {
  int made = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (made >= 0) close(made);
}

HANDLER(on_other) {
  UNUSED;
  make("/tmp/heddle/other");
}

static void make_for(const struct client *client) {
  int made = open(client->path, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (made >= 0) close(made);
}

// Who makes the file does not matter.
HANDLER(on_log) {
  UNUSED;
  int log = open("/tmp/heddle/log", O_WRONLY | O_CREAT, 0600);
  if (log >= 0) close(log);
}

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  make_for(client);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_lock, NULL);
  when_readable(4, on_list, NULL);
  when_readable(5, on_other, NULL);
  when_readable(6, on_log, NULL);
  for (int i = 0; i < 2; i++) {
    struct client *client = calloc(1, sizeof *client);
    snprintf(client->path, sizeof client->path, "/tmp/heddle/%d", i);
    when_readable(7 + i, on_session, client);
  }
  return event_base_dispatch(base);
}
