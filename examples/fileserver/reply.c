#include "reply.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conn.h"
#include "date.h"
#include "text.h"

static const char *reason(int status) {
  static const struct {
    int status;
    const char *reason;
  } reasons[] = {
      {200, "OK"},
      {206, "Partial Content"},
      {301, "Moved Permanently"},
      {304, "Not Modified"},
      {400, "Bad Request"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {408, "Request Timeout"},
      {413, "Content Too Large"},
      {414, "URI Too Long"},
      {416, "Range Not Satisfiable"},
      {431, "Request Header Fields Too Large"},
      {503, "Service Unavailable"},
      {505, "HTTP Version Not Supported"},
  };
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
    if (reasons[i].status == status) return reasons[i].reason;
  }
  return "Internal Server Error";
}

static void set_out(struct conn *c, const struct text *head, const struct text *body) {
  size_t size = c->request.head ? 0 : body->used;
  if (head->failed || body->failed) return;
  c->out = malloc(head->used + size);
  if (c->out == NULL) return;
  memcpy(c->out, head->data, head->used);
  if (size > 0) memcpy(c->out + head->used, body->data, size);
  c->head_size = head->used;
  c->out_size = head->used + size;
}

static void format_head(struct text *head, const struct conn *c, const char *type, size_t size, const char *extra) {
  char date[DATE_SIZE];
  date_format(time(NULL), date);
  text_format(head, "HTTP/1.1 %d %s\r\nServer: fileserver\r\nDate: %s\r\n", c->status, reason(c->status), date);
  if (c->status != 304) text_format(head, "Content-Type: %s\r\nContent-Length: %zu\r\n", type, size);
  text_format(head, "%s%s%s\r\n", extra, c->status == 405 ? "Allow: GET, HEAD\r\n" : "",
              c->request.keep_alive ? "" : "Connection: close\r\n");
}

void reply_head(struct conn *c, int status, const char *type, size_t size, const char *extra) {
  static const struct text nothing;
  struct text head = {0};
  c->status = status;
  format_head(&head, c, type, size, extra);
  set_out(c, &head, &nothing);
  text_free(&head);
}

void reply_text(struct conn *c, int status, const char *type, const struct text *body, const char *extra) {
  struct text head = {0};
  c->status = status;
  format_head(&head, c, type, body->used, extra);
  set_out(c, &head, body);
  text_free(&head);
}

void reply_page(struct conn *c, int status, const char *extra) {
  struct text page = {0};
  text_format(&page, "<!doctype html>\n<title>%d %s</title>\n<h1>%d %s</h1>\n", status, reason(status), status,
              reason(status));
  reply_text(c, status, "text/html; charset=utf-8", &page, extra);
  text_free(&page);
}
