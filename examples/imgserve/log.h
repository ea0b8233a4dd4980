/* The access log: lines are gathered in memory and written when the buffer is full or log_flush() is called. */
#ifndef IMGSERVE_LOG_H
#define IMGSERVE_LOG_H

#include <stdbool.h>

/* NULL: nothing is logged; "-": standard output. False with errno set if the file cannot be opened. */
bool log_open(const char *file);

/* One line, with the time before it. */
void log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

void log_flush(void);
void log_close(void);

#endif
