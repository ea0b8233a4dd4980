/* A crawl by hand with libcurl: its multi interface, links by hand, nothing written. Prints the number of pages.
 *
 *   libcurl PORT CONNECTIONS MOST_PAGES */
#define _GNU_SOURCE
#include <curl/curl.h>

#include "hand_scan.h"

enum { BUFFER = 256 << 10 };

struct transfer {
  CURL* easy;
  size_t got;
  char bytes[BUFFER];
};

static const char* port;

static size_t take(char* bytes, size_t size, size_t count, void* of) {
  struct transfer* const t = of;
  if (t->got + size * count > BUFFER) return 0;
  memcpy(t->bytes + t->got, bytes, size * count);
  t->got += size * count;
  return size * count;
}

static int send_next(struct transfer* t, CURLM* multi) {
  char url[512];
  const char* const path = take_path();
  if (path == NULL) return 0;
  snprintf(url, sizeof url, "http://127.0.0.1:%s%s", port, path);
  t->got = 0;
  curl_easy_setopt(t->easy, CURLOPT_URL, url);
  return curl_multi_add_handle(multi, t->easy) == CURLM_OK;
}

int main(int count, char** words) {
  if (count != 4) return 2;
  port = words[1];
  const size_t connections = strtoul(words[2], NULL, 10);
  begin_scan(strtoul(words[3], NULL, 10));
  curl_global_init(CURL_GLOBAL_ALL);
  CURLM* const multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)connections);
  struct transfer *const all = calloc(connections, sizeof *all), **idle = calloc(connections, sizeof *idle);
  size_t idle_count = 0, done = 0;
  for (size_t i = 0; i < connections; ++i) {
    struct transfer* const t = &all[i];
    t->easy = curl_easy_init();
    curl_easy_setopt(t->easy, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(t->easy, CURLOPT_WRITEDATA, t);
    curl_easy_setopt(t->easy, CURLOPT_PRIVATE, t);
    idle[idle_count++] = t;
  }
  add_path("/p/00000000.html", 16);
  for (;;) {
    while (idle_count > 0 && send_next(idle[idle_count - 1], multi)) --idle_count;
    if (idle_count == connections) break;
    int running, left;
    curl_multi_perform(multi, &running);
    for (CURLMsg* message; (message = curl_multi_info_read(multi, &left)) != NULL;) {
      struct transfer* t;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char**)&t);
      curl_multi_remove_handle(multi, t->easy);
      ++done;
      scan(t->bytes, t->got);
      idle[idle_count++] = t;
    }
    if (idle_count == 0) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  printf("%zu\n", done);
  return 0;
}
