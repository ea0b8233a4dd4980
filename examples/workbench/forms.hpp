// Objects as JSON for the page, and edits as the page sends them.
//
//   {"id": 7, "class": "Function", "file": 3, "name": "f", "source": "...", ...}       an object; empty slots left out
//   {"seen": 12, "changes": [{"id": 7, "set": {"source": "..."}}, {"new": "Note", "set": {"on": 7, "text": "..."}},
//                            {"erase": 9}]}                                             an edit
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json.hpp"
#include "objectbase/transport/editor.hpp"
#include "objects.hpp"

namespace workbench {

using heddle::objectbase::Edit;
using heddle::objectbase::Editor;

// What an editor shows, as JSON.
class ShownObjects {
 public:
  explicit ShownObjects(const Editor& editor) : editor_(editor) {}

  // {"commit": 12, "objects": [...], "gone": [9]}: these as they are now, and which of them are gone, or not the
  // workbench's. A source that is not text, or that a page could not give back as it is, is marked by "fixed", and why.
  // Valid until the next call.
  std::string_view text(std::span<const ObjectId> objects);

 private:
  const ClassForm* form(ObjectId id);
  void add(ObjectId id, const ClassForm& form);

  const Editor& editor_;
  std::vector<const ClassForm*> forms_;  // by the class's number; null: not asked for yet, or not the workbench's
  JsonText text_;
  JsonWriter json_{text_};
  std::vector<ObjectId> gone_;
};

// What is said of an edit, or of the Editor: {"refused": "why"}. Bytes that are not text become question marks.
std::string said_as_json(std::string_view name, std::string text);

struct Asked {
  std::uint64_t seen = 0;           // the commit that the page shows
  std::vector<ObjectId> objects;    // that it changes or erases
  std::function<void(Edit&)> make;  // makes the edit
};
// Throws Error, in the user's words: it is no edit, or of what is not there.
Asked edit_from_json(const Editor& editor, std::string_view text);

}  // namespace workbench
