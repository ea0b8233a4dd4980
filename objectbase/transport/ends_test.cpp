// What is seen of the other side's end, or of a side that does not fit: the same over every transport.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "objectbase/transport/testing/sides.hpp"
#include "objectbase/transport/testing/transport_fixture.hpp"

namespace heddle::objectbase {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class EndsTest : public TransportTest {};

INSTANTIATE_TEST_SUITE_P(Transports, EndsTest, ::testing::ValuesIn(kTransports),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(EndsTest, AnEditorThatDiesIsNoticedAndWhatItProposedIsMade) {
  add_notes(2);
  Sides sides(path, transport,
              {[](Side& side) {
                 Editor& editor = side.connect();
                 for (int i = 1; i <= 100; ++i) {
                   Edit edit = editor.edit();
                   edit.set({1}, kStars, i);
                   editor.propose(std::move(edit));
                 }
                 side.die();
               },
               [](Side& side) {
                 Editor& editor = side.connect();
                 side.until([&] { return editor.get({1}, kStars) == Value(std::int64_t{100}); });
                 Edit edit = editor.edit();
                 edit.set({2}, kText, "here");
                 side.say(side.outcome(std::move(edit)));
               }});
  std::vector<std::string> left;
  Owner owner(path, transport, {.left = [&](unsigned, const std::string& why) { left.push_back(why); }});
  sides.finish(owner);
  while (left.size() < 2) owner.serve(5);
  EXPECT_EQ(sides.said(1), "accepted, changed 2\n");
  EXPECT_EQ(owner.editors(), 0);
  for (const std::string& why : left) EXPECT_THAT(why, ::testing::AnyOf(HasSubstr("closed"), HasSubstr("has ended")));
}

TEST_P(EndsTest, AnOwnerThatIsGoneIsNoticedAndTheNextOneGoesOn) {
  add_notes(2);
  Sides sides(path, transport, {[](Side& side) {
                Editor& editor = side.connect();
                Edit edit = editor.edit();
                edit.set({1}, kText, "first");
                // The change that follows may be among its news.
                side.say(side.outcome(std::move(edit)).substr(0, 8));
                try {
                  side.until([] { return false; });
                } catch (const base::UserError& error) {
                  side.say(error.what());
                }
                side.said += state_of(editor);
                try {
                  editor.propose(editor.edit());
                  side.say("proposed to nobody");
                } catch (const base::UserError&) {
                }
                side.answers.clear();
                side.connect();
                side.said += state_of(side.editor());
                Edit other = side.editor().edit();
                other.set({2}, kText, "second");
                side.say(side.outcome(std::move(other)));
              }});
  std::string before;
  {
    Owner owner(path, transport);
    while (owner.store().text({1}, kText) != "first") owner.serve(5);
    Work work = owner.begin();
    work.set({2}, kStars, 22);
    work.commit();
    before = state_of(owner.store());
  }
  Owner owner(path, transport);
  sides.finish(owner);
  EXPECT_EQ(sides.said(),
            "accepted\n" + path.string() + ": its owner is gone\n" + before + before + "accepted, changed 2\n");
}

class ProcessesTest : public TransportTest {};

INSTANTIATE_TEST_SUITE_P(Transports, ProcessesTest,
                         ::testing::Values(Transport::kSockets, Transport::kBatchedSockets, Transport::kMapped),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(ProcessesTest, AnOwnerThatIsKilledIsNoticed) {
  add_notes(1);
  std::array<int, 2> ready{};
  ASSERT_EQ(pipe(ready.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    Owner owner(path, transport, {.decide = [](Work& work) -> std::string {
                  if (work.get({1}, kText) == Value(std::string_view("die"))) raise(SIGKILL);
                  return {};
                }});
    static_cast<void>(!write(ready[1], "", 1));
    for (;;) owner.serve(-1);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  Side side(path, transport);
  Editor& editor = side.connect();
  Edit edit = editor.edit();
  edit.set({1}, kText, "live");
  EXPECT_EQ(side.outcome(std::move(edit)), "accepted, changed 1");
  Edit deadly = editor.edit();
  deadly.set({1}, kText, "die");
  editor.propose(std::move(deadly));
  std::string said;
  try {
    side.until([] { return false; });
  } catch (const base::UserError& error) {
    said = error.what();
  }
  EXPECT_THAT(said, HasSubstr("its owner is gone"));
  EXPECT_THAT(said, HasSubstr("edits without an answer: 1; connect again and look whether they were made"));
  EXPECT_EQ(state_of(editor), "Note 1: text=\"live\" stars=1 weight=- next=-\n");
  waitpid(child, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
  EXPECT_THROW(Editor(path, transport), base::UserError);
  Owner next(path, transport);
  EXPECT_EQ(next.store().text({1}, kText), "live");
}

// A process may have children that hold what it had open: its end is seen by the process, not by the socket.
TEST_P(ProcessesTest, AnEditorsEndIsNoticedThoughAChildOfItLives) {
  add_notes(1);
  std::array<int, 2> end{};
  ASSERT_EQ(pipe(end.data()), 0);
  Sides sides(path, transport, {[&](Side& side) {
                side.connect();
                if (fork() == 0) {
                  char byte = 0;
                  close(end[1]);
                  static_cast<void>(!read(end[0], &byte, 1));
                  _exit(0);
                }
                raise(SIGKILL);
              }});
  std::vector<std::string> left;
  Owner owner(path, transport, {.left = [&](unsigned, const std::string& why) { left.push_back(why); }});
  while (left.empty()) owner.serve(50);
  EXPECT_THAT(left, ElementsAre(HasSubstr("has ended")));
  close(end[1]);
  close(end[0]);
  sides.finish(owner);
}

TEST_P(EndsTest, WhoDoesNotFitIsToldWhy) {
  add_notes(1);
  const Transport other = transport == Transport::kSockets ? Transport::kBatchedSockets : Transport::kSockets;
  Owner owner(path, transport);
  EXPECT_THAT(
      [&] {
        try {
          const Owner second(path, transport);
        } catch (const base::UserError& error) {
          return std::string(error.what());
        }
        return std::string("two owners");
      }(),
      HasSubstr("has an owner already"));
  Editor editor(path, other);
  std::string said;
  for (int i = 0; i < 3 && said.empty(); ++i) {
    owner.serve(0);
    try {
      editor.receive();
    } catch (const base::UserError& error) {
      said = error.what();
    }
  }
  EXPECT_THAT(said, HasSubstr("the owner uses transport " + std::string(name_of(transport)) + ", this editor " +
                              std::string(name_of(other))));
  EXPECT_EQ(owner.editors(), 0);
}

TEST_P(EndsTest, WhereSidesAreThreadsNoOtherProcessIsLetIn) {
  add_notes(1);
  std::array<int, 2> said{};
  ASSERT_EQ(pipe(said.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    Side side(path, transport);
    std::string words = "let in";
    try {
      side.connect();
    } catch (const base::UserError& error) {
      words = error.what();
    }
    static_cast<void>(!write(said[1], words.data(), words.size()));
    _exit(0);
  }
  close(said[1]);
  std::vector<std::string> left;
  Owner owner(path, transport, {.left = [&](unsigned, const std::string& why) { left.push_back(why); }});
  while (left.empty()) owner.serve(50);
  std::array<char, 1000> words{};
  const ssize_t count = read(said[0], words.data(), words.size());
  waitpid(child, nullptr, 0);
  close(said[0]);
  EXPECT_THAT(std::string(words.data(), static_cast<std::size_t>(count)),
              manner_of(transport).threads ? HasSubstr("for threads of its own process alone") : HasSubstr("let in"));
}

TEST_P(EndsTest, AnEditorThatDoesNotReadHoldsNobodyUp) {
  add_notes(2);
  std::vector<std::string> left;
  Owner owner(path, transport,
              {.left = [&](unsigned, const std::string& why) { left.push_back(why); }, .most_kept_bytes = 1 << 20});
  Editor sleeper(path, transport);
  owner.serve(0);
  const std::string text(1'000, 'x');
  for (int i = 0; i < 50'000; ++i) {
    Work work = owner.begin();
    work.set({1}, kText, text);
    work.set({2}, kStars, i);
    work.commit();
    if (i % 64 == 0) owner.serve(0);
  }
  owner.serve(0);
  if (manner_of(transport).watches) {
    EXPECT_THAT(left, IsEmpty()) << "nothing is kept for it";
    sleeper.receive();
    EXPECT_EQ(state_of(sleeper), state_of(owner.store()));
  } else {
    EXPECT_THAT(left, ElementsAre("it does not read what it is told"));
  }
}

}  // namespace
}  // namespace heddle::objectbase
