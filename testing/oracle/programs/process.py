"""State of the process and of the C library that no variable of a program shows.

Each part says what a handler does (`s` the session, `n` the how-manieth call), and finds an error (`BAD`) if somebody
else came between two of its calls.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    body: str
    declared: str = ""
    setup: str = ""
    after: str = ""  # the loop


# The C library's own state.
LIBRARY = (
    Part(
        'char text[] = "one two three"; char *a = strtok(text, " "); YIELD; char *b = strtok(NULL, " "); char *c = strtok(NULL, " "); if (!a || !b || !c || strcmp(b, "two") || strcmp(c, "three")) BAD; s->own_calls++;'
    ),
    Part(
        'strcpy(s->text, "1 2 3 4"); int sum = 0; for (char *t = strtok(s->text, " "); t; t = strtok(NULL, " ")) sum += atoi(t); if (sum != 10) BAD;'
    ),
    Part(
        'char *rest = NULL; strcpy(s->text, "1,2,3,4"); int sum = 0; for (char *t = strtok_r(s->text, ",", &rest); t; t = strtok_r(NULL, ",", &rest)) sum += atoi(t); if (sum != 10) BAD;'
    ),
    Part(
        'char *rest = s->text; strcpy(s->text, "a:b:c"); int fields = 0; while (strsep(&rest, ":")) fields++; if (fields != 3) BAD;'
    ),
    Part(
        "time_t t = 86400L * 365 * (s->id + 1) + 3600 * n; struct tm *tm = localtime(&t); YIELD; struct tm mine; localtime_r(&t, &mine); if (tm->tm_year != mine.tm_year || tm->tm_hour != mine.tm_hour) BAD;"
    ),
    Part(
        "time_t t = 86400L * (s->id + 1) + 60 * n; struct tm *tm = gmtime(&t); YIELD; if (timegm(&(struct tm){.tm_year = tm->tm_year, .tm_mon = tm->tm_mon, .tm_mday = tm->tm_mday, .tm_hour = tm->tm_hour, .tm_min = tm->tm_min, .tm_sec = tm->tm_sec}) != t) BAD;"
    ),
    Part(
        'time_t t = 86400L * 400 * (s->id + 1); struct tm mine; gmtime_r(&t, &mine); char *text = asctime(&mine); char expected[32]; strftime(expected, sizeof expected, "%Y", &mine); YIELD; if (!strstr(text, expected)) BAD;'
    ),
    Part(
        "srand(7 + s->id); int a = rand(); YIELD; int b = rand(); if (a != @random#[s->id][0] || b != @random#[s->id][1]) BAD;",
        "static int @random#[SESSIONS][2];",
        "for (int i = 0; i < SESSIONS; i++) { srand(7 + i); @random#[i][0] = rand(), @random#[i][1] = rand(); }",
    ),
    Part(
        "srand48(9 + s->id); long a = lrand48(); YIELD; long b = lrand48(); if (a != @random#[s->id][0] || b != @random#[s->id][1]) BAD;",
        "static long @random#[SESSIONS][2];",
        "for (int i = 0; i < SESSIONS; i++) { srand48(9 + i); @random#[i][0] = lrand48(), @random#[i][1] = lrand48(); }",
    ),
    Part(
        "unsigned seed = (unsigned)s->id; int a = rand_r(&seed), b = rand_r(&seed); seed = (unsigned)s->id; if (rand_r(&seed) != a || rand_r(&seed) != b) BAD;"
    ),
    Part(
        'char value[24]; snprintf(value, sizeof value, "%d.%d", s->id, n); setenv("@V#", value, 1); YIELD; const char *got = getenv("@V#"); if (!got || strcmp(got, value)) BAD;'
    ),
    Part('const char *home = getenv("PATH"); if (!home || !*home) BAD; s->own_calls += (int)strlen(home) > 0;'),
    Part(
        'char *at = getenv("@V#"); if (!at) { BAD; } else { long v = atol(at); YIELD; snprintf(at, 20, "%ld", v + 1); }',
        "static char @variable#[64];",
        'strcpy(@variable#, "@V#=0"); putenv(@variable#);',
        'printf("@ variable %s\\n", getenv("@V#"));',
    ),
    Part(
        "struct in_addr a = {htonl(0x7f000001u + (unsigned)s->id)}; char *text = inet_ntoa(a); YIELD; char mine[32]; inet_ntop(AF_INET, &a, mine, sizeof mine); if (strcmp(text, mine)) BAD;"
    ),
    Part(
        'char name[24]; snprintf(name, sizeof name, "127.0.0.%d", s->id + 1); struct hostent *host = gethostbyname(name); YIELD; if (!host || ((unsigned char *)host->h_addr_list[0])[3] != s->id + 1) BAD;'
    ),
    Part(
        'static const char *const words[3][3] = {{"x", "-a", "w"}, {"x", "-b", NULL}, {"x", "y", NULL}}; optind = 1; int got = getopt(s->id % 3 == 0 ? 3 : 2, (char *const *)words[s->id % 3], "ab"); if (got != (s->id % 3 == 0 ? \'a\' : s->id % 3 == 1 ? \'b\' : -1)) BAD;'
    ),
    Part("wchar_t wide; if (mbtowc(&wide, \"x\", 1) != 1 || wide != L'x') BAD; s->own_calls++;"),
    Part(
        'if (strcmp(strerror(ENOENT), "No such file or directory")) BAD; errno = 0; long v = strtol("99999999999999999999", NULL, 10); YIELD; if (v != LONG_MAX || errno != ERANGE) BAD;'
    ),
    Part(
        'char path[] = "/a/b/c"; char *base_name = basename(path); if (strcmp(base_name, "c")) BAD; if (strcmp(dirname(path), "/a/b")) BAD;'
    ),
    Part(
        'ENTRY item = {.key = n & 1 ? "@one" : "@two"}; (void)item; struct passwd *user = getpwuid(0); YIELD; if (!user || user->pw_uid != 0 || strcmp(user->pw_name, "root")) BAD;'
    ),
    Part(
        'regex_t expression; regmatch_t match; if (regcomp(&expression, "b+", REG_EXTENDED) || regexec(&expression, "aabbb", 1, &match, 0) || match.rm_so != 2) BAD; regfree(&expression); s->own_calls++;'
    ),
    Part(
        'const char *old = setlocale(LC_NUMERIC, NULL); if (!old) BAD; char t[16]; snprintf(t, sizeof t, "%.1f", 1.5); if (strcmp(t, "1.5")) BAD;'
    ),
)

# Files, streams, and what a process has once.
PROCESS = (
    Part(
        'char before[200], after[200]; if (!getcwd(before, sizeof before) || chdir(n & 1 ? "/" : "/tmp")) BAD; YIELD; if (!getcwd(after, sizeof after) || strcmp(after, n & 1 ? "/" : "/tmp")) BAD; if (chdir(before)) BAD;'
    ),
    Part("mode_t old = umask((mode_t)(020 + s->id)); YIELD; if (umask(old) != (mode_t)(020 + s->id)) BAD;"),
    Part(
        "sigset_t set, old, now; sigemptyset(&set); sigaddset(&set, SIGUSR2); sigprocmask(SIG_BLOCK, &set, &old); YIELD; sigprocmask(SIG_SETMASK, &old, &now); if (!sigismember(&now, SIGUSR2)) BAD;"
    ),
    Part("int old = fegetround(); fesetround(FE_UPWARD); YIELD; if (fegetround() != FE_UPWARD) BAD; fesetround(old);"),
    Part(
        'char text[24] = ""; lseek(@file#, 0, SEEK_SET); if (read(@file#, text, sizeof text - 1) < 0) BAD; int length = snprintf(text, sizeof text, "%ld ", atol(text) + 1); YIELD; lseek(@file#, 0, SEEK_SET); if (write(@file#, text, (size_t)length) != length) BAD;',
        "static int @file# = -1;",
        '@file# = open(FOLDER "/@file#", O_RDWR | O_CREAT | O_TRUNC, 0600);',
        '{ char text[24] = ""; lseek(@file#, 0, SEEK_SET); if (read(@file#, text, sizeof text - 1) < 0) BAD; printf("@ file %ld\\n", atol(text)); }',
    ),
    Part(
        "long v = 0; if (pread(@file#, &v, sizeof v, 8 * s->id) < 0) BAD; v++; YIELD; if (pwrite(@file#, &v, sizeof v, 8 * s->id) != 8) BAD;",
        "static int @file# = -1;",
        '@file# = open(FOLDER "/@file#", O_RDWR | O_CREAT | O_TRUNC, 0600);',
        '{ long sum = 0, v; for (int i = 0; i < SESSIONS; i++) if (pread(@file#, &v, sizeof v, 8 * i) == 8) sum += v; printf("@ file %ld\\n", sum); }',
    ),
    Part(
        'FILE *file = fopen(FOLDER "/@path#", "r"); long v = 0; if (file) { if (fscanf(file, "%ld", &v) != 1) BAD; fclose(file); } YIELD; file = fopen(FOLDER "/@path#", "w"); if (!file) { BAD; } else { fprintf(file, "%ld\\n", v + 1); fclose(file); }',
        "",
        'unlink(FOLDER "/@path#");',
        '{ FILE *file = fopen(FOLDER "/@path#", "r"); long v = 0; if (file) { if (fscanf(file, "%ld", &v) != 1) v = -1; fclose(file); } printf("@ path %ld\\n", v); }',
    ),
    Part(
        'char path[200]; snprintf(path, sizeof path, "%s/@by%d", FOLDER, s->id % 2); int fd = open(path, O_RDWR | O_CREAT, 0600); long v = 0; if (fd < 0 || read(fd, &v, sizeof v) < 0) BAD; v++; YIELD; if (pwrite(fd, &v, sizeof v, 0) != sizeof v) BAD; close(fd);',
        "",
        'unlink(FOLDER "/@by0"); unlink(FOLDER "/@by1");',
        '{ long sum = 0, v; for (int i = 0; i < 2; i++) { char path[200]; snprintf(path, sizeof path, "%s/@by%d", FOLDER, i); int fd = open(path, O_RDONLY); if (fd >= 0 && read(fd, &v, sizeof v) == sizeof v) sum += v; if (fd >= 0) close(fd); } printf("@ by %ld\\n", sum); }',
    ),
    Part(
        'char path[200]; snprintf(path, sizeof path, "%s/@of%d", FOLDER, s->id); int v = 0; FILE *file = fopen(path, "r+"); if (!file) file = fopen(path, "w+"); else if (fscanf(file, "%d", &v) != 1) BAD; if (!file) { BAD; } else { rewind(file); fprintf(file, "%d\\n", v + 1); fclose(file); }',
        "",
        "",
        'for (int i = 0; i < SESSIONS; i++) { char path[200]; snprintf(path, sizeof path, "%s/@of%d", FOLDER, i); FILE *file = fopen(path, "r"); int v = 0; if (file && fscanf(file, "%d", &v) != 1) BAD; if (file) fclose(file); printf("@ of %d\\n", v); }',
    ),
    Part(
        'fprintf(@stream#, "begin %d %d\\n", s->id, n); YIELD; fprintf(@stream#, "end %d %d\\n", s->id, n);',
        "static FILE *@stream#;",
        '@stream# = fopen(FOLDER "/@stream#", "w+");',
        '{ char line[64], other[64]; int records = 0; rewind(@stream#); while (fgets(line, sizeof line, @stream#)) { if (!fgets(other, sizeof other, @stream#) || strncmp(line, "begin", 5) || strncmp(other, "end", 3) || strcmp(line + 5, other + 3)) BAD; records++; } printf("@ records %d\\n", records); }',
    ),
    Part(
        'fprintf(@stream#, "one record of %d %d\\n", s->id, n);',
        "static FILE *@stream#;",
        '@stream# = fopen(FOLDER "/@stream#", "w+");',
        '{ char line[64]; int records = 0, a, b; rewind(@stream#); while (fgets(line, sizeof line, @stream#)) { if (sscanf(line, "one record of %d %d", &a, &b) != 2) BAD; records++; } printf("@ records %d\\n", records); }',
    ),
    Part(
        'rewind(@stream#); long v = 0; if (fscanf(@stream#, "%ld", &v) != 1) BAD; rewind(@stream#); fprintf(@stream#, "%ld \\n", v + 1); fflush(@stream#);',
        "static FILE *@stream#;",
        '@stream# = fopen(FOLDER "/@stream#", "w+"); fputs("0 \\n", @stream#); fflush(@stream#);',
        '{ long v = -1; rewind(@stream#); if (fscanf(@stream#, "%ld", &v) != 1) BAD; printf("@ stream %ld\\n", v); }',
    ),
    Part(
        "fseek(@stream#, 0, SEEK_END); long at = ftell(@stream#); fputc('x', @stream#); YIELD; if (ftell(@stream#) != at + 1) BAD;",
        "static FILE *@stream#;",
        '@stream# = fopen(FOLDER "/@stream#", "w+");',
        '{ fseek(@stream#, 0, SEEK_END); printf("@ length %ld\\n", ftell(@stream#)); }',
    ),
    Part(
        'char *text = NULL; size_t length = 0; FILE *file = open_memstream(&text, &length); fprintf(file, "%d", s->id); fputs(" end", file); fclose(file); if (atoi(text) != s->id || !strstr(text, " end")) BAD; free(text);'
    ),
    Part(
        'int pair[2]; char got[8] = ""; if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) { BAD; } else { if (send(pair[0], "hello", 5, 0) != 5) BAD; YIELD; if (recv(pair[1], got, sizeof got, 0) != 5 || memcmp(got, "hello", 5)) BAD; close(pair[0]); close(pair[1]); }'
    ),
    Part(
        'int pair[2]; char got[8] = ""; if (pipe(pair)) { BAD; } else { if (write(pair[1], "abc", 3) != 3 || read(pair[0], got, 8) != 3 || strcmp(got, "abc")) BAD; close(pair[0]); close(pair[1]); }'
    ),
    Part(
        "struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = s->id, .l_len = 1}; if (fcntl(@file#, F_SETLK, &lock)) BAD; lock.l_type = F_UNLCK; if (fcntl(@file#, F_SETLK, &lock)) BAD;",
        "static int @file# = -1;",
        '@file# = open(FOLDER "/@file#", O_RDWR | O_CREAT | O_TRUNC, 0600);',
    ),
    Part(
        "DIR *folder = opendir(FOLDER \"/@folder#\"); int seen = 0; for (struct dirent *entry; folder && (entry = readdir(folder));) seen += entry->d_name[0] != '.'; if (seen != 3) BAD; if (folder) closedir(folder);",
        "",
        'mkdir(FOLDER "/@folder#", 0700); for (int i = 0; i < 3; i++) { char path[200]; snprintf(path, sizeof path, FOLDER "/@folder#/%d", i); close(open(path, O_CREAT | O_WRONLY, 0600)); }',
    ),
    Part(
        "rewinddir(@folder#); int seen = 0; for (struct dirent *entry; (entry = readdir(@folder#));) seen += entry->d_name[0] != '.'; if (seen != 3) BAD;",
        "static DIR *@folder#;",
        'mkdir(FOLDER "/@folder#", 0700); for (int i = 0; i < 3; i++) { char path[200]; snprintf(path, sizeof path, FOLDER "/@folder#/%d", i); close(open(path, O_CREAT | O_WRONLY, 0600)); } @folder# = opendir(FOLDER "/@folder#");',
    ),
    Part(
        "int copy = dup(1); if (copy < 0) BAD; struct stat one, other; if (fstat(1, &one) || fstat(copy, &other) || one.st_ino != other.st_ino) BAD; close(copy);"
    ),
    Part(
        'char from[200], to[200]; snprintf(from, sizeof from, FOLDER "/@new%d", s->id); snprintf(to, sizeof to, FOLDER "/@done%d", s->id); int fd = open(from, O_CREAT | O_WRONLY | O_TRUNC, 0600); if (write(fd, &n, sizeof n) != sizeof n) BAD; close(fd); if (rename(from, to)) BAD; int v = -1; fd = open(to, O_RDONLY); if (read(fd, &v, sizeof v) != sizeof v || v != n) BAD; close(fd);'
    ),
    Part(
        'FILE *child = popen("echo 42", "r"); int v = 0; if (!child || fscanf(child, "%d", &v) != 1 || v != 42) BAD; if (!child || pclose(child)) BAD;'
    ),
    Part('if (system("exit 3") != 3 << 8) BAD; s->own_calls++;'),
    Part(
        "struct rlimit limit, other; getrlimit(RLIMIT_CORE, &limit); other = limit; other.rlim_cur = 0; setrlimit(RLIMIT_CORE, &other); YIELD; getrlimit(RLIMIT_CORE, &other); if (other.rlim_cur != 0) BAD; setrlimit(RLIMIT_CORE, &limit);"
    ),
    Part("pid_t self = getpid(); if (kill(self, 0)) BAD; s->own_calls += self > 0;"),
    Part(
        "struct timespec before, after; clock_gettime(CLOCK_MONOTONIC, &before); YIELD; clock_gettime(CLOCK_MONOTONIC, &after); if (after.tv_sec < before.tv_sec) BAD;"
    ),
    Part(
        "dup2(@files#[n & 1], @copy#); YIELD; struct stat one, other; if (fstat(@copy#, &one) || fstat(@files#[n & 1], &other) || one.st_ino != other.st_ino) BAD;",
        "static int @files#[2], @copy#;",
        'for (int i = 0; i < 2; i++) { char path[200]; snprintf(path, sizeof path, FOLDER "/@dup%d", i); @files#[i] = open(path, O_CREAT | O_RDWR, 0600); } @copy# = dup(@files#[0]);',
    ),
)
