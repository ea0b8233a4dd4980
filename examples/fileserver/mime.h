/* What kind of data a file holds, by its name. */
#ifndef FILESERVER_MIME_H
#define FILESERVER_MIME_H

struct mime {
  const char *type;
  const char *encoding; /* NULL: none; "gzip" for page.html.gz, whose type is that of page.html */
};

struct mime mime_of(const char *name);

#endif
