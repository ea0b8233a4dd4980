/* Which answer a request gets: a file or part of it, a directory's listing, or a refusal. */
#ifndef FILESERVER_RESOURCE_H
#define FILESERVER_RESOURCE_H

struct conn;

/* Answers the request in hand; always leaves something to send. */
void resource_answer(struct conn *conn);

#endif
