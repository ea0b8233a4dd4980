// Editors that send and write what no editor of ours does: the owner lets them go, or refuses what they want, and stays
// as it is. Under AddressSanitizer the same tests show that nothing is read or written beyond its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <random>
#include <thread>

#include "base/assert.hpp"
#include "base/on_exit.hpp"
#include "objectbase/store/testing/temporary.hpp"
#include "objectbase/transport/testing/sides.hpp"

namespace heddle::objectbase {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Random = std::mt19937_64;

std::string random_bytes(Random& random, std::size_t count) {
  std::string bytes(count, '\0');
  for (char& each : bytes) each = static_cast<char>(random());
  return bytes;
}

// Numbers that stand at the edge of something, or anything.
std::uint64_t odd_number(Random& random) {
  switch (random() % 8) {
    case 0:
      return 0;
    case 1:
      return random() % 8;
    case 2:
      return kProposed + random() % 4;
    case 3:
      return ~std::uint64_t{0} - random() % 4;
    case 4:
      return std::uint64_t{1} << random() % 64;
    case 5:
      return (random() % 4) << 32 | (random() % 8);
    case 6:
      return random();
    default:
      return 1 + random() % 4;
  }
}

// A group whose messages are well formed, and what stands in them is whatever it is.
std::string odd_group(Random& random) {
  Outgoing group;
  const std::uint64_t count = random() % 8;
  std::uint64_t created = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    switch (random() % 6) {
      case 0:
        group.add(MessageKind::kCreate, random() % 4 == 0 ? odd_number(random) : kProposed + ++created, 0, "Note");
        break;
      case 1:
        group.add_value(odd_number(random), static_cast<unsigned>(random() % 6), Value(ObjectId{odd_number(random)}));
        break;
      case 2:
        group.add_value(odd_number(random), static_cast<unsigned>(random() % 3),
                        Value(std::string_view("a text that is longer than a word")));
        break;
      case 3:
        group.add(MessageKind::kErase, odd_number(random));
        break;
      case 4:
        group.add(MessageKind::kExpect, odd_number(random), 0, random_bytes(random, random() % 10),
                  static_cast<std::uint8_t>(random() % 8));
        break;
      default:
        group.add(static_cast<MessageKind>(random() % 16), odd_number(random), static_cast<unsigned>(random() % 0xffff),
                  random_bytes(random, random() % 40), static_cast<std::uint8_t>(random() % 8));
    }
  }
  group.finish({odd_number(random), odd_number(random)});
  std::string bytes = group.bytes();
  if (random() % 4 == 0) bytes[random() % bytes.size()] = static_cast<char>(random());
  if (random() % 16 == 0) bytes.resize(random() % bytes.size());
  return bytes;
}

