// Where all threads are: printed by each worker when somebody asks, by a signal for example. pico/debug/pico_gdb.py
// does the same for a debugger, without the program's help.
#pragma once

namespace heddle::pico {
class Worker;
}

namespace heddle::pico::debug {

// By the worker's kernel thread, between two tasks: a line for each of its threads that has started, and the calls that
// it is in, on standard error.
void print_backtraces(Worker& worker);

// From now on this signal makes all workers of all runtimes print. 0: nothing.
void print_backtraces_on(int signal);

}  // namespace heddle::pico::debug
