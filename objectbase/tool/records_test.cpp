// A store that is written as text and read again is the same.
#include "objectbase/tool/records.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <sstream>

#include "base/user_error.hpp"
#include "objectbase/store/testing/temporary.hpp"

namespace heddle::objectbase {
namespace {

using testing::HasSubstr;

std::string text_of(const Store& store) {
  std::ostringstream out;
  dump(store, out);
  return out.str();
}

// All but the first line, which says the number of the commit.
std::string content_of(const Store& store) {
  const std::string text = text_of(store);
  return text.substr(text.find('\n'));
}

std::string why_not(const std::string& text, const std::filesystem::path& path) {
  std::istringstream in(text);
  try {
    load(in, path, {.limit = 1 << 20});
  } catch (const base::UserError& error) {
    return error.what();
  }
  return "";
}

TEST(RecordsTest, EveryKindOfValueComesBack) {
  const TemporaryFolder folder;
  Store store = Store::create(folder.path() / "one", {.limit = 1 << 24});
  const Class type = store.define("Any", {"a", "b", "c"});
  std::vector<Value> values = {std::int64_t{0},
                               std::numeric_limits<std::int64_t>::min(),
                               std::numeric_limits<std::int64_t>::max(),
                               0.1,
                               3.0,
                               -0.0,
                               std::numeric_limits<double>::denorm_min(),
                               std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity(),
                               ObjectId{~std::uint64_t{0}},
                               std::string_view(""),
                               std::string_view("zero \0 byte, \"quoted\"\n", 22),
                               std::string_view("\xff\xfe no UTF-8, and long enough for a block"),
                               Bytes{std::string_view("\0\x01\xff", 3)},
                               Bytes{}};
  Transaction change = store.begin();
  std::vector<ObjectId> ids;
  for (const Value& value : values) {
    ids.push_back(change.create(type));
    change.set(ids.back(), 1, value);
  }
  change.set(ids[0], 2, std::nan(""));
  change.commit();
  std::istringstream in(text_of(store));
  EXPECT_EQ(load(in, folder.path() / "two", {.limit = 1 << 24}), values.size());
  Store other = Store::open(folder.path() / "two", Access::kWrite);
  EXPECT_THAT(other.verify(), testing::IsEmpty());
  EXPECT_EQ(content_of(other), content_of(store));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Pinned found = other.pin(ids[i]);
    ASSERT_TRUE(found);
    EXPECT_EQ(found.get(1), values[i]) << i;
    EXPECT_EQ(found.get(0), Value{});
  }
  EXPECT_TRUE(std::isnan(other.number(ids[0], 2).value()));
  EXPECT_TRUE(std::signbit(other.number(ids[5], 1).value()));
}

TEST(RecordsTest, NumbersOfErasedObjectsAreNotUsedAgain) {
  const TemporaryFolder folder;
  Store store = Store::create(folder.path() / "one", {.limit = 1 << 24});
  const Class type = store.define("Any", {"a"});
  std::mt19937 random(5);
  std::vector<ObjectId> alive;
  std::vector<ObjectId> gone;
  for (int round = 0; round < 200; ++round) {
    Transaction change = store.begin();
    for (int i = 0; i < 10; ++i) {
      if (alive.empty() || random() % 2 == 0) {
        alive.push_back(change.create(type));
      } else {
        const std::size_t which = random() % alive.size();
        change.erase(alive[which]);
        gone.push_back(alive[which]);
        alive[which] = alive.back();
        alive.pop_back();
      }
    }
    change.commit();
  }
  std::istringstream in(text_of(store));
  EXPECT_EQ(load(in, folder.path() / "two", {.limit = 1 << 24}), alive.size());
  Store other = Store::open(folder.path() / "two", Access::kWrite);
  EXPECT_THAT(other.verify(), testing::IsEmpty());
  for (const ObjectId id : alive) EXPECT_TRUE(other.pin(id));
  for (const ObjectId id : gone) EXPECT_FALSE(other.pin(id));
  Transaction change = other.begin();
  for (int i = 0; i < 2000; ++i) {
    const ObjectId made = change.create(type);
    EXPECT_THAT(gone, testing::Not(testing::Contains(made)));
    EXPECT_THAT(alive, testing::Not(testing::Contains(made)));
  }
  change.commit();
  EXPECT_THAT(other.verify(), testing::IsEmpty());
}

TEST(RecordsTest, WhatCannotBeReadLeavesNoStore) {
  const TemporaryFolder folder;
  const std::string head = R"({"objectbase": 1})"
                           "\n"
                           R"({"class": "Any", "slots": ["a"]})"
                           "\n";
  const auto object = [&](const std::string& value) {
    return head + R"({"object": 1, "class": "Any", "values": {"a": )" + value + "}}\n";
  };
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "nothing to load"},
      {"no JSON\n", "line 1:"},
      {R"({"objectbase": 2})", "another version"},
      {R"({"other": 2})", "neither a class nor an object"},
      {R"(["class"])", "line 1"},
      {R"({"object": 1, "class": "Any", "values": {}})", "has not been defined"},
      {head + R"({"object": 1, "class": "Any"})", "line 3"},
      {head + R"({"object": 0, "class": "Any", "values": {}})", "line 3: objectbase: no object has the number 0"},
      {head + R"({"object": -1, "class": "Any", "values": {}})", "line 3"},
      {head + R"({"object": 4000000000, "class": "Any", "values": {}})", "is full"},
      {object("1") + object("2").substr(head.size()), "line 4"},
      {object("[1]"), "a value is"},
      {object("18446744073709551615"), "64 bits"},
      {object(R"({"hex": "0"})"), "half a byte"},
      {object(R"({"hex": "zz"})"), "not hexadecimal"},
      {object(R"({"hex": 7})"), "line 3"},
      {object(R"({"double": "big"})"), "no kind that is known"},
      {head + R"({"object": 1, "class": "Any", "values": {"b": 1}})", "it has: a"},
      {object('"' + std::string(2 << 20, 'x') + '"'), "is full"}};
  for (const auto& [text, why] : wrong) {
    EXPECT_THAT(why_not(text, folder.path() / "one"), HasSubstr(why)) << text.substr(0, 200);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "one"));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "one.readers"));
  }
  // One that was there before stays.
  EXPECT_EQ(why_not(object("1"), folder.path() / "one"), "");
  EXPECT_THAT(why_not(object("2"), folder.path() / "one"), HasSubstr("exists already"));
  EXPECT_EQ(Store::open(folder.path() / "one", Access::kRead).integer({1}, 0), 1);
}

}  // namespace
}  // namespace heddle::objectbase