TEST(InboxTest, WhateverArrivesIsGroupsOrMalformed) {
  Random random(1);
  int groups = 0;
  int malformed = 0;
  for (int round = 0; round < 5'000; ++round) {
    Inbox inbox(4096);
    std::string bytes;
    const bool rubbish = round % 3 == 0;
    for (int i = 0; i < 4; ++i) bytes += rubbish ? random_bytes(random, random() % 200) : odd_group(random);
    std::size_t done = 0;
    try {
      while (done < bytes.size()) {
        const std::size_t part = std::min({bytes.size() - done, 1 + random() % 300, inbox.free_bytes()});
        ASSERT_GT(part, 0);
        std::memcpy(inbox.room(part), bytes.data() + done, part);
        inbox.add(part);
        done += part;
        while (const auto group = inbox.take()) {
          ++groups;
          std::size_t sum = 0;
          for (const Message& each : group->messages) {
            for (const char byte : each.value) sum += static_cast<unsigned char>(byte);
            try {
              static_cast<void>(value_in(each));
            } catch (const Malformed&) {
            }
          }
          ASSERT_LE(sum, 4096U * 255);
        }
      }
    } catch (const Malformed&) {
      ++malformed;
    }
  }
  EXPECT_GT(groups, 5'000);
  EXPECT_GT(malformed, 1'000);
}

TEST(InboxTest, GroupsComeOutAsTheyWentIn) {
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    std::string bytes;
    std::vector<std::vector<std::string>> sent;
    for (int i = 0; i < 5; ++i) {
      Outgoing group;
      auto& values = sent.emplace_back();
      for (std::uint64_t j = 0; j <= random() % 4; ++j) {
        values.push_back(random_bytes(random, random() % (j == 0 ? 100'000 : 100)));
        group.add(MessageKind::kSet, j, 0, values.back(), static_cast<std::uint8_t>(Type::kBytes));
      }
      group.finish({static_cast<std::uint64_t>(i), 0});
      bytes += group.bytes();
    }
    Inbox inbox(1 << 20);
    std::size_t group_number = 0;
    for (std::size_t done = 0; done < bytes.size();) {
      const std::size_t part = std::min<std::size_t>(bytes.size() - done, 1 + random() % 70'000);
      std::memcpy(inbox.room(part), bytes.data() + done, part);
      inbox.add(part);
      done += part;
      while (const auto group = inbox.take()) {
        ASSERT_EQ(group->end.commit, group_number);
        ASSERT_EQ(group->messages.size(), sent[group_number].size());
        for (std::size_t i = 0; i < group->messages.size(); ++i)
          ASSERT_EQ(group->messages[i].value, sent[group_number][i]);
        ++group_number;
      }
    }
    ASSERT_EQ(group_number, 5);
  }
}

// --- Over every transport ---

// The connection of an editor, and the segment, without an editor's manners.
class Hostile {
 public:
  Hostile(const std::filesystem::path& path, Transport transport)
      : channel_(connected_socket(path)), said_(std::size_t{1} << 30) {
    if (!manner_of(transport).values) channel_.expect_descriptor();
    Outgoing hello;
    hello.add(MessageKind::kHello, kProtocol, 0, name_of(transport));
    hello.finish({});
    channel_.send(hello, true);
  }
  // After the owner has served.
  void take_welcome() {
    channel_.receive(said_);
    segment_ = channel_.take_descriptor();
    if (!segment_) return;
    start_ = mapped();
    ring_.emplace(edits(), start_ + kStagingHead, kEditsBytes);
  }
  // The segment once more, as another process has it: ThreadSanitizer looks at each place on its own.
  char* mapped() const {
    void* start = mmap(nullptr, kStagingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, segment_.number(), 0);
    HEDDLE_ASSERT(start != MAP_FAILED);
    return static_cast<char*>(start);
  }
  ~Hostile() {
    if (start_ != nullptr) munmap(start_, kStagingBytes);
  }
  Hostile(const Hostile&) = delete;
  Hostile& operator=(const Hostile&) = delete;

  void send(std::string_view bytes) { channel_.send(bytes); }
  void wake() {
    Outgoing group;
    group.finish({});
    channel_.send(group, true);
  }
  // By the way that edits go.
  void propose(std::string_view bytes) {
    if (start_ == nullptr) {
      send(bytes);
      return;
    }
    try {
      ring_->write(bytes);
    } catch (const Malformed&) {
    }
    wake();
  }
  char* start() { return start_; }
  RingHead& edits() { return reinterpret_cast<RingHead*>(start_)[0]; }
  RingHead& answers() { return reinterpret_cast<RingHead*>(start_)[1]; }
  void drain() {
    channel_.receive(said_);
    try {
      while (said_.take()) {
      }
    } catch (const Malformed&) {
    }
  }

 private:
  Channel channel_;
  Inbox said_;
  Descriptor segment_;
  char* start_ = nullptr;
  std::optional<Ring> ring_;
};

class HostileTest : public ::testing::TestWithParam<Transport> {
 protected:
  void SetUp() override {
    {
      Store store = Store::create(path, {.limit = 8 << 20});
      const Class note = store.define("Note", {"text", "stars", "next"});
      Transaction change = store.begin();
      for (int i = 0; i < 4; ++i) change.set(change.create(note), 1, i);
      change.commit();
    }
    owner.emplace(path, transport,
                  Program{.decide =
                              [&](Work&) {
                                ++decided;
                                return std::string();
                              },
                          .left = [&](unsigned, const std::string& why) { left.push_back(why); },
                          .most_edit_bytes = 1 << 20});
    honest.emplace(path, transport);
    owner->serve(0);  // accepts it
    owner->serve(0);
    honest->receive();
    ASSERT_TRUE(honest->ready());
  }
  void connect(std::unique_ptr<Hostile>& hostile) {
    hostile = std::make_unique<Hostile>(path, transport);
    owner->serve(0);
    owner->serve(0);
    hostile->take_welcome();
  }
  // The owner serves, the others see what it has, and nothing is damaged.
  void expect_all_is_well() {
    Edit edit = honest->edit();
    edit.create("Note");
    const std::uint64_t number = honest->propose(std::move(edit));
    bool answered = false;
    for (int i = 0; i < 10'000 && !answered; ++i) {
      owner->serve(0);
      for (const Answer& each : honest->receive().answers) answered = answered || each.edit == number;
    }
    ASSERT_TRUE(answered);
    ASSERT_EQ(state_of(*honest), state_of(owner->store()));
  }
  void TearDown() override {
    expect_all_is_well();
    honest.reset();
    owner.reset();
    EXPECT_THAT(Store::open(path, Access::kWrite).verify(), IsEmpty());
  }

  Transport transport = GetParam();
  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "store";
  std::vector<std::string> left;
  int decided = 0;
  std::optional<Owner> owner;
  std::optional<Editor> honest;
};

INSTANTIATE_TEST_SUITE_P(Transports, HostileTest, ::testing::ValuesIn(kTransports),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(HostileTest, WhoDoesNotGreetIsLetGo) {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    Channel channel(connected_socket(path));
    channel.send(round % 2 == 0 ? random_bytes(random, 1 + random() % 200) : odd_group(random));
    owner->serve(0);
    owner->serve(0);
  }
  owner->serve(0);
  owner->serve(0);
  EXPECT_EQ(owner->editors(), 1);
  EXPECT_EQ(left.size(), 200);
}

TEST_P(HostileTest, OddEditsAreRefusedOrTheirSenderIsLetGo) {
  Random random(4);
  std::unique_ptr<Hostile> hostile;
  int connections = 0;
  for (int round = 0; round < 3'000; ++round) {
    if (owner->editors() < 2) {
      ++connections;
      connect(hostile);
    }
    hostile->propose(odd_group(random));
    owner->serve(0);
    hostile->drain();
    if (round % 100 == 0) {
      expect_all_is_well();
      if (HasFatalFailure()) FAIL() << "round " << round;
    }
  }
  EXPECT_GT(connections, 100);
}

TEST_P(HostileTest, RubbishIsMalformed) {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    std::unique_ptr<Hostile> hostile;
    connect(hostile);
    for (int i = 0; i < 100 && owner->editors() == 2; ++i) {
      hostile->propose(random_bytes(random, 1 + random() % 3'000));
      owner->serve(0);
    }
    EXPECT_EQ(owner->editors(), 1);
  }
}

TEST_P(HostileTest, AnEditThatNeverEndsIsLetGo) {
  std::unique_ptr<Hostile> hostile;
  connect(hostile);
  Outgoing group;
  for (int i = 0; i < 1'000; ++i) group.add_value(1, 0, Value(std::string_view("some text of some length")));
  for (int i = 0; i < 1'000 && owner->editors() == 2; ++i) {
    hostile->propose(group.bytes());
    for (int j = 0; j < 3; ++j) owner->serve(0);
  }
  EXPECT_EQ(owner->editors(), 1);
  EXPECT_THAT(left.back(), HasSubstr("has sent"));
}

TEST_P(HostileTest, WhoSaysMuchHasItsTurnAndNoMore) {
  std::unique_ptr<Hostile> hostile;
  connect(hostile);
  Outgoing group;
  group.add_value(1, 1, Value(std::int64_t{1}));
  group.finish({0, 1});
  constexpr int kEdits = 1'000;
  std::string all;
  for (int i = 0; i < kEdits; ++i) all += group.bytes();
  decided = 0;
  hostile->propose(all);
  owner->serve(0);
  EXPECT_GT(decided, 0);
  EXPECT_LT(decided, kEdits / 2);
  for (int i = 0; i < 100 && decided < kEdits; ++i) owner->serve(0);
  EXPECT_EQ(decided, kEdits);
}

// --- The segment ---

class SegmentTest : public HostileTest {};

INSTANTIATE_TEST_SUITE_P(Transports, SegmentTest,
                         ::testing::Values(Transport::kThreadValues, Transport::kThreadObjects, Transport::kMapped),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(SegmentTest, PositionsInTheSegmentAreNotBelieved) {
  Random random(6);
  for (int round = 0; round < 400; ++round) {
    std::unique_ptr<Hostile> hostile;
    connect(hostile);
    hostile->propose(odd_group(random));
    const std::array<std::atomic<std::uint64_t>*, 4> positions = {
        &hostile->edits().written, &hostile->edits().read, &hostile->answers().written, &hostile->answers().read};
    positions[random() % 4]->store(odd_number(random));
    if (random() % 2 == 0) hostile->edits().writer_waits.store(static_cast<std::uint32_t>(random()));
    if (random() % 2 == 0) hostile->answers().reader_sleeps.store(static_cast<std::uint32_t>(random()));
    hostile->wake();
    for (int i = 0; i < 3; ++i) owner->serve(0);
  }
  EXPECT_EQ(ftruncate(Staging::make().descriptor(), 0), -1) << "it is sealed";
}

TEST_P(SegmentTest, AnAnswerLargerThanTheSegmentStaysInIt) {
  Random random(8);
  for (int round = 0; round < 20; ++round) {
    std::unique_ptr<Hostile> hostile;
    connect(hostile);
    Outgoing group;
    for (std::uint64_t i = 1; i <= 6'000; ++i) group.add(MessageKind::kCreate, kProposed + i, 0, "Note");
    for (std::uint64_t i = 1; i <= 6'000; ++i) group.add(MessageKind::kErase, kProposed + i);
    group.finish({0, 1});
    hostile->answers().read.store(round == 0 ? 0 : odd_number(random));
    // In parts, as far as there is room.
    for (std::string_view rest = group.bytes(); !rest.empty() && owner->editors() == 2;) {
      const std::string_view part = rest.substr(0, 16'000);
      hostile->propose(part);
      rest.remove_prefix(part.size());
      for (int i = 0; i < 2; ++i) owner->serve(0);
    }
    if (round == 0) {
      ASSERT_EQ(owner->editors(), 2);
      hostile.reset();
      owner->serve(0);
    }
  }
}

TEST_P(SegmentTest, TheSegmentMayChangeAtAnyMoment) {
  Random random(7);
  for (int round = 0; round < 150; ++round) {
    std::unique_ptr<Hostile> hostile;
    connect(hostile);
    // In one round of three the heads, too.
    const std::size_t from = round % 3 == 0 ? 0 : kStagingHead;
    std::atomic<bool> ends{false};
    std::thread changer([&, seed = random()] {
      Random own(seed);
      char* const start = hostile->mapped();
      const base::OnExit unmap([start] { munmap(start, kStagingBytes); });
      while (!ends.load()) {
        const std::size_t at = from + own() % (own() % 2 == 0 ? kStagingBytes - from : 2 * kStagingHead - from);
        // A byte of what both sides have: not of what either has copied.
        reinterpret_cast<std::atomic<char>*>(start)[at].store(static_cast<char>(own()));
      }
    });
    for (int i = 0; i < 200 && owner->editors() == 2; ++i) {
      hostile->propose(odd_group(random));
      owner->serve(0);
    }
    ends.store(true);
    changer.join();
    hostile.reset();
    owner->serve(0);
    owner->serve(0);
    EXPECT_EQ(owner->editors(), 1);
    expect_all_is_well();
    if (HasFatalFailure()) return;
  }
}

TEST_P(SegmentTest, WhoWritesWithoutEndHoldsNobodyUp) {
  std::unique_ptr<Hostile> hostile;
  connect(hostile);
  std::atomic<bool> ends{false};
  std::atomic<std::uint64_t> written{0};
  Outgoing group;
  group.add_value(1, 1, Value(std::int64_t{1}));
  group.finish({0, 1});
  std::thread writer([&] {
    Ring ring(hostile->edits(), hostile->start() + kStagingHead, kEditsBytes);
    while (!ends.load()) {
      if (ring.room() < group.bytes().size()) continue;
      ring.write(group.bytes());
      ++written;
    }
  });
  while (written.load() == 0) std::this_thread::yield();
  while (written.load() < 5'000 && !HasFatalFailure()) {
    hostile->wake();
    expect_all_is_well();
  }
  ends.store(true);
  writer.join();
}

}  // namespace
}  // namespace heddle::objectbase
