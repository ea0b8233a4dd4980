// The headers of the C library and of POSIX.
#pragma once

#include "testing/specs/calls/arguments.h"

void prepare_library(void) {}
