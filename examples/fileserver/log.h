/* The access log, in Common Log Format. */
#ifndef FILESERVER_LOG_H
#define FILESERVER_LOG_H

#include <stdbool.h>
#include <stddef.h>

struct conn;

/* NULL: nothing is logged; "-": standard output. False with errno set if the file cannot be opened. */
bool log_open(const char *file);

/* After somebody moved the file away: goes on in a new one. Where that cannot be opened, goes on in the old one. */
void log_reopen(void);

/* A line for the request in hand, of whose answer's body so many bytes were sent. */
void log_request(const struct conn *conn, size_t bytes);

void log_flush(void);
void log_close(void);

#endif
