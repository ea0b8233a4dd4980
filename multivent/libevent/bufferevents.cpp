// Making and changing bufferevents: libevent's own functions, seen on their way.
#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include <atomic>
#include <mutex>

#include "multivent/libevent/abi.hpp"
#include "multivent/libevent/http.hpp"
#include "multivent/libevent/next.hpp"
#include "multivent/owners/owners.hpp"
#include "multivent/process/runtime.hpp"
#include "multivent/process/startup.hpp"

using namespace heddle::multivent;

struct ssl_st;

// libevent_openssl has a header that wants OpenSSL's; a program without it never calls these.
extern "C" {
bufferevent* bufferevent_openssl_socket_new(event_base* base, evutil_socket_t fd, ssl_st* ssl, int state, int options);
bufferevent* bufferevent_openssl_filter_new(event_base* base, bufferevent* underlying, ssl_st* ssl, int state,
                                            int options);
}

namespace {

// A function that makes something ready at its first call, without a lock, as a library of one thread may: of several
// first calls each is made alone. BIO_s_bufferevent() of bufferevent_openssl.c does so with what OpenSSL calls back.
class FirstAlone {
 public:
  template <class Call>
  auto call(const Call& call) {
    if (made_.load(std::memory_order_acquire)) return call();
    const std::lock_guard held(mutex_);
    auto result = call();
    made_.store(true, std::memory_order_release);
    return result;
  }

 private:
  std::recursive_mutex mutex_;
  std::atomic<bool> made_{false};  // release after the first call, with the acquire of the later ones
};

bufferevent* follow(bufferevent* made, const bufferevent* underlying = nullptr) {
  if (made != nullptr && followed()) Owners::get().made(*made, underlying);
  return made;
}

}  // namespace

bufferevent* bufferevent_socket_new(event_base* base, evutil_socket_t fd, int options) {
  const AsWithoutOurLocks guard((options & BEV_OPT_THREADSAFE) != 0);
  return follow(HEDDLE_NEXT(bufferevent_socket_new)(base, fd, options));
}

bufferevent* bufferevent_openssl_socket_new(event_base* base, evutil_socket_t fd, ssl_st* ssl, int state, int options) {
  return follow(HEDDLE_NEXT(bufferevent_openssl_socket_new)(base, fd, ssl, state, options));
}

bufferevent* bufferevent_openssl_filter_new(event_base* base, bufferevent* underlying, ssl_st* ssl, int state,
                                            int options) {
  const auto make = [&] { return HEDDLE_NEXT(bufferevent_openssl_filter_new)(base, underlying, ssl, state, options); };
  static FirstAlone first;
  return follow(followed() ? first.call(make) : make(), underlying);
}

bufferevent* bufferevent_filter_new(bufferevent* underlying, bufferevent_filter_cb input, bufferevent_filter_cb output,
                                    int options, void (*free_context)(void*), void* context) {
  bufferevent* const made = follow(
      HEDDLE_NEXT(bufferevent_filter_new)(underlying, input, output, options, free_context, context), underlying);
  if (made == nullptr || !followed()) return made;
  Owners::get().also_calls(made, reinterpret_cast<const void*>(input), context);
  Owners::get().also_calls(made, reinterpret_cast<const void*>(output), context);
  Owners::get().also_calls(made, reinterpret_cast<const void*>(free_context), context);
  return made;
}

int bufferevent_pair_new(event_base* base, int options, bufferevent* pair[2]) {
  const AsWithoutOurLocks guard((options & BEV_OPT_THREADSAFE) != 0);
  const int result = HEDDLE_NEXT(bufferevent_pair_new)(base, options, pair);
  if (result == 0 && followed()) Owners::get().made_pair(*pair[0], *pair[1]);
  return result;
}

void bufferevent_setcb(bufferevent* object, bufferevent_data_cb read, bufferevent_data_cb write,
                       bufferevent_event_cb event, void* argument) {
  if (read == nullptr && write == nullptr && event == nullptr && followed()) {
    Owners::get().remember(*object);
    http::let_go(*object);
  }
  HEDDLE_NEXT(bufferevent_setcb)(object, read, write, event, argument);
  http::pointed_at(argument);
}

// The members of a group stop and start each other, whoever reads or writes.
int bufferevent_add_to_rate_limit_group(bufferevent* object, bufferevent_rate_limit_group* group) {
  Owners::get().keep_alone(object);
  return HEDDLE_NEXT(bufferevent_add_to_rate_limit_group)(object, group);
}

// A part of a file is counted under its own lock by all buffers that it is in. libevent gives it that when it is made,
// which may be before the first base.
evbuffer_file_segment* evbuffer_file_segment_new(int file, ev_off_t offset, ev_off_t length, unsigned flags) {
  if (Runtime::get().parallel() || !Startup::get().settled()) give_libevent_locks();
  return HEDDLE_NEXT(evbuffer_file_segment_new)(file, offset, length, flags);
}

// libevent calls it too, with the lock of a bufferevent.
int evbuffer_enable_locking(evbuffer* buffer, void* lock) {
  const AsWithoutOurLocks guard(lock == nullptr);
  return HEDDLE_NEXT(evbuffer_enable_locking)(buffer, lock);
}

// From here on two buffers count references to the data of `source`, in whatever call drains them.
int evbuffer_add_buffer_reference(evbuffer* target, evbuffer* source) {
  if (Runtime::get().parallel()) HEDDLE_NEXT(evbuffer_enable_locking)(source, nullptr);
  return HEDDLE_NEXT(evbuffer_add_buffer_reference)(target, source);
}
