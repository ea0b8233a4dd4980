#include "pico/core/context.hpp"

#include <cxxabi.h>
#include <pthread.h>

#include "base/assert.hpp"

namespace heddle::pico {

KernelThreadState KernelThreadState::of_this_thread() {
  // The ABI gives a pointer to a type that it declares and leaves open; its fields are these.
  return {&errno, reinterpret_cast<Exceptions*>(abi::__cxa_get_globals())};
}

void Context::prepare(void* top, [[maybe_unused]] std::size_t size, void (*entry)(boost::context::detail::transfer_t)) {
  bottom_ = static_cast<char*>(top) - size;
  where_ = boost::context::detail::make_fcontext(top, size, entry);
#ifdef HEDDLE_PICO_ASAN
  size_ = size;
#endif
#ifdef HEDDLE_PICO_TSAN
  fiber_ = __tsan_create_fiber(0);
#endif
}

void Context::adopt_this_stack() {
#ifdef HEDDLE_PICO_ASAN
  pthread_attr_t attributes;
  void* bottom = nullptr;
  HEDDLE_ASSERT(pthread_getattr_np(pthread_self(), &attributes) == 0);
  HEDDLE_ASSERT(pthread_attr_getstack(&attributes, &bottom, &size_) == 0);
  pthread_attr_destroy(&attributes);
  bottom_ = static_cast<char*>(bottom);
#endif
#ifdef HEDDLE_PICO_TSAN
  fiber_ = __tsan_get_current_fiber();
#endif
}

// What run_on_top() hands to the other stack.
struct Context::Visit {
  void (*act)(void*);
  void* data;
  Context* host;
  Context* caller;
};

boost::context::detail::transfer_t Context::receive(boost::context::detail::transfer_t from) {
  const Visit& visit = *static_cast<Visit*>(from.data);
#ifdef HEDDLE_PICO_ASAN
  __sanitizer_finish_switch_fiber(visit.host->fake_stack_, nullptr, nullptr);
#endif
  visit.act(visit.data);
  visit.host->leave(*visit.caller);
  // Whoever resumes this stack the next time is passed on to the switch that it stands on.
  return boost::context::detail::jump_fcontext(from.fctx, visit.host);
}

void Context::run_on_top(void (*act)(void*), void* data, Context& caller) {
  Visit visit{act, data, this, &caller};
  caller.leave(*this);
  caller.arrived(boost::context::detail::ontop_fcontext(where_, &visit, receive));
}

}  // namespace heddle::pico
