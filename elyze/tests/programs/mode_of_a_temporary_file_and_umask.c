// mkstemp() makes a file of mode 0600 & ~umask.
// CONFLICT always: on_a on_b: umask
#include "server.h"
#include <sys/stat.h>
static mode_t mask;
HANDLER(on_a) { UNUSED; mask = umask(0777); umask(mask); }
HANDLER(on_b) { UNUSED; char t[] = "fXXXXXX"; int f = mkstemp(t); close(f); }
int main(void){ base=event_base_new(); when_readable(3,on_a,NULL); when_readable(4,on_b,NULL); event_base_dispatch(base); }
