// A virtual call in C++: which override runs is in the object, and each is followed.
// CONFLICT always: on_work on_work: total
// CONFLICT always: on_work on_show: total
// SAFE: on_show on_show

#include <event2/event.h>

#include <cstdio>

static const struct timeval second = {1, 0};
static int total;

namespace {

struct Job {
  virtual ~Job() = default;
  virtual void work() = 0;
};

struct Counting : Job {
  void work() override { ++total; }
};

struct Idle : Job {
  void work() override {}
};

struct Session {
  Job* job;
};

}  // namespace

extern "C" {

void on_work(evutil_socket_t, short, void* arg) { static_cast<Session*>(arg)->job->work(); }

void on_show(evutil_socket_t, short, void*) { std::printf("%d\n", total); }
}

int main(int count, char**) {
  event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    auto* s = new Session;
    s->job = count > 1 ? static_cast<Job*>(new Counting) : static_cast<Job*>(new Idle);
    event_add(event_new(base, -1, EV_PERSIST, on_work, s), &second);
  }
  event_add(event_new(base, -1, EV_PERSIST, on_show, nullptr), &second);
  return event_base_dispatch(base);
}
