// CONFLICT always: on_a on_a: *glob_t->gl_closedir
// CONFLICT always: on_a on_b: reads
// CONFLICT always: on_b on_b: n
/* GLOB_ALTDIRFUNC */
#include "server.h"
#include <glob.h>
#include <dirent.h>
#include <sys/stat.h>
static int reads, n;
static void* my_opendir(const char* p) { return (void*)p; }
static struct dirent* my_readdir(void* d) {
  (void)d;
  reads++;
  return 0;
}
static void my_closedir(void* d) { (void)d; }
HANDLER(on_a) {
  UNUSED;
  glob_t g = {0};
  g.gl_opendir = my_opendir;
  g.gl_readdir = my_readdir;
  g.gl_closedir = my_closedir;
  g.gl_stat = stat;
  g.gl_lstat = lstat;
  glob("*", GLOB_ALTDIRFUNC, 0, &g);
  globfree(&g);
}
HANDLER(on_b) {
  UNUSED;
  int k = reads;
  n = k + reads;
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
