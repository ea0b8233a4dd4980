// link() changes the count of links of what gets another name: locks by link() and stat().
// CONFLICT always: on_a on_b: contents of lock.1
// CONFLICT always: on_a on_c: directory entry of lock.1
#include "server.h"
#include <sys/stat.h>
static unsigned long links; static int failed;
HANDLER(on_a) { UNUSED; if (link("lock.1", "lock") != 0) ++failed; unlink("lock"); }
HANDLER(on_b) { UNUSED; struct stat s; if (stat("lock.1", &s) == 0) links = s.st_nlink; }
HANDLER(on_c) { UNUSED; unlink("lock.1"); close(open("lock.1", O_CREAT | O_WRONLY, 0600)); }
int main(void){ base=event_base_new(); when_readable(3,on_a,NULL); when_readable(4,on_b,NULL); when_readable(5,on_c,NULL); event_base_dispatch(base); }
