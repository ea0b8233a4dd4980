/* From the target of a request to a file below the root, and to no other file. */
#ifndef FILESERVER_PATH_H
#define FILESERVER_PATH_H

#include <limits.h>
#include <stdbool.h>

/* Makes the directory the working directory, which is where every path starts. False with errno set. */
bool path_root(const char *directory);

/* Undoes %XX, drops the query, works out `.`, `..` and doubled slashes. The result starts with a slash, and ends with
 * one if it names a directory. Returns 200, or the status to refuse the target with. */
int path_decode(const char *target, char path[PATH_MAX]);

/* The file of such a path, with every symbolic link followed, for open(). What links lead to outside the root is
 * refused. Who can write below the root can exchange a link between this and open(), and is trusted. */
int path_resolve(const char *path, char file[PATH_MAX]);

#endif
