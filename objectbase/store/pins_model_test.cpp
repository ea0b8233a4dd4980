// Publish, pin and reclaim, under every schedule that the explorer finds: what is pinned is not written again, and what
// a snapshot has stays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "objectbase/store/pins.hpp"
#include "testing/schedule/explorer.hpp"
#include "testing/schedule/model_sync.hpp"

namespace heddle::objectbase {
namespace {

using schedule::explore;
using schedule::fail;
using schedule::ModelSync;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr int kCommits = 3;

// A store of one object, whose versions lie in so many blocks; block i is at 16 * i.
template <class Sync>
struct Model {
  struct Block {
    typename Sync::template Plain<std::uint64_t> content;
    std::uint64_t from = 0;   // the writer's
    std::uint64_t until = 0;  // 0: the newest, or free
    bool used = false;
  };

  PinCells<Sync> cells;
  typename Sync::template Atomic<Offset> head{16};
  typename Sync::template Atomic<std::uint64_t> commit{1};
  std::array<Block, 5> blocks;  // 0 is none

  Model() {
    blocks[1].content.write() = 1;
    blocks[1].from = 1;
    blocks[1].used = true;
  }

  void write(bool looks) {
    for (std::uint64_t number = 2; number < 2 + kCommits; ++number) {
      const std::size_t free = take_free();
      if (free == 0) return;
      blocks[free].content.write() = number;
      blocks[free].from = number;
      blocks[free].used = true;
      const Offset old = head.load(std::memory_order_relaxed);
      head.store(16 * free, std::memory_order_seq_cst);
      blocks[old / 16].until = number;
      commit.store(number, std::memory_order_seq_cst);
      reclaim(looks);
    }
  }

  std::size_t take_free() const {
    for (std::size_t i = 1; i < blocks.size(); ++i)
      if (!blocks[i].used) return i;
    return 0;
  }

  void reclaim(bool looks) {
    Kept kept;
    if (looks) kept.add(cells);
    for (std::size_t i = 1; i < blocks.size(); ++i) {
      Block& block = blocks[i];
      if (!block.used || block.until == 0 || kept.needs(16 * i, block.from, block.until)) continue;
      block.used = false;
      block.until = 0;
    }
  }
};

// The explorer reports a read beside a write of the same block.
template <class Sync>
void pin_while_one_writes(bool looks) {
  Model<Sync> model;
  typename Sync::Thread writer([&] { model.write(looks); });
  std::uint64_t last = 0;
  for (int i = 0; i < 2; ++i) {
    const Offset found = model.head.load(std::memory_order_acquire);
    auto* cell = model.cells.take(pin_of(found), 0);
    const Offset place = PinCells<Sync>::pin(*cell, model.head, found);
    const std::uint64_t content = model.blocks[place / 16].content.read();
    if (content < last) fail("an older version than before");
    last = content;
    PinCells<Sync>::let_go(*cell);
  }
  writer.join();
}

TEST(ObjectbasePinsModel, WhatIsPinnedIsNotUsedAgain) {
  EXPECT_EQ(explore(HEDDLE_SCHEDULES, [] { pin_while_one_writes<ModelSync>(true); }), "");
}

TEST(ObjectbasePinsModel, WithoutALookAtThePinsItIs) {
  EXPECT_THAT(explore(HEDDLE_SCHEDULES, [] { pin_while_one_writes<ModelSync>(false); }), Not(IsEmpty()));
}

// The newest commit when it was taken is one that no reclaiming has passed over.
template <class Sync>
void take_a_snapshot_while_one_writes(bool announces) {
  Model<Sync> model;
  typename Sync::Thread writer([&] { model.write(true); });
  auto* cell = model.cells.take(announces ? kEverything : snapshot_of(0), 0);
  const std::uint64_t commit = PinCells<Sync>::snapshot(*cell, model.commit);
  writer.join();
  bool there = false;
  for (const auto& block : model.blocks)
    there = there || (block.used && block.from <= commit && (block.until == 0 || commit < block.until));
  if (!there) fail("the snapshot's version is gone");
  PinCells<Sync>::let_go(*cell);
}

TEST(ObjectbasePinsModel, ASnapshotKeepsItsVersion) {
  EXPECT_EQ(explore(HEDDLE_SCHEDULES, [] { take_a_snapshot_while_one_writes<ModelSync>(true); }), "");
}

TEST(ObjectbasePinsModel, WithoutAnAnnouncementItMayBeGone) {
  EXPECT_THAT(explore(HEDDLE_SCHEDULES, [] { take_a_snapshot_while_one_writes<ModelSync>(false); }), Not(IsEmpty()));
}

}  // namespace
}  // namespace heddle::objectbase
