#include "threadlab/models/board.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stdexcept>

#include "threadlab/commands/work.hpp"
#include "threadlab/data/canvas.hpp"
#include "threadlab/data/memory.hpp"

namespace heddle::threadlab {
namespace {

// Does what it is told, a part at a time.
class Scripted : public Command {
 public:
  using Script = std::function<Step(Context&)>;
  Scripted(std::string name, DataList reads, DataList writes, Script script)
      : Command("scripted", std::move(name), std::move(reads), std::move(writes)), script_(std::move(script)) {}
  Step part(Context& context) override { return script_(context); }

 private:
  const Script script_;
};

class ThreadlabBoard : public testing::Test {
 protected:
  Task& declare(const std::string& name, Command::DataList reads, Command::DataList writes, Scripted::Script script,
                const std::vector<std::size_t>& after = {}) {
    return board_.declare(std::make_unique<Scripted>(name, std::move(reads), std::move(writes), std::move(script)), 0,
                          after);
  }
  Board::Tasks step(Task& task) {
    Board::Performed performed = board_.perform(task);
    return board_.settle(task, performed);
  }
  static Step done(Context&) { return Step::done(); }

  Board board_{BoardOptions{.seconds = 5}};
  std::shared_ptr<Memory> memory_ = std::make_shared<Memory>("memory");
};

using Tasks = Board::Tasks;

TEST_F(ThreadlabBoard, AReaderRunsBesideItsWriterAndIsWokenWhenThereIsMore) {
  Task& writer = declare("writer", {}, {memory_}, [this](Context&) {
    memory_->append("x", false);
    return Step::ready();
  });
  Task& reader =
      declare("reader", {memory_}, {}, [this](Context&) { return Step::more(*memory_, memory_->version()); });
  EXPECT_EQ(board_.start(), (Tasks{&writer, &reader}));
  EXPECT_EQ(reader.after, std::vector<std::size_t>{0});
  EXPECT_EQ(step(reader), Tasks{});
  EXPECT_EQ(step(writer), (Tasks{&reader, &writer}));
}

TEST_F(ThreadlabBoard, WhatHasComeBeforeAReaderWaitsIsNotMissed) {
  std::uint64_t seen = 0;
  declare("writer", {}, {memory_}, done);
  Task& reader = declare("reader", {memory_}, {}, [&](Context&) { return Step::more(*memory_, seen); });
  board_.start();
  memory_->append("x", false);
  EXPECT_EQ(step(reader), Tasks{&reader});
}

TEST_F(ThreadlabBoard, DataThatAWriterDoesNotCompleteHaveFailed) {
  Task& writer = declare("writer", {}, {memory_}, [](Context&) { return Step::done("broken: quite"); });
  board_.start();
  step(writer);
  EXPECT_TRUE(memory_->failed());
  EXPECT_EQ(memory_->failure(), "writer: broken: quite");
  EXPECT_TRUE(board_.finished());
}

TEST_F(ThreadlabBoard, WhatACommandThrowsIsItsError) {
  Task& task = declare("task", {}, {}, [](Context&) -> Step { throw std::runtime_error("no"); });
  board_.start();
  step(task);
  EXPECT_EQ(task.error, "exception: no");
}

TEST_F(ThreadlabBoard, DataThatNobodyWritesAreComplete) {
  declare("reader", {memory_}, {}, done);
  board_.start();
  EXPECT_TRUE(memory_->closed());
}

TEST_F(ThreadlabBoard, WhoComesAfterWaitsForAllThatWasAdded) {
  Task& first = declare("first", {}, {}, [](Context& context) {
    context.spawn(std::make_unique<Scripted>("added", Command::DataList(), Command::DataList(), done));
    return Step::done();
  });
  Task& second = declare("second", {}, {}, done, {0});
  EXPECT_EQ(board_.start(), Tasks{&first});
  const Tasks added = step(first);
  ASSERT_EQ(added.size(), 1U);
  EXPECT_EQ(added[0]->parent, &first);
  EXPECT_EQ(step(*added[0]), Tasks{&second});
}

TEST_F(ThreadlabBoard, WhoPaintsTheSamePlaceLaterComesLater) {
  const auto canvas = std::make_shared<Canvas>("canvas", 20, 20);
  const auto region = [&](std::uint32_t x) { return std::make_shared<Region>(canvas, Rectangle{x, 0, 10, 10}); };
  Task& first = declare("first", {}, {region(0)}, done);
  Task& other = declare("other", {}, {region(10)}, done);
  Task& above = declare("above", {}, {region(5)}, done);
  EXPECT_EQ(board_.start(), (Tasks{&first, &other}));
  EXPECT_EQ(above.after, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(step(first), Tasks{});
  EXPECT_EQ(step(other), Tasks{&above});
}

TEST_F(ThreadlabBoard, WhoWaitsForOneThatWaitsIsGivenUp) {
  const auto other = std::make_shared<Memory>("other");
  Task& a = declare("a", {memory_}, {other}, [this](Context&) { return Step::more(*memory_, memory_->version()); });
  Task& b = declare("b", {other}, {memory_}, [other](Context&) {
    return other->failed() ? Step::done("no_input: " + other->failure()) : Step::more(*other, other->version());
  });
  board_.start();
  EXPECT_EQ(step(a), Tasks{});
  EXPECT_EQ(step(b), Tasks{&a});
  EXPECT_EQ(step(a), Tasks{&b});
  step(b);
  EXPECT_EQ(a.error, "stuck: it waits for a command that waits itself");
  EXPECT_EQ(b.error, "no_input: a: " + a.error);
  EXPECT_TRUE(board_.finished());
}

TEST_F(ThreadlabBoard, AWakeUpThatComesBeforeTheWaitCounts) {
  Task* sleeper = nullptr;
  Task& waker = declare("waker", {}, {}, [&](Context& context) {
    context.wake(*sleeper);
    return Step::ready();
  });
  sleeper = &declare("sleeper", {}, {}, [](Context&) { return Step::woken(); });
  board_.start();
  EXPECT_EQ(step(waker), Tasks{&waker});
  EXPECT_EQ(step(*sleeper), Tasks{sleeper});
  EXPECT_EQ(step(*sleeper), Tasks{});
  EXPECT_EQ(step(waker), (Tasks{sleeper, &waker}));
}

TEST_F(ThreadlabBoard, AfterTheDeadlineNoPartRuns) {
  Task& waiting = declare("waiting", {}, {}, [](Context&) { return Step::woken(); });
  Task& due = declare("due", {}, {}, [](Context&) { return Step::ready(); });
  board_.start();
  step(waiting);
  EXPECT_EQ(board_.expire(), Tasks{});
  board_.give_up("enough: now");
  EXPECT_EQ(board_.expire(), Tasks{&waiting});
  step(waiting);
  step(due);
  EXPECT_EQ(waiting.error, "enough: now");
  EXPECT_EQ(due.error, "enough: now");
  EXPECT_TRUE(board_.finished());
}

TEST_F(ThreadlabBoard, APieceOfDataIsWrittenOnce) {
  declare("one", {}, {memory_}, done);
  EXPECT_THROW(declare("two", {}, {memory_}, done), std::invalid_argument);
  EXPECT_THROW(declare("full", {}, {std::make_shared<Memory>("full", "x")}, done), std::invalid_argument);
}

}  // namespace
}  // namespace heddle::threadlab
