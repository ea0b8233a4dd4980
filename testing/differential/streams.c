#include "kernel.h"
#include "session.h"

static int index_of(const struct Session* session, const struct bufferevent* stream) {
  for (int i = 0; i < kStreams; ++i)
    if (session->streams[i] == stream) return i;
  return -1;
}

static void on_read(struct bufferevent* stream, void* argument) {
  struct Session* session = argument;
  session_enter(session);
  struct evbuffer* input = bufferevent_get_input(stream);
  const size_t length = evbuffer_get_length(input);
  session_say(session, "%lld: stream %d read %zu", (long long)kernel_now_us(), index_of(session, stream), length);
  evbuffer_drain(input, (size_t)session_pick(session, (int)length + 1));
  --session->calls_left;
  if (!session->stopped) act(session);
  session_leave(session);
}

static void on_write(struct bufferevent* stream, void* argument) {
  struct Session* session = argument;
  session_enter(session);
  session_say(session, "%lld: stream %d written, %zu left", (long long)kernel_now_us(), index_of(session, stream),
              evbuffer_get_length(bufferevent_get_output(stream)));
  --session->calls_left;
  if (!session->stopped) act(session);
  session_leave(session);
}

static void on_event(struct bufferevent* stream, short what, void* argument) {
  struct Session* session = argument;
  session_enter(session);
  session_say(session, "%lld: stream %d event 0x%x", (long long)kernel_now_us(), index_of(session, stream),
              (unsigned)what);
  session_leave(session);
}

static void on_buffer(struct evbuffer* buffer, const struct evbuffer_cb_info* change, void* argument) {
  struct Session* session = argument;
  session_enter(session);
  session_say(session, "%lld: buffer %zu, was %zu, added %zu, deleted %zu", (long long)kernel_now_us(),
              evbuffer_get_length(buffer), change->orig_size, change->n_added, change->n_deleted);
  session_leave(session);
}

static void set_up(struct Session* session, struct bufferevent* stream) {
  bufferevent_setcb(stream, on_read, on_write, on_event, session);
  bufferevent_enable(stream, EV_READ | EV_WRITE);
}

// Two ends of a socket, and two that are joined inside the library.
void streams_open(struct Session* session) {
  const int deferred = session_pick(session, 2) ? BEV_OPT_DEFER_CALLBACKS : 0;
  int ends[2];
  if (evutil_socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return;
  for (int i = 0; i < 2; ++i) {
    evutil_make_socket_nonblocking(ends[i]);
    session->streams[i] = bufferevent_socket_new(session->base, ends[i], BEV_OPT_CLOSE_ON_FREE | deferred);
  }
  if (bufferevent_pair_new(session->base, session_pick(session, 2) ? BEV_OPT_DEFER_CALLBACKS : 0,
                           &session->streams[2]) != 0)
    return;
  for (int i = 0; i < kStreams; ++i) set_up(session, session->streams[i]);
  session->buffer = evbuffer_new();
  if (session_pick(session, 2)) evbuffer_defer_callbacks(session->buffer, session->base);
  evbuffer_add_cb(session->buffer, on_buffer, session);
}

void streams_act(struct Session* session) {
  const int index = session_pick(session, kStreams);
  struct bufferevent* stream = session->streams[index];
  const int length = 1 + session_pick(session, 60);
  const struct timeval time = {0, 1000 * (1 + session_pick(session, 5))};
  static const char bytes[64];
  int choice = session_pick(session, 9);
  // Enabling adds an event with a timeout, which may just be up; see add_randomly().
  if (choice == 3 && (session->timed_streams & (1U << index))) choice = 4;
  switch (choice) {
    case 0:
    case 1:
    case 2:
      session_say(session, "  stream %d write %d = %d", index, length,
                  bufferevent_write(stream, bytes, (size_t)length));
      break;
    case 3:
      session_say(session, "  stream %d enable = %d", index, bufferevent_enable(stream, EV_READ | EV_WRITE));
      break;
    case 4:
      session_say(session, "  stream %d disable = %d", index, bufferevent_disable(stream, EV_READ));
      break;
    case 5:
      session->timed_streams |= 1U << index;
      session_say(session, "  stream %d times = %d", index, bufferevent_set_timeouts(stream, &time, NULL));
      break;
    case 6:
      session_say(session, "  stream %d trigger", index);
      bufferevent_trigger(stream, EV_READ, BEV_TRIG_IGNORE_WATERMARKS | BEV_TRIG_DEFER_CALLBACKS);
      break;
    case 7:
      session_say(session, "  buffer add %d = %d", length, evbuffer_add(session->buffer, bytes, (size_t)length));
      break;
    default:
      session_say(session, "  buffer drain %d = %d", length, evbuffer_drain(session->buffer, (size_t)length));
      break;
  }
}

void streams_stop(struct Session* session) {
  for (int i = 0; i < kStreams; ++i)
    if (session->streams[i] != NULL) bufferevent_disable(session->streams[i], EV_READ | EV_WRITE);
}
