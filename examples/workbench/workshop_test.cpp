// What a Workshop takes from an editor that is no page of ours: its edits are in no form that the page's JSON would
// have.
#include "workshop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "objectbase/store/testing/temporary.hpp"
#include "objectbase/transport/editor.hpp"
#include "tree.hpp"

namespace workbench {
namespace {

using heddle::objectbase::Edit;
using heddle::objectbase::Editor;
using heddle::objectbase::TemporaryFolder;
using ::testing::HasSubstr;

class WorkshopTest : public ::testing::TestWithParam<Transport> {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder.path() / "tree");
    std::ofstream(folder.path() / "tree/a.c")
        << "int f(int x)\n{\n  return x;\n}\n\nint g(void)\n{\n  return f(1);\n}\n";
    import_tree(folder.path() / "tree", store, 16 << 20);
    workshop = std::make_unique<Workshop>(store, GetParam(), rules, [](const std::string& /*line*/) {});
  }

  // Runs an editor to its end, in a thread.
  void edit(const std::function<void(Editor&)>& act) {
    std::atomic<bool> ended = false;
    std::thread thread([&] {
      Editor editor(store, GetParam());
      while (!editor.ready()) {
        editor.wait(-1);
        editor.receive();
      }
      act(editor);
      ended = true;
    });
    while (!ended) workshop->owner().serve(5);
    thread.join();
  }
  static std::string outcome(Editor& editor, Edit edit) {
    const std::uint64_t number = editor.propose(std::move(edit));
    for (;;) {
      editor.wait(-1);
      for (const auto& answer : editor.receive().answers)
        if (answer.edit == number) return answer.accepted() ? "accepted" : answer.refused;
    }
  }
  static ObjectId named(const Editor& editor, std::string_view name) {
    ObjectId found;
    editor.each([&](ObjectId id) {
      if (editor.form(editor.type(id))->name == "Function" && text_in(editor.get(id, kName)) == name) found = id;
    });
    return found;
  }
  std::map<std::string, int> counted() const {
    std::map<std::string, int> counts;
    const Kinds kinds(workshop->owner().store());
    workshop->owner().store().snapshot().each(
        [&](const auto& object) { ++counts[std::string(form_of(*kinds.kind(object.type())).name)]; });
    return counts;
  }

  TemporaryFolder folder;
  std::filesystem::path store = folder.path() / "store";
  const std::filesystem::path home = WORKBENCH_HOME;
  const std::vector<std::filesystem::path> rules = {home / "rules/findings.clp", home / "rules/limits.clp",
                                                    home / "rules/links.clp"};
  std::unique_ptr<Workshop> workshop;
};

INSTANTIATE_TEST_SUITE_P(Transports, WorkshopTest, ::testing::ValuesIn(heddle::objectbase::kTransports),
                         [](const auto& each) { return std::string(heddle::objectbase::name_of(each.param)); });

TEST_P(WorkshopTest, ValuesOfAnotherKindAreRefused) {
  const auto before = counted();
  edit([&](Editor& editor) {
    const ObjectId f = named(editor, "f");
    const auto proposed = [&](unsigned slot, const auto& value) {
      Edit edit = editor.edit();
      edit.set(f, slot, value);
      return outcome(editor, std::move(edit));
    };
    EXPECT_EQ(proposed(kName, 3), "Function: name is to be text");
    EXPECT_EQ(proposed(kSource, Bytes{"int f;"}), "Function: source is to be text");
    EXPECT_EQ(proposed(kSource, std::string("int f\xff;")), "Function: source is to be text");
    EXPECT_EQ(proposed(kSource, std::string("int\0f", 5)), "Function: source is to be text");
    EXPECT_EQ(proposed(kHidden, "1"), "Function: hidden is to be a number");
    EXPECT_EQ(proposed(kReadOnly, 0.5), "Function: readonly is to be a number");
    EXPECT_EQ(proposed(kLines, 9), "Function: lines is not for editors to write");
    EXPECT_EQ(proposed(kPlace, 9.0), "Function: place is not for editors to write");
    EXPECT_THAT(proposed(99, 1), HasSubstr("has no slot 99"));
    EXPECT_EQ(proposed(kName, "f"), "accepted");
  });
  EXPECT_EQ(counted(), before);
  EXPECT_THAT(workshop->owner().store().snapshot().erased(), ::testing::IsEmpty());
}

TEST_P(WorkshopTest, ObjectsThatDoNotFitAreNotMade) {
  const auto before = counted();
  edit([&](Editor& editor) {
    const ObjectId f = named(editor, "f");
    const ObjectId file = object_in(editor.get(f, kFile));
    const auto made = [&](const char* type, const std::function<void(Edit&, ObjectId)>& fill) {
      Edit edit = editor.edit();
      fill(edit, edit.create(type));
      return outcome(editor, std::move(edit));
    };
    EXPECT_EQ(made("Rules", [](Edit&, ObjectId) {}), "an editor makes no Rules");
    EXPECT_EQ(made("Note", [](Edit&, ObjectId) {}), "a new Note has a on");
    EXPECT_EQ(made("Note", [](Edit& edit, ObjectId id) { edit.set(id, kOn, id); }),
              "Note: on is to be another object, which is there");
    EXPECT_EQ(made("Note",
                   [&](Edit& edit, ObjectId id) {
                     edit.set(id, kOn, f);
                     edit.set(id, kNoteRule, "long");
                   }),
              "Note: rule is not for editors to write");
    EXPECT_EQ(made("Text",
                   [&](Edit& edit, ObjectId id) {
                     edit.set(id, kFile, file);
                     edit.set(id, kPlace, std::nan(""));
                   }),
              "Text: place is to be a number");
    EXPECT_EQ(made("Function",
                   [&](Edit& edit, ObjectId id) {
                     edit.set(id, kFile, file);
                     edit.set(id, kPlace, 9.0);
                     edit.set(id, kSource, Bytes{"x"});
                   }),
              "Function: source is to be text");
    EXPECT_EQ(made("Note",
                   [&](Edit& edit, ObjectId id) {
                     edit.set(id, kOn, f);
                     edit.erase(f);
                   }),
              "Note: on is to be another object, which is there");
  });
  EXPECT_EQ(counted(), before);
}

TEST_P(WorkshopTest, WhatRulesRefuseLeavesThemAsTheyWere) {
  edit([&](Editor& editor) {
    const auto lock = [&](int locked) {
      Edit edit = editor.edit();
      edit.set(named(editor, "g"), kReadOnly, locked);
      return outcome(editor, std::move(edit));
    };
    EXPECT_EQ(lock(1), "accepted");
    for (int i = 0; i < 20; ++i) {
      Edit bad = editor.edit();
      bad.erase(named(editor, "f"));
      bad.set(named(editor, "g"), kSource, "int g(void)\n{\n  return f(2);\n}\n");
      EXPECT_EQ(outcome(editor, std::move(bad)), "the section is read-only");
    }
    EXPECT_EQ(lock(0), "accepted");
  });
  // To the rules, f is there still: nothing dangles.
  EXPECT_EQ(counted()["Note"], 0);
  EXPECT_EQ(counted()["Link"], 1);
}

}  // namespace
}  // namespace workbench
