// A source file that was edited elsewhere is read in again: as one edit, which the Workshop and its rules decide on
// like any other. Sections that the file still has stay the objects that they are, with their notes and links.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "objectbase/transport/channel.hpp"
#include "objectbase/transport/editor.hpp"
#include "objects.hpp"
#include "outline.hpp"

namespace workbench {

using heddle::objectbase::Edit;
using heddle::objectbase::Editor;

// Null: the store has no such file.
ObjectId file_named(const Editor& editor, std::string_view path);
// Of a file, in their order.
std::vector<ObjectId> sections_in(const Editor& editor, ObjectId file);

// Adds to the edit what makes these sections of the file the cuts of its new source; false, and nothing, if they are.
// Which section becomes which cut: so that most stay as they are, then that most keep kind and name, then their kind.
bool reload(const Editor& editor, Edit& edit, ObjectId file, std::span<const ObjectId> sections,
            std::span<const Cut> cuts);

// Folders, and the files in them that are written, put there or removed.
class Watched {
 public:
  Watched();
  int descriptor() const { return inotify_.number(); }  // readable when there are some
  void add(const std::filesystem::path& folder);        // one that is there already costs nothing
  std::vector<std::filesystem::path> take();

 private:
  heddle::objectbase::Descriptor inotify_;
  std::map<int, std::filesystem::path> folders_;
};

}  // namespace workbench
