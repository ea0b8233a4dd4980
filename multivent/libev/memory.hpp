// Memory as the program has it from libev: its own function (ev_set_allocator) or the C library's.
//
// For what is made for a program: loops, and watchers of ev_once(). A loop's tables are ours, and not of that function.
#pragma once

#include <cstddef>

namespace heddle::multivent::libev {

using Allocator = void* (*)(void* memory, long size);
void set_allocator(Allocator allocator);

// Never null: where there is no memory the process ends.
void* take(std::size_t size);
void give_back(void* memory);

using ErrorFunction = void (*)(const char* message);
void set_error_function(ErrorFunction function);

// Tells the program of a system call that has failed and will be tried again: by its own function
// (ev_set_syserr_cb), or by perror(), and the process ends.
void system_error(const char* message);

}  // namespace heddle::multivent::libev
