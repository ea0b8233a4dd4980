// The next word, found by strtok_r() in a function of its own, lies behind the first one.
// CONFLICT always: on_word on_word: line
// CONFLICT always: on_word on_look: line
// SAFE: on_look on_look
#include "server.h"

static struct {
  char text[16];
  int words;
} line = {"one two", 2};
static char *word;

static char *next_word(char *text, char **rest) { return strtok_r(text, " ", rest); }

HANDLER(on_word) {
  UNUSED;
  *word = *word == 'x' ? 'y' : 'x';
}

HANDLER(on_look) {
  UNUSED;
  if (line.text[4] == 'y') abort();
}

int main(void) {
  char *rest;
  base = event_base_new();
  next_word(line.text, &rest);
  word = next_word(NULL, &rest);
  when_readable(3, on_word, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}
