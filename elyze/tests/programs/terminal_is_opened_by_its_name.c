// What is written to a terminal's master is read at its slave, which a path below /dev names: each runs alone.
// CONFLICT always: on_master on_master: state that files of the kernel show
// CONFLICT always: on_master on_slave: state that files of the kernel show
// CONFLICT always: on_slave on_slave: state that files of the kernel show
#include <stdlib.h>

#include "server.h"

static int master;
static int slave;

HANDLER(on_master) {
  UNUSED;
  write(master, "ab", 2);
  write(master, "cd", 2);
}

HANDLER(on_slave) {
  UNUSED;
  char letters[8];
  if (read(slave, letters, 8) == 2) abort();
}

int main(void) {
  base = event_base_new();
  master = open("/dev/ptmx", O_RDWR | O_NOCTTY);
  slave = open("/dev/pts/7", O_RDWR | O_NOCTTY | O_NONBLOCK);
  when_readable(3, on_master, NULL);
  when_readable(4, on_slave, NULL);
  return event_base_dispatch(base);
}
