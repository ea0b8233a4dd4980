// A store of notes, over each transport.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "objectbase/store/testing/temporary.hpp"
#include "objectbase/transport/transport.hpp"

namespace heddle::objectbase {

// Slots of the class Note.
inline constexpr unsigned kText = 0;
inline constexpr unsigned kStars = 1;
inline constexpr unsigned kWeight = 2;
inline constexpr unsigned kNext = 3;

class TransportTest : public ::testing::TestWithParam<Transport> {
 protected:
  void SetUp() override { make(8 << 20); }

  void make(std::uint64_t limit) {
    std::filesystem::remove(path);
    std::filesystem::remove(path.string() + ".readers");
    Store store = Store::create(path, {.limit = limit});
    store.define("Note", {"text", "stars", "weight", "next"});
  }
  // Notes 1 to `count`, each with so many stars.
  void add_notes(int count) {
    Store store = Store::open(path, Access::kWrite);
    const Class note = *store.find("Note");
    Transaction change = store.begin();
    for (int i = 1; i <= count; ++i) change.set(change.create(note), kStars, i);
    change.commit();
  }
  void expect_whole() { EXPECT_THAT(Store::open(path, Access::kWrite).verify(), ::testing::IsEmpty()); }
  void TearDown() override { expect_whole(); }

  Transport transport = GetParam();
  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "store";
};

}  // namespace heddle::objectbase
