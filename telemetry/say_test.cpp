#include "telemetry/say.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <string>

namespace heddle::telemetry {
namespace {

// What is said in a child whose standard error is `error` at first, and the child's end.
int status_of_child(int error, const std::function<void()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    dup2(error, STDERR_FILENO);
    note_standard_error();
    body();
    _exit(7);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

std::string read_all(int end) {
  char text[64];
  const ssize_t size = read(end, text, sizeof text);
  return {text, static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

TEST(Say, WritesToStandardError) {
  int end[2];
  ASSERT_EQ(pipe(end), 0);
  EXPECT_EQ(WEXITSTATUS(status_of_child(end[1], [] { say("words\n"); })), 7);
  close(end[1]);
  EXPECT_EQ(read_all(end[0]), "words\n");
  close(end[0]);
}

TEST(Say, SaysNothingInAFileOfTheProgramsThatHasTheNumber) {
  int end[2];
  int other[2];
  ASSERT_EQ(pipe(end), 0);
  ASSERT_EQ(pipe(other), 0);
  EXPECT_EQ(WEXITSTATUS(status_of_child(end[1],
                                        [&] {
                                          dup2(other[1], STDERR_FILENO);
                                          say("words\n");
                                          close(STDERR_FILENO);
                                          say("words\n");
                                        })),
            7);
  close(end[1]);
  close(other[1]);
  EXPECT_EQ(read_all(end[0]) + read_all(other[0]), "");
  close(end[0]);
  close(other[0]);
}

TEST(Say, EndsNothingWhereNobodyListens) {
  int end[2];
  ASSERT_EQ(pipe(end), 0);
  close(end[0]);
  const int status = status_of_child(end[1], [] {
    say("words\n");
    sigset_t pending;
    sigpending(&pending);
    if (sigismember(&pending, SIGPIPE) != 0) _exit(1);
    // The program's own writes end it as ever.
    if (write(STDERR_FILENO, "x", 1) == 1) _exit(2);
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
  close(end[1]);
}

}  // namespace
}  // namespace heddle::telemetry
