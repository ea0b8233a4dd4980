// Two messages of one handler must not come apart.
// CONFLICT always: on_a on_b
// CONFLICT always: on_a on_a
#include "server.h"
#include <syslog.h>
HANDLER(on_a) { UNUSED; syslog(LOG_INFO, "client gone"); syslog(LOG_INFO, "  after %d requests", (int)fd); }
HANDLER(on_b) { UNUSED; syslog(LOG_WARNING, "disk is slow:"); syslog(LOG_WARNING, "  %d ms", (int)fd); }
int main(void){ base=event_base_new(); when_readable(3,on_a,NULL); when_readable(4,on_b,NULL); event_base_dispatch(base); }
