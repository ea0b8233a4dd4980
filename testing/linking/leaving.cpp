// Handlers that leave their loop in ways that C does not know: by an exception, and with the end of their thread.
//
//   leaving exception [MILLISECONDS]   beside another handler that takes so long
//   leaving elsewhere MILLISECONDS     the other handler throws
//   leaving thread
#include <event2/event.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Left {
  int value;
};

namespace {

const char* way;
unsigned takes_ms;
std::atomic<bool> second_began{false};
std::atomic<int> inside{0};
int result;

struct Stay {
  Stay() { ++inside; }
  ~Stay() { --inside; }
};

bool goes(const char* how) { return std::strcmp(way, how) == 0; }

}  // namespace

extern "C" {
void on_first(evutil_socket_t, short, void*) {
  const Stay stay;
  while (takes_ms != 0 && !second_began) usleep(1000);
  if (goes("thread")) pthread_exit(&result);
  if (goes("elsewhere")) pause();
  throw Left{7};
}

void on_second(evutil_socket_t, short, void*) {
  const Stay stay;
  second_began = true;
  usleep(takes_ms * 1000);
  if (goes("elsewhere")) throw Left{8};
}
}

namespace {

void* dispatch(void* argument) {
  auto* const base = static_cast<event_base*>(argument);
  event_base_once(base, -1, EV_TIMEOUT, on_first, nullptr, nullptr);
  if (takes_ms != 0) event_base_once(base, -1, EV_TIMEOUT, on_second, nullptr, nullptr);
  event_base_dispatch(base);
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  way = argc > 1 ? argv[1] : "exception";
  takes_ms = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 0;
  // The second time nothing may be left of the first.
  for (int round = 0; round < 2; ++round) {
    second_began = false;
    event_base* const base = event_base_new();
    if (goes("thread")) {
      pthread_t thread;
      void* left = nullptr;
      if (pthread_create(&thread, nullptr, dispatch, base) != 0 || pthread_join(thread, &left) != 0) return 1;
      std::printf("%s, %d inside\n", left == &result ? "ended" : "lost", inside.load());
    } else {
      try {
        dispatch(base);
        std::puts("came back");
      } catch (const Left& left) {
        std::printf("caught %d, %d inside\n", left.value, inside.load());
      }
    }
    std::printf("then %d\n", event_base_loop(base, EVLOOP_NONBLOCK));
    event_base_free(base);
  }
  return 0;
}
