// All places are local variables of functions that run no loop: a jump can go to none that another invocation noted.
#include <setjmp.h>

#include "server.h"

struct parser {
  jmp_buf *failed;
  int depth;
};

static void parse(struct parser *parser, const char *text) {
  for (; *text != '\0'; text++)
    if (*text == '!') longjmp(*parser->failed, 1);
}

HANDLER(on_text) {
  UNUSED;
  jmp_buf failed;
  struct parser parser = {&failed, 0};
  if (setjmp(failed) == 0) parse(&parser, "text!");
}
// ANY THREAD: on_text
// SAFE: on_text on_text

int main(void) {
  base = event_base_new();
  when_readable(3, on_text, NULL);
  return event_base_dispatch(base);
}
