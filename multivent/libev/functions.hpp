// libev 4.33's public functions, as ev(3) has them; and what the default loop has beside others.
#pragma once

#include "multivent/calls/watcher_fields.hpp"

extern "C" {
extern ev_loop* ev_default_loop_ptr;  // macros of <ev.h> read it

int ev_version_major();
int ev_version_minor();
unsigned ev_supported_backends();
unsigned ev_recommended_backends();
unsigned ev_embeddable_backends();
double ev_time();
void ev_sleep(double delay);
void ev_set_allocator(void* (*function)(void* memory, long size));
void ev_set_syserr_cb(void (*function)(const char* message));

ev_loop* ev_default_loop(unsigned flags);
ev_loop* ev_loop_new(unsigned flags);
void ev_loop_destroy(ev_loop* loop);
void ev_loop_fork(ev_loop* loop);
double ev_now(ev_loop* loop);
void ev_now_update(ev_loop* loop);
unsigned ev_backend(ev_loop* loop);
unsigned ev_iteration(ev_loop* loop);
unsigned ev_depth(ev_loop* loop);
void ev_verify(ev_loop* loop);
int ev_run(ev_loop* loop, int flags);
void ev_break(ev_loop* loop, int how);
void ev_ref(ev_loop* loop);
void ev_unref(ev_loop* loop);
void ev_once(ev_loop* loop, int fd, int events, double timeout, void (*function)(int, void*), void* argument);
void ev_invoke_pending(ev_loop* loop);
unsigned ev_pending_count(ev_loop* loop);
void ev_set_io_collect_interval(ev_loop* loop, double interval);
void ev_set_timeout_collect_interval(ev_loop* loop, double interval);
void ev_set_userdata(ev_loop* loop, void* data);
void* ev_userdata(ev_loop* loop);
void ev_set_invoke_pending_cb(ev_loop* loop, ev_loop_callback function);
void ev_set_loop_release_cb(ev_loop* loop, ev_loop_callback release, ev_loop_callback acquire);
void ev_suspend(ev_loop* loop);
void ev_resume(ev_loop* loop);

void ev_feed_event(ev_loop* loop, void* watcher, int revents);
void ev_feed_fd_event(ev_loop* loop, int fd, int revents);
void ev_feed_signal(int signum);
void ev_feed_signal_event(ev_loop* loop, int signum);
void ev_invoke(ev_loop* loop, void* watcher, int revents);
int ev_clear_pending(ev_loop* loop, void* watcher);

void ev_io_start(ev_loop* loop, ev_io* watcher);
void ev_io_stop(ev_loop* loop, ev_io* watcher);
void ev_timer_start(ev_loop* loop, ev_timer* watcher);
void ev_timer_stop(ev_loop* loop, ev_timer* watcher);
void ev_timer_again(ev_loop* loop, ev_timer* watcher);
double ev_timer_remaining(ev_loop* loop, ev_timer* watcher);
void ev_periodic_start(ev_loop* loop, ev_periodic* watcher);
void ev_periodic_stop(ev_loop* loop, ev_periodic* watcher);
void ev_periodic_again(ev_loop* loop, ev_periodic* watcher);
void ev_signal_start(ev_loop* loop, ev_signal* watcher);
void ev_signal_stop(ev_loop* loop, ev_signal* watcher);
void ev_child_start(ev_loop* loop, ev_child* watcher);
void ev_child_stop(ev_loop* loop, ev_child* watcher);
void ev_stat_start(ev_loop* loop, ev_stat* watcher);
void ev_stat_stop(ev_loop* loop, ev_stat* watcher);
void ev_stat_stat(ev_loop* loop, ev_stat* watcher);
void ev_idle_start(ev_loop* loop, ev_idle* watcher);
void ev_idle_stop(ev_loop* loop, ev_idle* watcher);
void ev_prepare_start(ev_loop* loop, ev_prepare* watcher);
void ev_prepare_stop(ev_loop* loop, ev_prepare* watcher);
void ev_check_start(ev_loop* loop, ev_check* watcher);
void ev_check_stop(ev_loop* loop, ev_check* watcher);
void ev_fork_start(ev_loop* loop, ev_fork* watcher);
void ev_fork_stop(ev_loop* loop, ev_fork* watcher);
void ev_cleanup_start(ev_loop* loop, ev_cleanup* watcher);
void ev_cleanup_stop(ev_loop* loop, ev_cleanup* watcher);
void ev_embed_start(ev_loop* loop, ev_embed* watcher);
void ev_embed_stop(ev_loop* loop, ev_embed* watcher);
void ev_embed_sweep(ev_loop* loop, ev_embed* watcher);
void ev_async_start(ev_loop* loop, ev_async* watcher);
void ev_async_stop(ev_loop* loop, ev_async* watcher);
void ev_async_send(ev_loop* loop, ev_async* watcher);
}

namespace heddle::multivent::libev {

void feed_signal(int signum);
void stat_now(ev_stat& watcher);
// With the mutex of the default loop.
void watch_children(ev_loop& loop);
void watch_children_no_more(ev_loop& loop);

}  // namespace heddle::multivent::libev
