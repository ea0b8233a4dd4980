/* A web site that is made up as it is asked for, so cheaply that crawlers are measured and not their server:
 *
 *   site SIZE LINKS PAGES [DELAY_MS]
 *
 * Page number n is /p/n.html (eight digits), an HTML document of about SIZE bytes with LINKS links: to the first few
 * pages, as from a menu; to pages 3 n + 1, 3 n + 2 and 3 n + 3, if there are so many; the others to any page up to
 * 3 n, which a crawler that takes pages in the order in which it finds them knows already. From page 0 PAGES pages are
 * found. /count is how many were sent. Everything else, robots.txt too, has status 404. Answers come DELAY_MS after
 * their requests.
 *
 * All pages are one text that differs in the digits of its links: they are put in before each write. So a connection
 * needs no memory of its own beside the number of its page and of the bytes sent. Ends on SIGTERM. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { NONE = -1, COUNT = -2 };
enum { MENU = 8, NEW = 3, DIGITS = 8, MOST_CONNECTIONS = 65536, MOST_EVENTS = 512, REQUEST = 2048 };

struct connection {
  long page; /* NONE: nothing is asked for; COUNT; beyond the last one: there is no such page */
  size_t sent;
  size_t used; /* bytes of the request */
  int64_t due_ms;
  int next_due; /* the next descriptor of the queue of those that wait, or -1 */
  char request[REQUEST];
};

static struct connection *connections[MOST_CONNECTIONS];
static char *text; /* head and body */
static size_t length;
static size_t *slots; /* where the digits of each link are */
static long links, pages, delay_ms, count_sent;
static int first_due = -1, last_due = -1;
static volatile sig_atomic_t ended;
static const char missing[] =
    "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 8\r\n\r\nnothing\n";
static char count_text[128];

static void on_signal(int number) {
  (void)number;
  ended = 1;
}

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static uint32_t next_random(uint32_t *state) { return *state = *state * 1664525u + 1013904223u; }

static void append(char **to, const char *bytes) { *to = stpcpy(*to, bytes); }

static void append_words(char **to, int count, uint32_t *random) {
  static const char *const words[] = {
      "the",    "of",     "a",    "reed",   "heald",  "shuttle", "warp",     "weft",    "thread", "loom",
      "with",   "and",    "in",   "that",   "which",  "number",  "between",  "pattern", "beam",   "cloth",
      "raises", "lowers", "each", "second", "width",  "edge",    "selvedge", "tension", "breaks", "when",
      "is",     "are",    "as",   "wound",  "slowly", "evenly",  "measured", "finish"};
  for (int i = 0; i < count; ++i) {
    append(to, words[next_random(random) >> 8 & 31]);
    append(to, " ");
  }
}

/* Text with a tag at every sixty bytes or so, and links at even distances. */
static void make_text(size_t size) {
  uint32_t random = 1;
  slots = calloc((size_t)links, sizeof *slots);
  text = malloc(2 * size + 4096 + 200 * (size_t)links);
  char *body = malloc(2 * size + 4096 + 200 * (size_t)links), *at = body;
  append(&at,
         "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n<title>A page of a site</title>\n"
         "<style>p { margin: 0 }</style>\n<script>if (1 < 2) document.title += '<a href=x>';</script>\n"
         "</head>\n<body>\n");
  const size_t head = (size_t)(at - body);
  for (long link = 0; link < links; ++link) {
    append(&at, "<p class=\"entry\">");
    append(&at, "<a class=\"name\" href=\"/p/");
    slots[link] = (size_t)(at - body);
    append(&at, "00000000.html\">");
    append_words(&at, 2, &random);
    append(&at, "</a>");
    const size_t aim = head + (size - head) * (size_t)(link + 1) / (size_t)links;
    while ((size_t)(at - body) + 60 < aim) {
      append(&at, "<em>");
      append_words(&at, 2, &random);
      append(&at, "</em> ");
      append_words(&at, 6, &random);
    }
    append(&at, "</p>\n");
  }
  append(&at, "</body>\n</html>\n");
  const size_t body_length = (size_t)(at - body);
  const int head_length = sprintf(text,
                                  "HTTP/1.1 200 OK\r\nServer: site\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                                  "Content-Type: text/html; charset=utf-8\r\nETag: \"abcdef\"\r\n"
                                  "Cache-Control: max-age=60\r\nContent-Length: %zu\r\n\r\n",
                                  body_length);
  memcpy(text + head_length, body, body_length);
  free(body);
  length = (size_t)head_length + body_length;
  for (long link = 0; link < links; ++link) slots[link] += (size_t)head_length;
}

static void put_digits(char *to, long number) {
  for (int i = DIGITS - 1; i >= 0; --i, number /= 10) to[i] = (char)('0' + number % 10);
}

