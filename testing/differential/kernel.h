// A clock that stands still while anything can be done, and an epoll_wait() that moves it.
//
// Traces of two runs can only be compared if they do not depend on how fast the machine was. The program therefore
// defines clock_gettime(), gettimeofday(), epoll_wait() and epoll_pwait2() itself, and the dynamic linker binds the
// event library to them. Time moves when a wait that may block finds nothing ready: by the whole timeout, at once.
//
// With several threads, "nothing" also means that no callback runs and that every other thread sleeps in the kernel:
// then nothing can become due before the time that the library asked for.
#pragma once

#include <stdint.h>

// Virtual time since the start of the program.
int64_t kernel_now_us(void);
// A callback that takes so long.
void kernel_pass_time(int64_t duration_us);

// Around every callback. A loop may be run inside of one.
void kernel_enter_callback(void);
void kernel_leave_callback(void);
int kernel_callback_depth(void);

// Called when a wait without end finds nothing, once for each; `depth` counts the callbacks around that loop.
void kernel_when_quiet(void (*function)(int depth));
