// What the runtime has to say to the user, in the program's process.
//
// Standard error is the program's. Who has started it may have closed it; the program may close it too, and then a file
// that it opens gets the number 2. So nothing is said unless descriptor 2 is of the same file as when the process
// began. Nor does it end the program that nobody reads what is said.
#pragma once

#include <string_view>

namespace heddle::telemetry {

// Before main: this is standard error. Without it, that is whatever descriptor 2 is of.
void note_standard_error();

// Writes `text` there, as much as can be written. May be called by any thread.
void say(std::string_view text);

}  // namespace heddle::telemetry
