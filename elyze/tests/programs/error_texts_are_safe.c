// The manual of this C library calls strerror() and strsignal() safe: the text is constant, or the thread has its own.
// SAFE: on_error on_error
// SAFE: on_error on_signal
// SAFE: on_signal on_signal
#define _GNU_SOURCE
#include "server.h"

static const char *said(int number) { return strerror(number); }

HANDLER(on_error) {
  UNUSED;
  printf("%s\n", said(fd));
}

HANDLER(on_signal) {
  UNUSED;
  printf("%s\n", strsignal(fd));
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_error, NULL);
  when_readable(4, on_signal, NULL);
  return event_base_dispatch(base);
}
