// The same scenarios over every transport: what can be seen of them is the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "objectbase/transport/testing/sides.hpp"
#include "objectbase/transport/testing/transport_fixture.hpp"

namespace heddle::objectbase {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

INSTANTIATE_TEST_SUITE_P(Transports, TransportTest, ::testing::ValuesIn(kTransports),
                         [](const auto& each) { return std::string(name_of(each.param)); });

TEST_P(TransportTest, AnEditorBeginsWithAllThatThereIs) {
  {
    Store store = Store::open(path, Access::kWrite);
    const Class note = *store.find("Note");
    const Class link = store.define("Link", {"from", "to"});
    Transaction change = store.begin();
    ObjectId before;
    for (int i = 0; i < 200; ++i) {
      const ObjectId id = change.create(i % 3 == 0 ? link : note);
      if (i % 3 == 0) {
        change.set(id, 0, Value(before));
        change.set(id, 1, Value(Bytes{std::string_view("a\0b", 3)}));
      } else {
        change.set(id, kText, "number " + std::to_string(i));
        if (i % 2 == 0) change.set(id, kWeight, Value(i / 8.0));
      }
      before = id;
    }
    change.erase(before);
    change.commit();
  }
  Sides sides(path, transport, {[](Side& side) {
                side.connect();
                side.say(std::to_string(side.objects.size()));
                side.said += state_of(side.editor());
              }});
  Owner owner(path, transport);
  sides.finish(owner);
  EXPECT_EQ(sides.said(), "199\n" + state_of(owner.store()));
}

TEST_P(TransportTest, AnEmptyStoreIsAStateToo) {
  Sides sides(path, transport, {[](Side& side) {
                side.connect();
                side.say("[" + state_of(side.editor()) + "]");
                const unsigned text = side.editor().form("Note")->slot("text");
                side.say(std::to_string(text) + " " + (side.editor().form("Other") ? "there" : "not there"));
              }});
  Owner owner(path, transport);
  sides.finish(owner);
  EXPECT_EQ(sides.said(), "[]\n0 not there\n");
}

TEST_P(TransportTest, AnEditOfOneSlotComesBackToAll) {
  add_notes(3);
  constexpr int kEdits = 40;
  Sides sides(path, transport,
              {[](Side& side) {
                 side.connect();
                 for (int i = 1; i <= kEdits; ++i) {
                   Edit edit = side.editor().edit();
                   edit.set({2}, kText, "edit " + std::to_string(i));
                   const std::string outcome = side.outcome(std::move(edit));
                   const std::string seen = words_of(side.editor().get({2}, kText));
                   if (outcome != "accepted, changed 2" || seen != "\"edit " + std::to_string(i) + "\"")
                     side.say(outcome + " " + seen);
                 }
                 side.said += state_of(side.editor());
               },
               [](Side& side) {
                 side.connect();
                 side.until([&] { return words_of(side.editor().get({2}, kText)) == "\"edit 40\""; });
                 side.said += state_of(side.editor());
               }});
  Owner owner(path, transport);
  sides.finish(owner);
  const std::string state =
      "Note 1: text=- stars=1 weight=- next=-\n"
      "Note 2: text=\"edit 40\" stars=2 weight=- next=-\n"
      "Note 3: text=- stars=3 weight=- next=-\n";
  EXPECT_EQ(sides.said(0), state);
  EXPECT_EQ(sides.said(1), state);
}

TEST_P(TransportTest, LargeTransactionsAreSeenAsAWhole) {
  constexpr int kObjects = 300;
  constexpr int kTransactions = 40;
  add_notes(kObjects);
  Sides sides(path, transport, {[](Side& side) {
                side.connect();
                int last = 0;
                while (last != kTransactions) {
                  side.until([&] { return !side.objects.empty(); });
                  side.objects.clear();
                  const Value first = side.editor().get({1}, kStars);
                  side.editor().each([&](ObjectId id) {
                    for (const unsigned slot : {kStars, kText, kWeight}) {
                      const Value each = side.editor().get(id, slot);
                      // Text has the number as its length, and double as its value.
                      const auto* text = std::get_if<std::string_view>(&each);
                      const auto* number = std::get_if<double>(&each);
                      const Value same = text != nullptr     ? Value(static_cast<std::int64_t>(text->size()))
                                         : number != nullptr ? Value(static_cast<std::int64_t>(*number))
                                                             : each;
                      if (same != first) side.say("a mixture: " + words_of(each));
                    }
                  });
                  const auto now = static_cast<int>(std::get<std::int64_t>(first));
                  if (now < last) side.say("back in time");
                  last = now;
                }
                side.said += state_of(side.editor());
              }});
  Owner owner(path, transport);
  const auto change = [&](int number) {
    Work work = owner.begin();
    for (int i = 1; i <= kObjects; ++i) {
      const ObjectId id{static_cast<std::uint64_t>(i)};
      work.set(id, kStars, number);
      work.set(id, kText, std::string(static_cast<std::size_t>(number), 'x'));
      work.set(id, kWeight, static_cast<double>(number));
    }
    work.commit();
  };
  change(1);
  while (owner.editors() == 0) owner.serve(5);
  for (int number = 1; number <= kTransactions; ++number) {
    change(number);
    owner.serve(0);
  }
  sides.finish(owner);
  EXPECT_EQ(sides.said(), state_of(owner.store()));
}

TEST_P(TransportTest, WhatRulesChangeComesWithTheEdit) {
  add_notes(4);
  Sides sides(path, transport, {[](Side& side) {
                side.connect();
                Edit edit = side.editor().edit();
                edit.set({1}, kStars, 10);
                side.say(side.outcome(std::move(edit)));
                side.said += state_of(side.editor());
              }});
  // A note has one star more than the one before it.
  const auto rules = [](Work& work) {
    for (std::size_t i = 0; i < work.touched().size(); ++i) {
      const ObjectId id = work.touched()[i].object;
      if (id.number == 4) return std::string();
      const auto stars = std::get<std::int64_t>(work.get(id, kStars));
      work.set({id.number + 1}, kStars, stars + 1);
    }
    return std::string();
  };
  Owner owner(path, transport, {.decide = rules});
  sides.finish(owner);
  EXPECT_EQ(sides.said(),
            "accepted, changed 1 2 3 4\n"
            "Note 1: text=- stars=10 weight=- next=-\n"
            "Note 2: text=- stars=11 weight=- next=-\n"
            "Note 3: text=- stars=12 weight=- next=-\n"
            "Note 4: text=- stars=13 weight=- next=-\n");
}

TEST_P(TransportTest, ARefusedEditLeavesNothingAndSaysWhy) {
  add_notes(2);
  Sides sides(path, transport, {[](Side& side) {
                Editor& editor = side.connect();
                const auto propose = [&](const auto& fill) {
                  Edit edit = editor.edit();
                  edit.set({1}, kText, "never seen");
                  fill(edit);
                  side.say(side.outcome(std::move(edit)));
                };
                propose([](Edit& edit) { edit.set({2}, kStars, 7); });
                propose([](Edit& edit) { edit.set({77}, kStars, 1); });
                propose([](Edit& edit) { edit.set({2}, 4, 1); });
                propose([](Edit& edit) { edit.create("Notes"); });
                propose([](Edit& edit) { edit.set({kProposed + 1}, kStars, 1); });
                propose([](Edit& edit) { edit.set({2}, kNext, ObjectId{kProposed + 1}); });
                propose([](Edit& edit) {
                  edit.erase({2});
                  edit.set({2}, kStars, 1);
                });
                propose([](Edit& edit) { edit.erase({3}); });
                side.said += state_of(editor);
                Edit empty = editor.edit();
                side.say(side.outcome(std::move(empty)));
              }});
  const auto rules = [](Work& work) -> std::string {
    for (const Work::Touched& each : work.touched())
      if (each.slot == kStars && std::get<std::int64_t>(work.get(each.object, kStars)) > 5) return "five are enough";
    return {};
  };
  Owner owner(path, transport, {.decide = rules});
  sides.finish(owner);
  EXPECT_EQ(sides.said(),
            "refused: five are enough\n"
            "refused: there is no object 77\n"
            "refused: class Note has no slot 4\n"
            "refused: there is no class Notes\n"
            "refused: it names an object that it has not created\n"
            "refused: it names an object that it has not created\n"
            "refused: objectbase: there is no object 2\n"
            "refused: objectbase: there is no object 3\n"
            "Note 1: text=- stars=1 weight=- next=-\n"
            "Note 2: text=- stars=2 weight=- next=-\n"
            "accepted, changed \n");
}

TEST_P(TransportTest, OfEditorsThatConflictOneIsRefused) {
  add_notes(1);
  constexpr int kEach = 60;
  const Script count = [](Side& side) {
    Editor& editor = side.connect();
    for (int done = 0; done < kEach;) {
      const auto stars = std::get<std::int64_t>(editor.get({1}, kStars));
      Edit edit = editor.edit();
      edit.expect({1});
      edit.set({1}, kStars, stars + 1);
      const std::string outcome = side.outcome(std::move(edit));
      if (outcome == "accepted, changed 1")
        ++done;
      else if (outcome != "refused: object 1 has been changed meanwhile")
        side.say(outcome);
      // A refusal may come before the news of what was changed.
      else
        side.until([&] { return std::get<std::int64_t>(editor.get({1}, kStars)) != stars; });
    }
  };
  Sides sides(path, transport, {count, count, count});
  Owner owner(path, transport);
  sides.finish(owner);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(sides.said(i), "");
  EXPECT_EQ(owner.store().integer({1}, kStars), 1 + 3 * kEach);
}

TEST_P(TransportTest, ObjectsAreMadeErasedAndReferToEachOther) {
  Sides sides(path, transport, {[](Side& side) {
                Editor& editor = side.connect();
                Edit edit = editor.edit();
                const ObjectId a = edit.create("Note");
                const ObjectId b = edit.create("Note");
                const ObjectId c = edit.create("Note");
                edit.set(a, kNext, b);
                edit.set(b, kNext, a);
                edit.set(b, kText, "b");
                edit.set(c, kNext, ObjectId{1});
                edit.erase(c);
                side.say(side.outcome(std::move(edit)));
                side.said += state_of(editor);
                const auto back = std::get<ObjectId>(editor.get({2}, kNext));
                Edit other = editor.edit();
                other.erase({2});
                other.set(back, kText, "alone");
                side.say(side.outcome(std::move(other)));
                side.said += state_of(editor);
                side.say(std::to_string(editor.type({2})) + words_of(editor.get({2}, kText)));
                Edit again = editor.edit();
                again.create("Note");
                side.say(side.outcome(std::move(again)).substr(0, 17));
              }});
  Owner owner(path, transport);
  sides.finish(owner);
  EXPECT_EQ(sides.said(),
            "accepted, created 1 2 3, changed 1 2\n"
            "Note 1: text=- stars=- weight=- next=->2\n"
            "Note 2: text=\"b\" stars=- weight=- next=->1\n"
            "accepted, changed 1 2\n"
            "Note 1: text=\"alone\" stars=- weight=- next=->2\n"
            "0-\n"
            "accepted, created\n");
}

TEST_P(TransportTest, ClassesThatAreDefinedLaterAreKnown) {
  add_notes(1);
  Sides sides(path, transport, {[](Side& side) {
                Editor& editor = side.connect();
                side.until([&] { return !side.objects.empty(); });
                Edit go = editor.edit();
                go.set({1}, kText, "go");
                side.outcome(std::move(go));
                side.until([&] { return editor.type({2}) != 0 && editor.type({3}) != 0; });
                side.said += state_of(editor);
              }});
  Owner owner(path, transport);
  while (owner.store().text({1}, kText) != "go") owner.serve(5);
  const Class box = owner.define("Box", {"size"});
  Work work = owner.begin();
  work.set(work.create(box), 0, 9);
  work.commit();
  const Class larger = owner.define("Box", {"colour"});
  Work more = owner.begin();
  more.set(more.create(larger), larger.slot("colour"), "red");
  more.commit();
  sides.finish(owner);
  EXPECT_THAT(sides.said(), EndsWith("Box 2: size=9 colour=-\nBox 3: size=- colour=\"red\"\n"));
}

TEST_P(TransportTest, WhoComesLateOrAgainSeesWhatWhoeverStayedSees) {
  add_notes(5);
  constexpr int kChanges = 30;
  const auto at_end = [](Side& side) {
    side.until([&] { return side.editor().get({1}, kStars) == Value(std::int64_t{kChanges}); });
    side.said += state_of(side.editor());
  };
  Sides sides(path, transport,
              {[&](Side& side) {
                 side.connect();
                 at_end(side);
               },
               [&](Side& side) {
                 for (int i = 0; i < 10; ++i) {
                   side.connect();
                   Edit edit = side.editor().edit();
                   edit.set({2}, kStars, i);
                   if (side.outcome(std::move(edit)) != "accepted, changed 2") side.say("lost");
                   side.answers.clear();
                   side.disconnect();
                 }
                 side.connect();
                 Edit go = side.editor().edit();
                 go.set({3}, kText, "go");
                 side.outcome(std::move(go));
                 at_end(side);
               }});
  Owner owner(path, transport);
  while (owner.store().text({3}, kText) != "go") owner.serve(5);
  for (int i = 1; i <= kChanges; ++i) {
    Work work = owner.begin();
    work.set({1}, kStars, i);
    if (i == 10) work.erase({4});
    if (i == 20) work.erase({5});
    work.commit();
  }
  sides.finish(owner);
  EXPECT_EQ(sides.said(0), state_of(owner.store()));
  EXPECT_EQ(sides.said(1), state_of(owner.store()));
}

TEST_P(TransportTest, LargeValuesGoBothWays) {
  make(64 << 20);
  add_notes(1);
  constexpr std::size_t kLarge = 3 << 20;
  Sides sides(path, transport, {[](Side& side) {
                Editor& editor = side.connect();
                std::string large(kLarge, 'a');
                for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>('a' + i * i % 23);
                Edit edit = editor.edit();
                edit.set({1}, kText, large);
                edit.set({1}, kNext, Bytes{large});
                side.say(side.outcome(std::move(edit)));
                if (editor.get({1}, kText) != Value(std::string_view(large))) side.say("the text is another one");
                if (editor.get({1}, kNext) != Value(Bytes{large})) side.say("the bytes are others");
                Edit larger = editor.edit();
                const std::string too_large(9 << 20, 'x');
                larger.set({1}, kText, too_large);
                try {
                  editor.propose(std::move(larger));
                } catch (const base::UserError& error) {
                  side.say(error.what());
                }
                Edit small = editor.edit();
                small.set({1}, kText, "small");
                small.set({1}, kNext, "small");
                side.say(side.outcome(std::move(small)));
                side.said += state_of(editor);
              }});
  Owner owner(path, transport, {.most_edit_bytes = 8 << 20});
  sides.finish(owner);
  EXPECT_EQ(sides.said(), "accepted, changed 1\n" + path.string() +
                              ": an edit of 9437216 bytes; the owner takes at most 8388608: propose it in parts\n"
                              "accepted, changed 1\n"
                              "Note 1: text=\"small\" stars=1 weight=- next=\"small\"\n");
}

TEST_P(TransportTest, EditsThatNobodyWaitsForAreAnsweredInTheirOrder) {
  add_notes(1);
  constexpr int kEdits = 3'000;
  Sides sides(
      path, transport, {[](Side& side) {
        Editor& editor = side.connect();
        std::uint64_t last = 0;
        for (int i = 1; i <= kEdits; ++i) {
          Edit edit = editor.edit();
          if (i % 5 == 0) edit.create("No such class, and so a refusal that has some length");
          edit.set({1}, kStars, i);
          last = editor.propose(std::move(edit));
        }
        side.answer(last);
        int accepted = 0;
        int refused = 0;
        for (const auto& [number, answer] : side.answers) ++(answer.accepted() ? accepted : refused);
        side.say(std::to_string(accepted) + " " + std::to_string(refused) + " " + std::to_string(editor.unanswered()));
        side.said += state_of(editor);
      }});
  std::vector<std::int64_t> order;
  Owner owner(path, transport, {.decide = [&](Work& work) {
                order.push_back(std::get<std::int64_t>(work.get({1}, kStars)));
                return std::string();
              }});
  sides.finish(owner);
  EXPECT_EQ(sides.said(), "2400 600 0\nNote 1: text=- stars=2999 weight=- next=-\n");
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST_P(TransportTest, AFullStoreRefusesAndLosesNothing) {
  make(1 << 20);
  add_notes(1);
  Sides sides(path, transport, {[](Side& side) {
                Editor& editor = side.connect();
                const std::string text(100'000, 'x');
                std::string outcome;
                int made = 0;
                for (; made < 100; ++made) {
                  Edit edit = editor.edit();
                  edit.set(edit.create("Note"), kText, text);
                  outcome = side.outcome(std::move(edit));
                  if (!outcome.starts_with("accepted")) break;
                }
                side.say(made > 3 && made < 12 ? "some" : std::to_string(made));
                side.say(outcome);
                Edit small = editor.edit();
                small.set({1}, kText, "small");
                small.erase({2});
                side.say(side.outcome(std::move(small)));
              }});
  Owner owner(path, transport);
  sides.finish(owner);
  EXPECT_THAT(sides.said(), StartsWith("some\nrefused: "));
  EXPECT_THAT(sides.said(), EndsWith("\naccepted, changed 1 2\n"));
}

}  // namespace
}  // namespace heddle::objectbase
