// operator<< calls the function that it is given (C++17, [ostream.inserters]/1).
// CONFLICT always: _ZL4on_aisPv _ZL4on_aisPv: printed
// CONFLICT always: _ZL4on_aisPv _ZL4on_bisPv: printed
// CONFLICT always: _ZL4on_bisPv _ZL4on_bisPv: printed
#include <iostream>

#include "server.h"

static int printed;
static std::ostream& counted(std::ostream& to) {
  printed++;
  return to;
}

HANDLER(on_a) {
  UNUSED;
  std::cout << counted;
}

HANDLER(on_b) {
  UNUSED;
  printed++;
}

int main() {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
