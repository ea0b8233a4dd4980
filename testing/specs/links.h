// What a scenario of links.c consists of; its arguments are made as in harness.h.
#pragma once

#include "testing/specs/harness.h"

struct link_action {
  const char* name;
  void (*prepare)(void);  // arguments of its own
  void (*run)(void);
};
struct link_scenario {
  const char* name;
  void (*set_up)(void);
  const struct link_action* actions;
  size_t count;
};
extern const struct link_scenario kScenarios[];
extern const size_t kScenarioCount;