/* Makes the text that of this page. */
static void be_page(long page) {
  static long is = -1;
  if (is == page) return;
  is = page;
  const long menu = links / 2 < MENU ? links / 2 : MENU;
  const long known = NEW * page < pages ? NEW * page + 1 : pages;
  uint32_t random = (uint32_t)page;
  for (long link = 0; link < links; ++link) {
    long target = link < menu ? link % pages : NEW * page + 1 + (link - menu);
    if (link >= menu + NEW || target >= pages)
      target = (long)(((uint64_t)next_random(&random) * (uint64_t)known) >> 32);
    put_digits(text + slots[link], target);
  }
}

static void end(int fd) {
  connections[fd]->page = NONE;
  connections[fd]->used = 0;
  close(fd);
}

static void send_page(int fd, int epoll) {
  struct connection *const c = connections[fd];
  const char *whole = missing;
  size_t size = sizeof missing - 1;
  if (c->page == COUNT) {
    whole = count_text;
    size = (size_t)sprintf(count_text, "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n%11ld\n", count_sent);
  } else if (c->page < pages) {
    be_page(c->page);
    whole = text;
    size = length;
  }
  while (c->sent < size) {
    const ssize_t n = send(fd, whole + c->sent, size - c->sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EAGAIN) {
      struct epoll_event event = {.events = EPOLLOUT, .data.fd = fd};
      epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event);
      return;
    }
    if (n <= 0) {
      end(fd);
      return;
    }
    c->sent += (size_t)n;
  }
  if (whole == text) ++count_sent;
  c->page = NONE;
}

static long page_of(const char *request) {
  const char *const path = strchr(request, ' ');
  if (path == NULL) return pages;
  if (strncmp(path, " /count ", 8) == 0) return COUNT;
  return strncmp(path, " /p/", 4) == 0 ? strtol(path + 4, NULL, 10) : pages;
}

static void on_request(int fd, int epoll) {
  struct connection *const c = connections[fd];
  const ssize_t n = read(fd, c->request + c->used, REQUEST - 1 - c->used);
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0 || c->page != NONE) {
    end(fd);
    return;
  }
  c->used += (size_t)n;
  c->request[c->used] = 0;
  if (c->used < 4 || memcmp(c->request + c->used - 4, "\r\n\r\n", 4) != 0) return;
  c->used = c->sent = 0;
  c->page = page_of(c->request);
  if (delay_ms == 0 || c->page == COUNT) {
    send_page(fd, epoll);
    return;
  }
  c->due_ms = now_ms() + delay_ms;
  c->next_due = -1;
  if (first_due < 0)
    first_due = fd;
  else
    connections[last_due]->next_due = fd;
  last_due = fd;
}

/* All wait equally long, so they are due in the order in which they came. Returns the time until the next one. */
static int send_due(int epoll) {
  while (first_due >= 0) {
    const int fd = first_due;
    const int64_t left = connections[fd]->due_ms - now_ms();
    if (left > 0) return (int)left;
    first_due = connections[fd]->next_due;
    if (connections[fd]->page != NONE) send_page(fd, epoll);
  }
  return -1;
}

static void on_accept(int listening, int epoll) {
  int fd;
  while ((fd = accept4(listening, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
    const int on = 1;
    if (fd >= MOST_CONNECTIONS ||
        (connections[fd] == NULL && (connections[fd] = malloc(sizeof **connections)) == NULL)) {
      close(fd);
      continue;
    }
    connections[fd]->page = NONE;
    connections[fd]->used = 0;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
  }
}

static int listen_anywhere(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, 16384) != 0 ||
      getsockname(fd, (struct sockaddr *)&address, &size) != 0) {
    perror("site");
    exit(1);
  }
  printf("listening on 127.0.0.1:%d\n", ntohs(address.sin_port));
  fflush(stdout);
  return fd;
}

int main(int count, char **words) {
  if (count < 4) return 2;
  const size_t size = strtoul(words[1], NULL, 10);
  links = strtol(words[2], NULL, 10);
  pages = strtol(words[3], NULL, 10);
  delay_ms = count > 4 ? strtol(words[4], NULL, 10) : 0;
  make_text(size);
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGTERM, &action, NULL);
  const int epoll = epoll_create1(0), listening = listen_anywhere();
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listening}, events[MOST_EVENTS];
  epoll_ctl(epoll, EPOLL_CTL_ADD, listening, &event);
  while (!ended) {
    const int ready = epoll_wait(epoll, events, MOST_EVENTS, send_due(epoll));
    for (int i = 0; i < ready; ++i) {
      const int fd = events[i].data.fd;
      if (fd == listening) {
        on_accept(listening, epoll);
      } else if ((events[i].events & EPOLLOUT) != 0) {
        struct epoll_event reading = {.events = EPOLLIN, .data.fd = fd};
        epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &reading);
        send_page(fd, epoll);
      } else {
        on_request(fd, epoll);
      }
    }
  }
  return 0;
}
