#include "threadlab/models/conflicts.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <memory>

#include "threadlab/commands/decode_jpeg.hpp"
#include "threadlab/commands/load_url.hpp"
#include "threadlab/commands/paint.hpp"
#include "threadlab/commands/work.hpp"

namespace heddle::threadlab {
namespace {

using scheduler::Verdict;

class ThreadlabConflicts : public testing::Test {
 protected:
  // Load, decode and paint of one image.
  struct Chain {
    Task* load;
    Task* decode;
    Task* paint;
  };

  Task& add(std::unique_ptr<Command> command) { return tasks_.emplace_back(tasks_.size(), std::move(command), 0); }
  Chain chain() {
    auto bytes = std::make_shared<Memory>("bytes");
    auto image = std::make_shared<Image>("image");
    auto region = std::make_shared<Region>(canvas_, Rectangle{0, 0, 5, 5});
    return {&add(std::make_unique<LoadUrl>("load", "http://host/", bytes, LoadUrl::Limits{})),
            &add(std::make_unique<DecodeJpeg>("decode", bytes, image)),
            &add(std::make_unique<PaintImage>("paint", image, region, PaintImage::Scale::kNot))};
  }
  void classify() {
    for (Task& task : tasks_) conflicts_.classify(task);
  }
  bool may_overlap(const Task& a, const Task& b) const {
    const Verdict verdict = conflicts_.constraints().verdict(a.klass, b.klass);
    return verdict == Verdict::kNever || (verdict == Verdict::kSession && (a.session == 0 || a.session != b.session));
  }

  std::shared_ptr<Canvas> canvas_ = std::make_shared<Canvas>("canvas", 20, 20);
  std::deque<Task> tasks_;
  Conflicts conflicts_;
};

TEST_F(ThreadlabConflicts, WriterAndReaderOfOnePieceOfDataConflict) {
  const Chain one = chain();
  classify();
  EXPECT_FALSE(may_overlap(*one.load, *one.decode));
  EXPECT_FALSE(may_overlap(*one.decode, *one.paint));
  EXPECT_TRUE(may_overlap(*one.load, *one.paint));
}

TEST_F(ThreadlabConflicts, WhatSharesNothingRunsAtOnce) {
  const Chain one = chain();
  const Chain other = chain();
  Task& sleep = add(std::make_unique<Sleep>("sleep", 0));
  classify();
  EXPECT_TRUE(may_overlap(*one.decode, *other.decode));
  EXPECT_TRUE(may_overlap(*one.load, *other.decode));
  EXPECT_EQ(sleep.session, 0U);
  EXPECT_TRUE(may_overlap(sleep, sleep));
  EXPECT_EQ(one.decode->klass, other.decode->klass);
}

TEST_F(ThreadlabConflicts, WhoConnectsSessionsBeforehandMakesThemOne) {
  const Chain one = chain();
  const Chain other = chain();
  add(std::make_unique<PaintImage>("both", std::static_pointer_cast<Image>(one.paint->command->reads()[0]),
                                   std::static_pointer_cast<Region>(other.paint->command->writes()[0]),
                                   PaintImage::Scale::kNot));
  conflicts_.connect({one.load, one.decode, one.paint, other.load, other.decode, other.paint, &tasks_.back()});
  classify();
  EXPECT_EQ(one.load->session, other.load->session);
  EXPECT_FALSE(may_overlap(tasks_.back(), *one.decode));
}

TEST_F(ThreadlabConflicts, WhoConnectsSessionsThatAreInUseRunsAlone) {
  const Chain one = chain();
  const Chain other = chain();
  classify();
  Task& both = add(std::make_unique<PaintImage>("both", std::static_pointer_cast<Image>(one.paint->command->reads()[0]),
                                                std::static_pointer_cast<Region>(other.paint->command->writes()[0]),
                                                PaintImage::Scale::kNot));
  conflicts_.classify(both);
  EXPECT_EQ(both.klass, scheduler::kUnknownClass);
  EXPECT_FALSE(may_overlap(both, *one.load));
  EXPECT_NE(one.load->session, other.load->session);
}

}  // namespace
}  // namespace heddle::threadlab
