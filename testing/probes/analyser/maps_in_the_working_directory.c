// A relative path begins at the working directory, which is in /proc: the mappings stand there (proc(5)).
// SAFE: on_map on_map
// CONFLICT always: on_map on_list: state that files of the kernel show
// IMPRECISE: on_list on_list: never
#include <sys/mman.h>

#include "server.h"

HANDLER(on_map) {
  UNUSED;
  void* one = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(one, 4096);
}

HANDLER(on_list) {
  UNUSED;
  char text[4096];
  int f = open("maps", O_RDONLY);
  read(f, text, sizeof text);
  close(f);
}

int main(void) {
  base = event_base_new();
  chdir("/proc/self");
  when_readable(3, on_map, NULL);
  when_readable(4, on_list, NULL);
  return event_base_dispatch(base);
}
