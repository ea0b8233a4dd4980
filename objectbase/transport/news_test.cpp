// When an editor is told, and of what: each change once, with its state, over every transport.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "objectbase/transport/testing/sides.hpp"
#include "objectbase/transport/testing/transport_fixture.hpp"

namespace heddle::objectbase {
namespace {

class NewsTest : public TransportTest {};

INSTANTIATE_TEST_SUITE_P(Transports, NewsTest, ::testing::ValuesIn(kTransports),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(NewsTest, AnAnswerComesWithItsState) {
  add_notes(1);
  Sides sides(path, transport, {[](Side& side) {
                Editor& editor = side.connect();
                for (int i = 1; i <= 1'000; ++i) {
                  Edit edit = editor.edit();
                  edit.set({1}, kStars, i);
                  const std::uint64_t number = editor.propose(std::move(edit));
                  while (!side.answers.contains(number)) side.receive();  // at every moment, without waiting
                  if (editor.get({1}, kStars) != Value(std::int64_t{i})) side.say("too early");
                }
              }});
  Owner owner(path, transport);
  sides.finish(owner);
  EXPECT_EQ(sides.said(), "");
}

TEST_P(NewsTest, NoChangeIsLeftOutOfTheNews) {
  constexpr int kObjects = 40;
  constexpr int kTransactions = 4'000;
  add_notes(kObjects);
  Sides sides(path, transport, {[](Side& side) {
                Editor& editor = side.connect();
                std::map<std::uint64_t, std::string> known;
                const std::string end = std::to_string(kTransactions);
                while (known[1] != end) {
                  side.until([&] { return !side.objects.empty(); });
                  for (const ObjectId id : side.objects) known[id.number] = words_of(editor.get(id, kStars));
                  side.objects.clear();
                }
                for (const auto& [number, stars] : known)
                  if (words_of(editor.get({number}, kStars)) != stars) side.say(std::to_string(number) + " is missed");
              }});
  Owner owner(path, transport);
  while (owner.editors() == 0) owner.serve(5);
  std::mt19937 random(9);
  for (int i = 1; i <= kTransactions; ++i) {
    Work work = owner.begin();
    work.set({i == kTransactions ? 1 : 2 + random() % (kObjects - 1)}, kStars, i);
    work.commit();
    if (i % 16 == 0) owner.serve(0);
  }
  sides.finish(owner);
  EXPECT_EQ(sides.said(), "");
}

// Both sides are one thread: nothing happens between two looks but what is said here.
class StepsTest : public TransportTest {
 protected:
  void begin(std::function<std::string(Work&)> decide = {}) {
    owner.emplace(path, transport, Program{.decide = std::move(decide)});
    editor.emplace(path, transport);
    for (int i = 0; i < 1'000 && !editor->ready(); ++i) {
      owner->serve(0);
      editor->receive();
    }
    ASSERT_TRUE(editor->ready());
  }
  std::string news() {
    owner->serve(0);
    return words_of(editor->receive().objects);
  }
  void TearDown() override {
    editor.reset();
    owner.reset();
    TransportTest::TearDown();
  }

  std::optional<Owner> owner;
  std::optional<Editor> editor;
};

INSTANTIATE_TEST_SUITE_P(Transports, StepsTest, ::testing::ValuesIn(kTransports),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(StepsTest, NewsAreWhatDiffers) {
  add_notes(3);
  begin();
  const auto change = [&](const auto& fill) {
    Work work = owner->begin();
    fill(work);
    work.commit();
  };
  change([](Work& work) { work.set({2}, kStars, 5); });
  change([](Work& work) { work.set({2}, kStars, 6); });
  EXPECT_EQ(editor->get({2}, kStars), Value(std::int64_t{2})) << "not asked yet";
  EXPECT_EQ(news(), "2");
  EXPECT_EQ(editor->get({2}, kStars), Value(std::int64_t{6}));
  EXPECT_EQ(news(), "");
  const Class note = *owner->store().find("Note");
  ObjectId made;
  change([&](Work& work) { made = work.create(note); });
  change([&](Work& work) {
    work.erase(made);
    work.set({1}, kText, "changed");
    work.erase({3});
  });
  EXPECT_EQ(news(), "1 3") << "what came and went is no news";
  {
    const Work dropped = owner->begin();
  }
  EXPECT_EQ(news(), "");
}

TEST_P(StepsTest, MoreChangesThanAreTakenAtOnceAreSeenToo) {
  constexpr int kObjects = 600;
  add_notes(kObjects);
  begin();
  std::map<std::uint64_t, std::string> known;
  const auto look = [&] {
    owner->serve(0);
    for (const ObjectId id : editor->receive().objects) known[id.number] = words_of(editor->get(id, kStars));
  };
  for (int i = 0; i < 12; ++i) {
    // More than the store notes, and than a socket holds; and while some of that is not yet told, more of it.
    for (int j = 1; j <= kObjects; ++j) {
      Work work = owner->begin();
      work.set({static_cast<std::uint64_t>(j)}, kStars, 2 * i);
      work.commit();
      if (i < 8 || j % 200 != 0) continue;
      look();
    }
  }
  for (int i = 0; i < 10'000 && (known.size() < kObjects || editor->commit() != owner->store().commit()); ++i) look();
  for (int i = 0; i < 1'000; ++i) look();
  int missed = 0;
  for (int j = 1; j <= kObjects; ++j) missed += known[static_cast<std::uint64_t>(j)] == "22" ? 0 : 1;
  EXPECT_EQ(missed, 0);
  EXPECT_TRUE(state_of(*editor) == state_of(owner->store()));
}

TEST_P(StepsTest, WhatChangesAgainBeforeItIsToldIsReportedAgain) {
  add_notes(2);
  begin();
  std::map<std::uint64_t, std::string> known;
  const auto look = [&] {
    for (const ObjectId id : editor->receive().objects) known[id.number] = words_of(editor->get(id, kStars));
  };
  const auto set = [&](std::uint64_t number, int stars) {
    Work work = owner->begin();
    work.set({number}, kStars, stars);
    work.commit();
  };
  for (int i = 0; i < 500; ++i) set(1, i);  // more messages than a socket holds
  set(2, 7);
  look();
  set(1, 999);
  for (int i = 0; i < 10; ++i) {
    owner->serve(0);
    look();
  }
  EXPECT_EQ(known[1], "999");
  EXPECT_EQ(known[2], "7");
}

TEST_P(StepsTest, AnEditThatComesWhileAnotherIsDecidedIsNotLeftThere) {
  add_notes(1);
  begin([this](Work& work) {
    if (work.get({1}, kStars) == Value(std::int64_t{10})) {
      Edit second = editor->edit();
      second.set({1}, kStars, 11);
      editor->propose(std::move(second));
    }
    return std::string();
  });
  Edit first = editor->edit();
  first.set({1}, kStars, 10);
  editor->propose(std::move(first));
  for (int i = 0; i < 3; ++i) owner->serve(0);
  EXPECT_EQ(owner->store().integer({1}, kStars), 11);
}

}  // namespace
}  // namespace heddle::objectbase
