#include "elyze/oracle/runtime/events.hpp"

#include <dlfcn.h>
#include <event2/event.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>

#include "elyze/oracle/runtime/process.hpp"

namespace heddle::oracle::events {
namespace {

constexpr int kPending = EVLIST_TIMEOUT | EVLIST_INSERTED | EVLIST_ACTIVE | EVLIST_ACTIVE_LATER;

// Under the recorder's lock. Never destroyed: events are freed until the process is gone.
std::unordered_map<const event*, Cause>& causes() {
  static auto& all = *new std::unordered_map<const event*, Cause>;
  return all;
}

// The one-shot call that is being made on this thread, until its handler has begun.
[[gnu::tls_model("initial-exec")]] thread_local const Cause* one_shot = nullptr;

struct OneShot {
  event_callback_fn function;
  void* argument;
  Cause cause;
};

void call_one_shot(evutil_socket_t descriptor, short what, void* argument) {
  const OneShot once = *static_cast<OneShot*>(argument);
  {
    const Guard guard;
    ::operator delete(argument);
  }
  one_shot = &once.cause;
  once.function(descriptor, what, once.argument);
  one_shot = nullptr;
}

OneShot* make_one_shot(event_callback_fn function, void* argument) {
  const Guard guard;
  auto* once = static_cast<OneShot*>(::operator new(sizeof(OneShot)));
  *once = {function, argument, guard ? guard.recorder().depart(guard.thread()) : Cause{}};
  return once;
}

void drop(OneShot* once) {
  const Guard guard;
  ::operator delete(once);
}

// Notes the running invocation as what made the event due, unless the event was pending anyway.
void note_due(const event* ev) {
  if (ev == nullptr || (ev->ev_evcallback.evcb_flags & kPending) != 0) return;
  const Guard guard;
  if (guard) causes()[ev] = guard.recorder().depart(guard.thread());
}

template <typename Function>
Function* behind(Function*, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

template <typename Function>
Function* of_libevent(Function*, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

using Words = std::array<Address, 128>;  // the first ones of an event base, 0 behind the end of its memory

Words words_of(const event_base* base) {
  Words words{};
  const iovec here{words.data(), sizeof words};
  const iovec there{const_cast<event_base*>(base), sizeof words};  // NOLINT: it is only read
  if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) < 0) return {};
  return words;
}

struct Probe {
  event_base* base;
  Words words;
};

void look_at_base(evutil_socket_t /*descriptor*/, short /*what*/, void* argument) {
  auto& probe = *static_cast<Probe*>(argument);
  probe.words = words_of(probe.base);
}

// In which word of its base libevent notes what it calls: the one that leads to an event of ours while that is called,
// and nowhere afterwards. -1 where there is none such.
std::ptrdiff_t find_word_of_what_runs() {
  auto* const make_base = of_libevent(&event_base_new, "event_base_new");
  auto* const free_base = of_libevent(&event_base_free, "event_base_free");
  auto* const make = of_libevent(&event_new, "event_new");
  auto* const free = of_libevent(&event_free, "event_free");
  auto* const activate = of_libevent(&event_active, "event_active");
  auto* const loop = of_libevent(&event_base_loop, "event_base_loop");
  if (!make_base || !free_base || !make || !free || !activate || !loop) return -1;
  const Unwatched unwatched;
  Probe probe{make_base(), {}};
  if (probe.base == nullptr) return -1;
  event* const ours = make(probe.base, -1, 0, look_at_base, &probe);
  std::ptrdiff_t place = -1;
  if (ours != nullptr) {
    activate(ours, EV_TIMEOUT, 1);
    loop(probe.base, EVLOOP_NONBLOCK);
    const auto* const found =
        std::find(probe.words.begin(), probe.words.end(), reinterpret_cast<Address>(&ours->ev_evcallback));
    if (found != probe.words.end()) place = found - probe.words.begin();
    if (place >= 0 && words_of(probe.base)[static_cast<std::size_t>(place)] != 0) place = -1;
    free(ours);
  }
  free_base(probe.base);
  return place;
}

std::ptrdiff_t word_of_what_runs() {
  static const std::ptrdiff_t place = find_word_of_what_runs();
  return place;
}

}  // namespace

void prepare() { word_of_what_runs(); }

const event* running(const void* base) {
  using Running = event*(event_base*);
  static auto* const ask = reinterpret_cast<Running*>(dlsym(RTLD_DEFAULT, "event_base_get_running_event"));
  static auto* const usual = static_cast<event_base**>(dlsym(RTLD_DEFAULT, "event_global_current_base_"));
  if (base == nullptr && usual != nullptr) base = *usual;
  if (ask == nullptr || base == nullptr) return nullptr;
  // libevent 2.1 answers only while it calls an event: it follows what it noted without a look. But it also calls
  // finalisers, allocators and cleanups.
  if (const std::ptrdiff_t place = word_of_what_runs(); place >= 0) {
    Address noted = 0;
    std::memcpy(&noted, static_cast<const Address*>(base) + place, sizeof noted);
    if (noted == 0) return nullptr;
  }
  return ask(static_cast<event_base*>(const_cast<void*>(base)));  // NOLINT: it only reads
}

Cause cause_of_call(const event* fired) {
  if (one_shot != nullptr) {
    const Cause cause = *one_shot;
    one_shot = nullptr;
    return cause;
  }
  const auto known = causes().find(fired);
  return known == causes().end() ? Cause{} : known->second;
}

bool calls(const event* fired, const void* function) {
  return fired != nullptr &&
         reinterpret_cast<const void*>(fired->ev_evcallback.evcb_cb_union.evcb_callback) == function;
}

}  // namespace heddle::oracle::events

using namespace heddle::oracle;
using namespace heddle::oracle::events;

extern "C" {

int event_add(event* ev, const timeval* timeout) {
  static auto* const next = behind(&event_add, "event_add");
  note_due(ev);
  return next(ev, timeout);
}

void event_active(event* ev, int what, short calls) {
  static auto* const next = behind(&event_active, "event_active");
  note_due(ev);
  next(ev, what, calls);
}

int event_base_once(event_base* base, evutil_socket_t descriptor, short what, event_callback_fn function,
                    void* argument, const timeval* timeout) {
  static auto* const next = behind(&event_base_once, "event_base_once");
  OneShot* once = make_one_shot(function, argument);
  const int result = next(base, descriptor, what, call_one_shot, once, timeout);
  if (result != 0) drop(once);
  return result;
}

int event_once(evutil_socket_t descriptor, short what, event_callback_fn function, void* argument,
               const timeval* timeout) {
  static auto* const next = behind(&event_once, "event_once");
  OneShot* once = make_one_shot(function, argument);
  const int result = next(descriptor, what, call_one_shot, once, timeout);
  if (result != 0) drop(once);
  return result;
}

}  // extern "C"
