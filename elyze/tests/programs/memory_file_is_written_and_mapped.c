// What is written to a memory file shows where it is mapped (memfd_create(2)).
// CONFLICT always: on_a on_b: contents of some file
#include "server.h"
#include <sys/mman.h>
static int seen, ring; static char *view;
HANDLER(on_a) { UNUSED; pwrite(ring, "x", 1, 0); }
HANDLER(on_b) { UNUSED; if (view[0] == 'x') ++seen; }
int main(void){ base=event_base_new(); ring = memfd_create("ring", 0); ftruncate(ring, 4096); view = mmap(NULL, 4096, PROT_READ, MAP_SHARED, ring, 0);
 when_readable(3,on_a,NULL); when_readable(4,on_b,NULL); event_base_dispatch(base); }
