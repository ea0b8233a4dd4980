// What the core uses of the program's own libevent: its log, which the program may have redirected.
//
// The symbols are weak. libmultivent.so is preloaded and so takes them from the libevent that the program brings; in a
// program without one they are null, which is how the start-up notices.
#pragma once

#include <atomic>
#include <string>
#include <vector>

extern "C" {
// Set by event_enable_debug_mode(); libevent's threading code reads it too.
extern int event_debug_mode_on_;
}

namespace heddle::multivent::library {

// True if there is a libevent in the process, whose log and locks we can call.
bool present();

// A warning with, and without, the text of errno. Not for who has a base's mutex: the program's log function may call
// libevent, which takes that.
[[gnu::format(printf, 1, 2)]] void warn(const char* format, ...);
[[gnu::format(printf, 1, 2)]] void warn_x(const char* format, ...);

// The same, said when this thread has given the mutex up: by the next say_what_was_kept().
[[gnu::format(printf, 1, 2)]] void warn_later(const char* format, ...);
[[gnu::format(printf, 1, 2)]] void warn_x_later(const char* format, ...);

// What this thread is to say later; null: nothing.
using Kept = std::vector<std::string>;
[[gnu::tls_model("initial-exec")]] extern constinit thread_local Kept* kept;
void say_it();
// The program has a function of its own for messages (event_set_log_callback). Written by threads of the program, while
// no other uses libevent; an older value says that no message is for it: relaxed.
inline std::atomic<bool> program_logs{false};
inline void say_what_was_kept() {
  if (kept != nullptr) [[unlikely]]
    say_it();
}

[[gnu::format(printf, 1, 2)]] void message(const char* format, ...);
// Ends the process the way libevent's fatal errors do, through the program's fatal callback if it set one.
[[noreturn, gnu::format(printf, 2, 3)]] void fatal(int exit_code, const char* format, ...);

// libevent's code for "abort() instead of exit()".
inline constexpr int kAbort = static_cast<int>(0xdeaddead);

// getenv(), but nothing in a set-user-id program.
const char* environment(const char* name);

}  // namespace heddle::multivent::library
