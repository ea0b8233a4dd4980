// So it does with tmpfile().
// CONFLICT always: on_a on_b: contents of some file
#include "server.h"
#include <sys/mman.h>
static int seen; static FILE *spool; static char *view;
HANDLER(on_a) { UNUSED; fputs("hello", spool); fflush(spool); }
HANDLER(on_b) { UNUSED; if (view[0] == 'x') ++seen; }
int main(void){ base=event_base_new(); spool = tmpfile(); ftruncate(fileno(spool), 4096); view = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(spool), 0);
 when_readable(3,on_a,NULL); when_readable(4,on_b,NULL); event_base_dispatch(base); }
