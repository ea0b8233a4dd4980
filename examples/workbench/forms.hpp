// Objects as JSON for the page, and edits as the page sends them.
//
//   {"id": 7, "class": "Function", "file": 3, "name": "f", "source": "...", ...}       an object; empty slots left out
//   {"seen": 12, "changes": [{"id": 7, "set": {"source": "..."}}, {"new": "Note", "set": {"on": 7, "text": "..."}},
//                            {"erase": 9}]}                                             an edit
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "objectbase/transport/editor.hpp"
#include "objects.hpp"

namespace workbench {

using heddle::objectbase::Edit;
using heddle::objectbase::Editor;

// What an editor shows, as JSON. Each text is written by the library that reads JSON, an object slot by slot: a tree of
// each would be built first, and a page is sent many.
class ShownObjects {
 public:
  explicit ShownObjects(const Editor& editor) : editor_(editor) {}

  // Adds the object to the text; false, and nothing, if it is no object of the workbench. A source that is not text, or
  // that a page could not give back as it is, is marked by "fixed", and why.
  bool add(std::string& text, ObjectId id);

 private:
  const ClassForm* form(ObjectId id);

  const Editor& editor_;
  std::vector<const ClassForm*> forms_;  // by the class's number; null: not asked for yet, or not the workbench's
};

struct Asked {
  std::uint64_t seen = 0;           // the commit that the page shows
  std::vector<ObjectId> objects;    // that it changes or erases
  std::function<void(Edit&)> make;  // makes the edit
};
// Throws Error, in the user's words: it is no edit, or of what is not there.
Asked edit_from_json(const Editor& editor, std::string_view text);

}  // namespace workbench
