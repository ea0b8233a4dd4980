// What is written to a file takes of the space that is left.
// CONFLICT always: on_a on_b: contents of data
#include "server.h"
#include <sys/statvfs.h>
static int data; static unsigned long before, after;
HANDLER(on_a) { UNUSED; struct statvfs s; statvfs("/var/spool/x", &s); before = s.f_bfree; statvfs("/var/spool/x", &s); after = s.f_bfree; }
HANDLER(on_b) { UNUSED; char block[4096] = {0}; write(data, block, sizeof block); }
int main(void){ base=event_base_new(); data = open("/var/spool/x/data", O_WRONLY | O_CREAT, 0600);
 when_readable(3,on_a,NULL); when_readable(4,on_b,NULL); event_base_dispatch(base); }
