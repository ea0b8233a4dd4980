// Where a stack of ours goes on, and the switch from one stack to another.
//
// The switch itself is Boost.Context's, which keeps the registers that a call must keep, and the control words of
// floating point. What else belongs to a thread of control moves with it here: `errno`, and the exceptions that are
// being handled (a thread may block in a catch clause). AddressSanitizer and ThreadSanitizer are told, for they keep a
// shadow of each stack.
//
// A context is switched to by one kernel thread only, the one whose worker it belongs to. So compilers may keep the
// addresses of thread-local variables across a switch.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#if defined(__SANITIZE_ADDRESS__)
#define HEDDLE_PICO_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEDDLE_PICO_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define HEDDLE_PICO_TSAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define HEDDLE_PICO_TSAN 1
#endif

#ifdef HEDDLE_PICO_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef HEDDLE_PICO_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace heddle::pico {

// What the C and C++ libraries keep for the kernel thread, in its thread-local storage; found once. The exceptions that
// are being handled: __cxa_eh_globals of the Itanium C++ ABI (section 2.2.2).
struct KernelThreadState {
  struct Exceptions {
    void* caught;
    unsigned uncaught;
  };

  static KernelThreadState of_this_thread();

  int* error = nullptr;
  Exceptions* exceptions = nullptr;
};

class Context {
 public:
  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  bool started() const { return where_ != nullptr; }

  // Makes it start with entry() on this stack, of `size` bytes that end at `top`. entry() must call arrived() first,
  // and never return.
  void prepare(void* top, std::size_t size, void (*entry)(boost::context::detail::transfer_t));

  // For a kernel thread's own stack.
  void adopt_this_stack();

  // Goes on with `next`; returns when somebody has switched back, with the context that did.
  Context* switch_to(Context& next, const KernelThreadState& state) {
    error_ = *state.error;
    caught_ = state.exceptions->caught;
    uncaught_ = state.exceptions->uncaught;
    leave(next);
    const auto from = boost::context::detail::jump_fcontext(next.where_, this);
    Context* const before = arrived(from);
    *state.error = error_;
    state.exceptions->caught = caught_;
    state.exceptions->uncaught = uncaught_;
    return before;
  }

  // The last switch: this context does not come back, and its stack may be used again once `next` runs.
  [[noreturn]] void leave_for_ever(Context& next) {
    leaves_for_ever_ = true;
    leave(next);
    boost::context::detail::jump_fcontext(next.where_, this);
    __builtin_unreachable();
  }

  // On the new stack, for whoever was switched to: notes where the context that was left goes on, and returns it.
  Context* arrived(boost::context::detail::transfer_t from) {
    auto* const before = static_cast<Context*>(from.data);
    before->where_ = from.fctx;
#ifdef HEDDLE_PICO_ASAN
    __sanitizer_finish_switch_fiber(fake_stack_, nullptr, nullptr);
#endif
#ifdef HEDDLE_PICO_TSAN
    if (before->leaves_for_ever_) __tsan_destroy_fiber(before->fiber_);
#endif
    return before;
  }

  // Runs act(data) on top of this stack, which is left as it was; for a context that does not run. The act must not
  // throw and must not switch.
  void run_on_top(void (*act)(void*), void* data, Context& caller);

  // Where the stack pointer stood when it was left, for debuggers; null before the start.
  const void* where() const { return where_; }
  const char* bottom() const { return bottom_; }

 private:
  struct Visit;
  static boost::context::detail::transfer_t receive(boost::context::detail::transfer_t from);

  // Inline: ThreadSanitizer counts calls and returns for each stack of its own, and must not see one of them in
  // between.
  [[gnu::always_inline]] void leave([[maybe_unused]] Context& next) {
#ifdef HEDDLE_PICO_ASAN
    __sanitizer_start_switch_fiber(leaves_for_ever_ ? nullptr : &fake_stack_, next.bottom_, next.size_);
#endif
#ifdef HEDDLE_PICO_TSAN
    __tsan_switch_to_fiber(next.fiber_, 0);
#endif
  }

  // All of it is used by the worker's kernel thread.
  boost::context::detail::fcontext_t where_ = nullptr;
  void* caught_ = nullptr;
  unsigned uncaught_ = 0;
  int error_ = 0;
  bool leaves_for_ever_ = false;
  const char* bottom_ = nullptr;
#ifdef HEDDLE_PICO_ASAN
  std::size_t size_ = 0;
  void* fake_stack_ = nullptr;
#endif
#ifdef HEDDLE_PICO_TSAN
  void* fiber_ = nullptr;
#endif
};

}  // namespace heddle::pico
