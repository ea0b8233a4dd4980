/* pico for C: threads so cheap that a program can have one for each thing that it does, in plain blocking code.
 *
 *   static void *serve(void *argument) {
 *     pico_socket_t *peer = argument;
 *     char bytes[1024];
 *     ssize_t count;
 *     while ((count = pico_read(peer, bytes, sizeof bytes)) > 0 && pico_write(peer, bytes, (size_t)count) == 0) {
 *     }
 *     pico_close(peer);
 *     return NULL;
 *   }
 *
 *   static void *start(void *argument) {
 *     pico_socket_t *listening = pico_listen("127.0.0.1", 8080);
 *     for (pico_socket_t *peer; (peer = pico_accept(listening)) != NULL;) pico_detach(pico_spawn(serve, peer));
 *     return argument;
 *   }
 *
 *   int main(void) { return pico_run(1, start, NULL, NULL); }
 *
 * A function returns 0, or what it is for, or -1 (NULL where it returns a pointer) with errno:
 *
 *   ECANCELED  the calling thread was cancelled, and might have waited: it should tidy up and return
 *   ETIMEDOUT  the deadline of the socket has passed, data or not
 *   EPERM      the caller is no pico thread
 *   ENOMEM     no memory
 *
 * and what the kernel says. A pico thread has about 60 KB of stack: see pico_on_big_stack(). None of these functions
 * may be called between setjmp() and a longjmp() over it, and no thread may be left by longjmp(). */
#ifndef PICO_H
#define PICO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(modernize-use-using): C has no other word */
typedef void* (*pico_function_t)(void* argument);

/* A thread, for whoever joins or detaches it: one of both must be done, once. */
typedef struct pico_thread pico_thread_t;
typedef struct pico_mutex pico_mutex_t;
typedef struct pico_socket pico_socket_t;
/* NOLINTEND(modernize-use-using) */

/* --- Threads --- */

/* Calls main_function(argument) as the first thread and returns when that and all that were spawned have ended. There
 * are `workers` kernel threads, the caller's among them; any of them may start a new thread, which then stays with it.
 * With one, no two threads ever run at once. What main_function returns is written to *result, unless that is NULL.
 * EINVAL: no workers; EDEADLK: by a pico thread. */
int pico_run(size_t workers, pico_function_t main_function, void* argument, void** result);

/* A new thread, which runs function(argument) when the calling one waits. */
pico_thread_t* pico_spawn(pico_function_t function, void* argument);

/* Waits until the thread has ended, and writes what its function has returned to *result, unless that is NULL. The
 * handle is gone behind 0, and still there behind -1: ECANCELED if the caller was cancelled, EBUSY if another thread
 * waits here, EDEADLK in the thread itself. A thread that was cancelled before it began has not called its function,
 * and leaves NULL. */
int pico_join(pico_thread_t* thread, void** result);

/* The caller does not want to know how it ends. The handle is gone. Ignores NULL. */
void pico_detach(pico_thread_t* thread);

/* Ends the wait of the thread, this one and those that follow, with ECANCELED. */
void pico_cancel(pico_thread_t* thread);

/* Lets all others that are ready run. ECANCELED. */
int pico_yield(void);

/* Waits for so many nanoseconds, or until pico_now() is `time`. ECANCELED. */
int pico_sleep(int64_t nanoseconds);
int pico_sleep_until(int64_t time);

/* CLOCK_MONOTONIC in nanoseconds, which deadlines are times of. */
int64_t pico_now(void);

/* --- Mutexes. Who lets go of one wakes the thread that waits longest, and whoever comes first takes it; one that has
 * come too late a few times is served before all others. --- */

pico_mutex_t* pico_mutex_new(void);
void pico_mutex_free(pico_mutex_t* mutex); /* nobody has it or waits for it; ignores NULL */
/* Waits even if the thread was cancelled. EPERM. */
int pico_mutex_lock(pico_mutex_t* mutex);
/* EBUSY if somebody has it. */
int pico_mutex_trylock(pico_mutex_t* mutex);
/* By the thread that has it. */
int pico_mutex_unlock(pico_mutex_t* mutex);

/* --- Sockets: a call returns when it is done, and other threads run meanwhile --- */

#define PICO_NEVER INT64_MAX

/* A connected TCP socket, to the first address of the host that answers. ENOENT: the host has no address; ETIMEDOUT
 * behind the deadline, a time of pico_now() or PICO_NEVER, which is the socket's from now on; ECONNREFUSED and others.
 */
pico_socket_t* pico_connect(const char* host, uint16_t port, int64_t deadline);

/* A listening one, at an IPv4 or IPv6 address given by number. Port 0: any that is free. EINVAL: not a number. */
pico_socket_t* pico_listen(const char* address, uint16_t port);

/* The next connection. */
pico_socket_t* pico_accept(pico_socket_t* listening);

/* Takes a descriptor over, and makes it one that does not block. The descriptor is closed if that fails. */
pico_socket_t* pico_socket_of(int descriptor);

/* For all calls that follow. PICO_NEVER: none. */
void pico_set_deadline(pico_socket_t* socket, int64_t deadline);

/* As many bytes as there are, at least one; 0 at the end. */
ssize_t pico_read(pico_socket_t* socket, void* into, size_t size);
/* All of them. */
int pico_write(pico_socket_t* socket, const void* bytes, size_t size);
/* The peer sees the end; this side still reads. */
int pico_shutdown_write(pico_socket_t* socket);

/* The port at this side; 0 with errno if there is none. */
uint16_t pico_local_port(pico_socket_t* socket);
/* The descriptor, for getsockopt() and the like; it stays the socket's. */
int pico_descriptor(const pico_socket_t* socket);

/* With one worker, threads that wait for it go on with EBADF; with several, no other may be in a call on it. It is gone
 * for all of them. Ignores NULL. */
void pico_close(pico_socket_t* socket);

/* --- Calls that would stop a worker, or need more stack. The function must not call pico. --- */

/* On a kernel thread beside the workers, for calls that wait in the kernel: getaddrinfo(), files, a library that reads
 * from a socket. ECANCELED: it was not called; EAGAIN: no kernel thread can be started. */
int pico_on_helper(pico_function_t function, void* argument, void** result);

/* On the worker's own stack, which is as large as that of any kernel thread, for calls that compute. EPERM. */
int pico_on_big_stack(pico_function_t function, void* argument, void** result);

#ifdef __cplusplus
}
#endif

#endif
