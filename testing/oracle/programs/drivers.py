"""What makes handlers run: events of every kind, buffers, listeners, servers, lookups, signals, loops and threads.

BODY0 and BODY1 stand for what handlers do besides. TAKE gets `s`, the session, and `n`, the how-manieth call of it, out
of `arg`; GIVE is what is handed over for that. Each handler is called a fixed number of times for each session, in an
order that nobody promises, except where one checks it (`s->next_number`).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Driver:
    declared: str
    session: str = ""  # for each session `s`, before the loop
    setup: str = ""
    after: str = ""
    usual_argument: bool = True  # its handlers may get the session in any way


_UNUSED = "(void)fd, (void)what, (void)arg;"
_EVENT = "(int fd, short what, void *arg) { (void)fd, (void)what; TAKE "
_HOSTED = """
static void @address#(struct sockaddr_in *address) {
  memset(address, 0, sizeof *address);
  address->sin_family = AF_INET;
  address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
}
"""

EVENTS = (
    Driver(
        f"static void @on_timer#{_EVENT} BODY0 if (++s->turn[#] < RUNS) event_add(&s->ev[#], &@soon); }}",
        "event_assign(&s->ev[#], base, -1, 0, @on_timer#, GIVE); event_add(&s->ev[#], &@soon);",
    ),
    Driver(
        f"static void @on_tick#{_EVENT} BODY0 if (++s->turn[#] >= RUNS) event_del(&s->ev[#]); }}",
        "event_assign(&s->ev[#], base, -1, EV_PERSIST, @on_tick#, GIVE); event_add(&s->ev[#], &@tick);",
    ),
    Driver(
        f"static void @on_active#{_EVENT} BODY0 if (++s->turn[#] < RUNS) event_active(s->made[#], EV_TIMEOUT, 1); }}",
        "s->made[#] = event_new(base, -1, 0, @on_active#, GIVE); event_active(s->made[#], EV_TIMEOUT, 1);",
    ),
    Driver(
        f"static void @on_ping#{_EVENT} BODY0 event_active(s->made[#], EV_TIMEOUT, 1); }}\n"
        f"static void @on_pong#{_EVENT} BODY1 if (++s->turn[#] < RUNS) event_add(&s->ev[#], &@soon); }}",
        "s->made[#] = event_new(base, -1, 0, @on_pong#, GIVE); "
        "event_assign(&s->ev[#], base, -1, 0, @on_ping#, GIVE); event_add(&s->ev[#], &@soon);",
    ),
    Driver(
        f"static void @on_sweep#(int fd, short what, void *arg);\n"
        f"static void @on_swept#{_EVENT} BODY0 if (++s->turn[#] < RUNS) event_add(&s->ev[#], &@soon); }}\n"
        f"static void @on_sweep#{_EVENT} (void)n; struct @sess *other = s->next; "
        "if (event_pending(&other->ev[#], EV_TIMEOUT, NULL)) { event_del(&other->ev[#]); "
        "event_add(&other->ev[#], &@soon); } BODY1 if (++s->next_number[#] < RUNS) event_add(s->made[#], &@tick); }",
        "s->made[#] = event_new(base, -1, 0, @on_sweep#, GIVE); event_add(s->made[#], &@tick); "
        "event_assign(&s->ev[#], base, -1, 0, @on_swept#, GIVE); event_add(&s->ev[#], &@soon);",
    ),
    Driver(
        "struct @request# { struct @sess *s; int number; };\n"
        "static void @on_once#(int fd, short what, void *given) { (void)fd, (void)what; struct @request# *r = given; "
        "struct @sess *s = r->s; int n = s->turn[#]++; if (r->number != n) BAD; BODY0 "
        "if (r->number + 3 < RUNS) { r->number += 3; event_base_once(base, -1, EV_TIMEOUT, @on_once#, r, NULL); } "
        "else free(r); }",
        "for (int i = 0; i < 3; i++) { struct @request# *r = malloc(sizeof *r); r->s = s; r->number = i; "
        "event_base_once(base, -1, EV_TIMEOUT, @on_once#, r, NULL); }",
    ),
    Driver(
        f"static void @on_byte#{_EVENT} char c = 0; if (read(fd, &c, 1) != 1 || c != 'a' + n) BAD; BODY0 "
        "if (++s->turn[#] >= RUNS) { event_del(&s->ev[#]); close(fd); } }",
        "int fd_[2]; if (pipe2(fd_, O_NONBLOCK)) abort(); for (char c = 'a'; c < 'a' + RUNS; c++) if (write(fd_[1], &c, 1) != 1) "
        "abort(); event_assign(&s->ev[#], base, fd_[0], EV_READ | EV_PERSIST, @on_byte#, GIVE); "
        "event_add(&s->ev[#], NULL);",
    ),
    Driver(
        f"static void @on_echo#{_EVENT} char c = 0; if (recv(fd, &c, 1, 0) != 1 || c != 'a' + n) BAD; BODY0 "
        "s->turn[#]++; if (send(fd, &c, 1, 0) != 1) BAD; if (s->turn[#] >= RUNS) event_del(&s->ev[#]); }\n"
        f"static void @on_answer#{_EVENT} (void)n; char c = 0; if (recv(fd, &c, 1, 0) != 1) BAD; BODY1 c++; "
        "if (c < 'a' + RUNS) { if (send(fd, &c, 1, 0) != 1) BAD; } else event_del(s->made[#]); }",
        'int fd_[2]; if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fd_) || write(fd_[0], "a", 1) != 1) abort(); '
        "event_assign(&s->ev[#], base, fd_[1], EV_READ | EV_PERSIST, @on_echo#, GIVE); event_add(&s->ev[#], NULL); "
        "s->made[#] = event_new(base, fd_[0], EV_READ | EV_PERSIST, @on_answer#, GIVE); event_add(s->made[#], NULL);",
    ),
    Driver(
        f"static void @on_idle#{_EVENT} if (what != EV_TIMEOUT) BAD; BODY0 "
        "if (++s->turn[#] < RUNS) event_add(&s->ev[#], &@tick); }",
        "int fd_[2]; if (pipe(fd_)) abort(); event_assign(&s->ev[#], base, fd_[0], EV_READ, @on_idle#, GIVE); "
        "event_add(&s->ev[#], &@tick);",
    ),
    Driver(
        f"static void @on_last#(struct event *ev, void *arg) {{ (void)ev; TAKE (void)n; s->finalized++; BODY1 }}\n"
        f"static void @on_timer#{_EVENT} BODY0 if (++s->turn[#] < RUNS) event_add(&s->ev[#], &@soon); "
        "else event_finalize(0, &s->ev[#], @on_last#); }",
        "event_assign(&s->ev[#], base, -1, 0, @on_timer#, GIVE); event_add(&s->ev[#], &@soon);",
        after='for (int i = 0; i < SESSIONS; i++) printf("@ finalized %d\\n", @all[i]->finalized);',
    ),
    Driver(
        f"static void @inner#{_EVENT} (void)n; s->inner++; BODY1 }}\n"
        f"static void @on_outer#{_EVENT} struct event_base *own = event_base_new(); int before = s->inner; "
        "for (int i = 0; i < 2; i++) event_base_once(own, -1, EV_TIMEOUT, @inner#, GIVE, NULL); "
        "event_base_dispatch(own); event_base_free(own); if (s->inner != before + 2) BAD; BODY0 "
        "if (++s->turn[#] < RUNS) event_add(&s->ev[#], &@soon); }",
        "event_assign(&s->ev[#], base, -1, 0, @on_outer#, GIVE); event_add(&s->ev[#], &@soon);",
    ),
    Driver(
        f"static void @inner#{_EVENT} (void)n; s->inner++; BODY1 }}\n"
        f"static void @on_outer#{_EVENT} int before = s->inner; event_active(s->made[#], EV_TIMEOUT, 1); "
        "event_base_loop(s->base[#], EVLOOP_NONBLOCK); if (s->inner != before + 1) BAD; BODY0 "
        "if (++s->turn[#] < RUNS) event_add(&s->ev[#], &@soon); }",
        "s->base[#] = event_base_new(); s->made[#] = event_new(s->base[#], -1, 0, @inner#, GIVE); "
        "event_assign(&s->ev[#], base, -1, 0, @on_outer#, GIVE); event_add(&s->ev[#], &@soon);",
    ),
)

_LINES = (
    "static void @on_line#(struct bufferevent *bev, void *arg) { TAKE (void)n; char *line; "
    "while ((line = evbuffer_readln(bufferevent_get_input(bev), NULL, EVBUFFER_EOL_LF))) { "
    "if (atoi(line) != s->next_number[#]) BAD; s->next_number[#]++; BODY0 "
    'evbuffer_add_printf(bufferevent_get_output(bev), "%d\\n", s->next_number[#]); free(line); } }\n'
    "static void @on_reply#(struct bufferevent *bev, void *arg) { TAKE (void)n; char *line; "
    "while ((line = evbuffer_readln(bufferevent_get_input(bev), NULL, EVBUFFER_EOL_LF))) { "
    "if (atoi(line) != ++s->turn[#]) BAD; free(line); BODY1 "
    'if (s->turn[#] < RUNS) bufferevent_write(bev, s->text, (size_t)snprintf(s->text, sizeof s->text, "%d\\n", '
    "s->turn[#])); else { LAST return; } } }\n"
)
_FREES = "bufferevent_free(bev); s->bev[#] = NULL;"
_END = "static void @on_end#(struct bufferevent *bev, short what, void *arg) { TAKE (void)n, (void)what; s->ended++; "

BUFFERS = (
    Driver(
        _LINES.replace("LAST", ""),
        "struct bufferevent *pair_[2]; bufferevent_pair_new(base, OPTIONS, pair_); "
        "bufferevent_setcb(pair_[0], @on_reply#, NULL, NULL, GIVE); "
        "bufferevent_setcb(pair_[1], @on_line#, NULL, NULL, GIVE); bufferevent_enable(pair_[0], EV_READ | EV_WRITE); "
        'bufferevent_enable(pair_[1], EV_READ | EV_WRITE); bufferevent_write(pair_[0], "0\\n", 2);',
    ),
    Driver(
        _END + "bufferevent_free(bev); }\n" + _LINES.replace("LAST", _FREES),
        "int fd_[2]; if (evutil_socketpair(AF_UNIX, SOCK_STREAM, 0, fd_)) abort(); evutil_make_socket_nonblocking("
        "fd_[0]); evutil_make_socket_nonblocking(fd_[1]); s->bev[#] = bufferevent_socket_new(base, fd_[0], OPTIONS | "
        "BEV_OPT_CLOSE_ON_FREE); struct bufferevent *far_ = bufferevent_socket_new(base, fd_[1], OPTIONS | "
        "BEV_OPT_CLOSE_ON_FREE); bufferevent_setcb(s->bev[#], @on_reply#, NULL, NULL, GIVE); "
        "bufferevent_setcb(far_, @on_line#, NULL, @on_end#, GIVE); bufferevent_enable(s->bev[#], EV_READ | EV_WRITE); "
        'bufferevent_enable(far_, EV_READ | EV_WRITE); bufferevent_write(s->bev[#], "0\\n", 2);',
        after='for (int i = 0; i < SESSIONS; i++) printf("@ ended %d\\n", @all[i]->ended);',
    ),
    Driver(
        "static enum bufferevent_filter_result @turned#(struct evbuffer *from, struct evbuffer *to, ev_ssize_t most, "
        "enum bufferevent_flush_mode mode, void *arg) { (void)most, (void)mode; struct @sess *s = arg; "
        "int length = (int)evbuffer_get_length(from); if (length == 0) return BEV_NEED_MORE; "
        "for (int i = 0; i < length; i++) { char c = 0; evbuffer_remove(from, &c, 1); c ^= s->mask; "
        "evbuffer_add(to, &c, 1); } s->filtered += length; return BEV_OK; }\n" + _LINES.replace("LAST", ""),
        "struct bufferevent *pair_[2]; bufferevent_pair_new(base, OPTIONS, pair_); s->mask = 0x40; "
        "for (int i = 0; i < 2; i++) { pair_[i] = bufferevent_filter_new(pair_[i], @turned#, @turned#, OPTIONS, NULL, s); "
        "bufferevent_setcb(pair_[i], i ? @on_line# : @on_reply#, NULL, NULL, GIVE); "
        'bufferevent_enable(pair_[i], EV_READ | EV_WRITE); } bufferevent_write(pair_[0], "0\\n", 2);',
        after='for (int i = 0; i < SESSIONS; i++) printf("@ filtered %d\\n", @all[i]->filtered);',
    ),
    Driver(
        _HOSTED + "struct @conn# { int number; struct @sess *s; };\nstatic int @accepted#;\n"
        "static struct evconnlistener *@listener#;\n"
        "static void @on_request#(struct bufferevent *bev, void *arg) { struct @conn# *conn = arg; struct @sess *s = "
        "conn->s; char *line; while ((line = evbuffer_readln(bufferevent_get_input(bev), NULL, EVBUFFER_EOL_LF))) { "
        "int n = conn->number; if (atoi(line) != n) BAD; conn->number++; free(line); BODY0 "
        'evbuffer_add_printf(bufferevent_get_output(bev), "%d\\n", conn->number); } }\n'
        "static void @on_gone#(struct bufferevent *bev, short what, void *arg) { struct @conn# *conn = arg; (void)what; "
        "conn->s->ended++; bufferevent_free(bev); free(conn); }\n"
        "static void @on_accept#(struct evconnlistener *l, int fd, struct sockaddr *a, int length, void *arg) { "
        "(void)a, (void)length, (void)arg; struct @conn# *conn = calloc(1, sizeof *conn); "
        "conn->s = @all[@accepted#++ % SESSIONS]; if (@accepted# == SESSIONS) evconnlistener_disable(l); "
        "struct bufferevent *bev = bufferevent_socket_new(base, fd, BEV_OPT_CLOSE_ON_FREE); "
        "bufferevent_setcb(bev, @on_request#, NULL, @on_gone#, conn); bufferevent_enable(bev, EV_READ | EV_WRITE); }\n"
        "static void @on_answer#(struct bufferevent *bev, void *arg) { TAKE (void)n; char *line; "
        "while ((line = evbuffer_readln(bufferevent_get_input(bev), NULL, EVBUFFER_EOL_LF))) { "
        "if (atoi(line) != ++s->turn[#]) BAD; free(line); BODY1 if (s->turn[#] < RUNS) { "
        'evbuffer_add_printf(bufferevent_get_output(bev), "%d\\n", s->turn[#]); } else { bufferevent_free(bev); '
        "return; } } }\n"
        "static void @on_up#(struct bufferevent *bev, short what, void *arg) { (void)arg; "
        'if (what & BEV_EVENT_CONNECTED) bufferevent_write(bev, "0\\n", 2); else BAD; }',
        "struct bufferevent *bev_ = bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE); "
        "bufferevent_setcb(bev_, @on_answer#, NULL, @on_up#, GIVE); bufferevent_enable(bev_, EV_READ | EV_WRITE); "
        "struct sockaddr_in to_; socklen_t size_ = sizeof to_; "
        "getsockname(evconnlistener_get_fd(@listener#), (struct sockaddr *)&to_, &size_); "
        "bufferevent_socket_connect(bev_, (struct sockaddr *)&to_, sizeof to_);",
        "{ struct sockaddr_in address; @address#(&address); @listener# = evconnlistener_new_bind(base, @on_accept#, NULL, "
        "LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, -1, (struct sockaddr *)&address, sizeof address); }",
        "{ int ended = 0; for (int i = 0; i < SESSIONS; i++) ended += @all[i]->ended; "
        'printf("@ accepted %d ended %d\\n", @accepted#, ended); }',
    ),
    Driver(
        "static struct evhttp *@server#;\nstatic struct evhttp_bound_socket *@bound#;\nstatic int @port#, @finished#;\n"
        "static void @asked#(struct evhttp_request *request, void *arg) { struct @sess *s = arg; "
        "struct evkeyvalq query; evhttp_parse_query_str(evhttp_uri_get_query(evhttp_request_get_evhttp_uri(request)), "
        '&query); const char *number = evhttp_find_header(&query, "n"); int n = number ? atoi(number) : 0; BODY0 '
        'struct evbuffer *body = evbuffer_new(); evbuffer_add_printf(body, "%d", n + 1); evhttp_clear_headers(&query); '
        'evhttp_add_header(evhttp_request_get_output_headers(request), "X-Session", "x"); '
        'evhttp_send_reply(request, 200, "OK", body); evbuffer_free(body); }\n'
        "static void @ask#(struct @sess *s);\n"
        'static void @on_done#(struct evhttp_request *request, void *arg) { TAKE (void)n; char text[24] = ""; '
        "if (!request || evhttp_request_get_response_code(request) != 200) { BAD; return; } "
        "evbuffer_copyout(evhttp_request_get_input_buffer(request), text, sizeof text - 1); "
        "if (atoi(text) != ++s->turn[#]) BAD; BODY1 if (s->turn[#] < RUNS) @ask#(s); "
        "else if (++@finished# == SESSIONS) evhttp_del_accept_socket(@server#, @bound#); }\n"
        'static void @ask#(struct @sess *s) { char path[40]; snprintf(path, sizeof path, "/r%d?n=%d", s->id, '
        "s->turn[#]); struct evhttp_request *request = evhttp_request_new(@on_done#, GIVE); "
        'evhttp_add_header(evhttp_request_get_output_headers(request), "Host", "here"); '
        'evhttp_add_header(evhttp_request_get_output_headers(request), "Connection", "close"); '
        "evhttp_make_request(s->conn[#], request, EVHTTP_REQ_GET, path); }",
        '{ char path[24]; snprintf(path, sizeof path, "/r%d", s->id); evhttp_set_cb(@server#, path, @asked#, s); } '
        's->conn[#] = evhttp_connection_base_new(base, NULL, "127.0.0.1", (unsigned short)@port#); @ask#(s);',
        '@server# = evhttp_new(base); @bound# = evhttp_bind_socket_with_handle(@server#, "127.0.0.1", 0); '
        "{ struct sockaddr_in at; socklen_t size = sizeof at; getsockname(evhttp_bound_socket_get_fd(@bound#), "
        "(struct sockaddr *)&at, &size); @port# = ntohs(at.sin_port); }",
    ),
    Driver(
        "static struct evdns_base *@dns#;\n"
        "static void @on_address#(int result, struct evutil_addrinfo *found, void *arg) { TAKE (void)n; "
        "if (result || !found || ((struct sockaddr_in *)(void *)found->ai_addr)->sin_port != htons(80)) BAD; BODY1 "
        "if (found) evutil_freeaddrinfo(found); s->looked_up++; }\n"
        f"static void @on_timer#{_EVENT} int before = s->looked_up; struct evutil_addrinfo hints = {{.ai_family = AF_INET, "
        ".ai_socktype = SOCK_STREAM, .ai_flags = EVUTIL_AI_NUMERICHOST}; "
        'evdns_getaddrinfo(@dns#, "127.0.0.1", "80", &hints, @on_address#, GIVE); if (s->looked_up != before + 1) BAD; '
        "BODY0 if (++s->turn[#] < RUNS) event_add(&s->ev[#], &@soon); }",
        "event_assign(&s->ev[#], base, -1, 0, @on_timer#, GIVE); event_add(&s->ev[#], &@soon);",
        "@dns# = evdns_base_new(base, 0);",
        "evdns_base_free(@dns#, 0);",
    ),
)

SYSTEM = (
    Driver(
        f"static struct event *@signal_event#;\nstatic void @on_signal#{_EVENT} BODY0 if (++s->turn[#] < RUNS) raise(SIGNAL_OF_EVENT); "
        "else event_del(@signal_event#); }",
        setup="@signal_event# = evsignal_new(base, SIGNAL_OF_EVENT, @on_signal#, @all[0]); "
        "event_add(@signal_event#, NULL); raise(SIGNAL_OF_EVENT);",
        usual_argument=False,
    ),
    Driver(
        f"static struct event *@signal_event#;\nstatic void @on_kick#{_EVENT} BODY1 if (++s->turn[#] < RUNS) kill(getpid(), SIGNAL_OF_EVENT); "
        "else event_del(@signal_event#); }\n"
        f"static void @on_signal#{_EVENT} (void)n; s->signals++; BODY0 event_active(s->made[#], EV_TIMEOUT, 1); }}",
        setup="@all[0]->made[#] = event_new(base, -1, 0, @on_kick#, @all[0]); "
        "@signal_event# = evsignal_new(base, SIGNAL_OF_EVENT, @on_signal#, @all[0]); event_add(@signal_event#, NULL); "
        "kill(getpid(), SIGNAL_OF_EVENT);",
        after='printf("@ signals %d\\n", @all[0]->signals);',
        usual_argument=False,
    ),
    Driver(
        "static pthread_t @worker#;\nstatic pthread_mutex_t @lock# = PTHREAD_MUTEX_INITIALIZER;\n"
        "static long @both#[2];\n"
        "static void *@work#(void *arg) { (void)arg; for (int i = 0; i < 2 * RUNS; i++) { pthread_mutex_lock(&@lock#); "
        "if (@both#[0] != @both#[1]) BAD; @both#[0]++; @both#[1]++; pthread_mutex_unlock(&@lock#); usleep(50); } "
        "return NULL; }\n"
        f"static void @on_timer#{_EVENT} pthread_mutex_lock(&@lock#); if (@both#[0] != @both#[1]) BAD; @both#[0]++; YIELD; "
        "@both#[1]++; pthread_mutex_unlock(&@lock#); BODY0 if (++s->turn[#] < RUNS) event_add(&s->ev[#], &@soon); }",
        "event_assign(&s->ev[#], base, -1, 0, @on_timer#, GIVE); event_add(&s->ev[#], &@soon);",
        "{ sigset_t all, old; sigfillset(&all); pthread_sigmask(SIG_SETMASK, &all, &old); "
        "if (pthread_create(&@worker#, NULL, @work#, NULL)) abort(); pthread_sigmask(SIG_SETMASK, &old, NULL); }",
        'pthread_join(@worker#, NULL); printf("@ both %ld %ld\\n", @both#[0], @both#[1]);',
    ),
    Driver(
        "struct @job# { int number; struct @sess *s; };\nstatic int @jobs#[2];\nstatic pthread_t @worker#;\n"
        "static struct event @on_jobs#;\n"
        "static void *@work#(void *arg) { (void)arg; for (int i = 0; i < RUNS * SESSIONS; i++) { "
        "struct @job# *job = malloc(sizeof *job); job->number = i; job->s = @all[i % SESSIONS]; "
        "if (write(@jobs#[1], &job, sizeof job) != sizeof job) BAD; } return NULL; }\n"
        "static void @on_job#(int fd, short what, void *arg) { (void)what, (void)arg; struct @job# *job = NULL; "
        "if (read(fd, &job, sizeof job) != sizeof job || !job) { BAD; return; } struct @sess *s = job->s; "
        "int n = s->turn[#]++; if (job->number != n * SESSIONS + s->id) BAD; BODY0 "
        "if (job->number == RUNS * SESSIONS - 1) event_del(&@on_jobs#); free(job); }",
        setup="if (pipe(@jobs#)) abort(); fcntl(@jobs#[0], F_SETFL, O_NONBLOCK); event_assign(&@on_jobs#, base, @jobs#[0], EV_READ | EV_PERSIST, @on_job#, NULL); "
        "event_add(&@on_jobs#, NULL); { sigset_t all, old; sigfillset(&all); pthread_sigmask(SIG_SETMASK, &all, &old); "
        "if (pthread_create(&@worker#, NULL, @work#, NULL)) abort(); pthread_sigmask(SIG_SETMASK, &old, NULL); }",
        after="pthread_join(@worker#, NULL);",
    ),
)

# In which sessions meet nobody else.
QUIET = tuple(
    driver for driver in EVENTS + BUFFERS if "sweep" not in driver.declared and "@turned" not in driver.declared
)
