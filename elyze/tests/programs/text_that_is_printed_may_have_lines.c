// Of a text that is not seen nobody knows how many lines it has, and each is written out by itself where stdout is a
// terminal (setvbuf(3)). Constant texts are seen through functions that get them.
// SAFE: on_text on_text
// SAFE: on_text on_known
// CONFLICT always: on_text on_error: what 0, 1 and 2 lead to
// SAFE: on_known on_known
// SAFE: on_known on_error
// SAFE: on_error on_error
#include "server.h"

static const char* text;

static void say(const char* word) { printf("said: %s\n", word); }

static void tell(const char* line) { puts(line); }

HANDLER(on_text) {
  UNUSED;
  say(text);
}

HANDLER(on_known) {
  UNUSED;
  if (what == EV_READ) {
    tell("known");
  } else {
    tell("unknown");
  }
}

HANDLER(on_error) {
  UNUSED;
  fprintf(stderr, "error: %s\n", text);
}

int main(int count, char** words) {
  base = event_base_new();
  text = words[count - 1];
  when_readable(3, on_text, NULL);
  when_readable(4, on_known, NULL);
  when_readable(5, on_error, NULL);
  return event_base_dispatch(base);
}
