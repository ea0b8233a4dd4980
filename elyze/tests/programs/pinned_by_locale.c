// A new thread starts with the global locale, even where main has chosen another one before the loop.
#define _GNU_SOURCE
#include <ctype.h>
#include <locale.h>

#include "server.h"

struct client {
  char text[32];
  double number;
  int letters;
};

HANDLER(on_print) {
  (void)fd, (void)what;
  struct client *client = arg;
  snprintf(client->text, sizeof client->text, "%g", client->number);
}
// PINNED: on_print by snprintf

HANDLER(on_scan) {
  (void)fd, (void)what;
  struct client *client = arg;
  client->number = strtod(client->text, NULL);
}
// PINNED: on_scan by strtod

static int letters(const char *text) {
  int count = 0;
  for (; *text != '\0'; text++) count += isalpha((unsigned char)*text) != 0;
  return count;
}

HANDLER(on_helper) {
  (void)fd, (void)what;
  struct client *client = arg;
  client->letters = letters(client->text);
}
// PINNED: on_helper by __ctype_b_loc

HANDLER(on_length) {
  (void)fd, (void)what;
  struct client *client = arg;
  client->letters = (int)strlen(client->text);
}
// ANY THREAD: on_length
// CONFLICT session: on_length on_length: client->letters

int main(void) {
  base = event_base_new();
  struct client *client = calloc(1, sizeof *client);
  uselocale(newlocale(LC_ALL_MASK, "C", NULL));
  when_readable(3, on_print, client);
  when_readable(4, on_scan, client);
  when_readable(5, on_helper, client);
  when_readable(6, on_length, client);
  return event_base_dispatch(base);
}
