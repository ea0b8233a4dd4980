// FLAGS: -std=c++17
// A thread-local object is destroyed when its thread ends, between any two steps of handlers (C++17 6.7.2): with one
// thread for all handlers the destructor finds one of them half done at most.
// CONFLICT always: on_a on_a: first
// CONFLICT always: on_a on_b: what destroy may see half done
// CONFLICT always: on_b on_b: second
#include <event2/event.h>
#include <pthread.h>

// What a compiler makes of the object: Itanium C++ ABI, 3.3.6.
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second, halves, object;

extern "C" void destroy(void*) {
  pthread_mutex_lock(&lock);
  halves = (first == 1) + (second == 1);
  pthread_mutex_unlock(&lock);
}

static void* run(void* argument) {
  __cxa_thread_atexit(destroy, &object, nullptr);
  return argument;
}

extern "C" void on_a(evutil_socket_t, short, void*) {
  pthread_mutex_lock(&lock);
  first = 1;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  first = 2;
  pthread_mutex_unlock(&lock);
}

extern "C" void on_b(evutil_socket_t, short, void*) {
  pthread_mutex_lock(&lock);
  second = 1;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  second = 2;
  pthread_mutex_unlock(&lock);
}

int main() {
  event_base* base = event_base_new();
  pthread_t thread;
  pthread_create(&thread, nullptr, run, nullptr);
  event_add(event_new(base, 3, EV_READ | EV_PERSIST, on_a, nullptr), nullptr);
  event_add(event_new(base, 4, EV_READ | EV_PERSIST, on_b, nullptr), nullptr);
  return event_base_dispatch(base);
}
