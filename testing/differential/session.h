// A random event program: what it consists of.
//
// Everything that happens in a session is decided by its own random numbers and written to its own trace, so that two
// sessions which touch nothing in common leave the same traces in whatever order their callbacks are interleaved. The
// modes differ in what a session may do (Can):
//   serial    one session that does everything that libevent allows
//   crew      one session; nothing in it depends on what is found by one poll and what by the next, for a crew polls
//             while callbacks run
//   sessions  several such sessions in one base, none of which may stop the loop
//
// An event's callback is chosen by its slot and its argument is the session, so that the callback alone tells the
// library which event it was.
#pragma once

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <stdbool.h>
#include <stdint.h>

enum { kSlots = 12, kPairs = 4, kStreams = 4, kInnerEvents = 3, kMostPriorities = 4 };

enum Can {
  kPipes = 1 << 0,        // descriptors
  kZeroTimers = 1 << 1,   // time that is up at once, and what the library builds from it
  kSignals = 1 << 2,      // many signals, raised at any time
  kOneSignal = 1 << 3,    // one signal, raised again when it has been handled
  kLoopControl = 1 << 4,  // break, exit, continue; passes of one kind or other
  kTellTime = 1 << 5,     // callbacks that take long, limits that depend on it
  kActivateAny = 1 << 6,  // event_active() of events that may be due anyway
  kCountActive = 1 << 7,  // questions about what is due but was not yet called
  kEdges = 1 << 8,        // edge-triggered events
  kBuffers = 1 << 9,      // bufferevents and evbuffers
  kInnerBase = 1 << 10,   // a second base whose loop runs inside of callbacks
  kPriorities = 1 << 11,
  kHangUps = 1 << 12,
  kCommonTimers = 1 << 13,
  kActivate = 1 << 14,     // event_active() of events that nothing else makes due
  kMany = 1 << 15,         // events on descriptors that may become due one by one or together
  kUniqueTimes = 1 << 16,  // no two timers are due at exactly the same time, where their order is not defined
};

enum Kind { kNone, kIo, kTimer, kSignal, kUser };

struct Slot {
  struct event* ev;
  enum Kind kind;
  int pair;         // of kIo
  bool finalizing;  // the library may still call its finaliser
};

struct Pair {
  int ends[2];
  int unread;  // bytes on the way from end 1 to end 0
};

struct Session {
  unsigned can;
  uint64_t random;
  struct event_base* base;
  struct event_base* inner;
  int priorities;
  int calls_left;  // callbacks until it stops by itself
  bool stopped;
  bool ending;            // the base is being freed
  bool signal_is_on_way;  // of kOneSignal
  const struct timeval* common;
  int times_asked;

  struct Slot slots[kSlots];
  struct Pair pairs[kPairs];
  struct bufferevent* streams[kStreams];
  unsigned timed_streams;  // a bit for each that has timeouts
  struct evbuffer* buffer;
  struct event* inner_events[kInnerEvents];

  _Atomic bool inside;  // a callback of it runs
  char* trace;
  unsigned long trace_used;
  unsigned long trace_size;
};

// session.c
extern const int session_signals[];  // that events wait for; the last one is 0
void session_open(struct Session* session, uint64_t seed, unsigned can, struct event_base* base, int priorities);
void session_say(struct Session* session, const char* format, ...) __attribute__((format(printf, 2, 3)));
int session_pick(struct Session* session, int below);
void session_enter(struct Session* session);
void session_leave(struct Session* session);
void session_stop(struct Session* session);
void slot_set_up(struct Session* session, int slot);
void slot_drop(struct Session* session, int slot);

// actions.c: something random, and what came of it in the trace
void act(struct Session* session);
void add_randomly(struct Session* session, int slot);

// streams.c: the same for bufferevents and evbuffers
void streams_open(struct Session* session);
void streams_act(struct Session* session);
void streams_stop(struct Session* session);
