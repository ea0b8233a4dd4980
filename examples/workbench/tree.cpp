#include "tree.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include "outline.hpp"

namespace workbench {
namespace {

namespace fs = std::filesystem;
using heddle::objectbase::Access;
using heddle::objectbase::Pinned;
using heddle::objectbase::Transaction;

bool is_hidden(const fs::path& path) { return path.filename().native().starts_with('.'); }

std::vector<fs::path> files_below(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw Error(folder.string() + ": is no folder");
  std::vector<fs::path> found;
  for (auto each = fs::recursive_directory_iterator(folder); each != fs::recursive_directory_iterator(); ++each) {
    if (is_hidden(each->path())) {
      each.disable_recursion_pending();
    } else if (each->symlink_status().type() == fs::file_type::regular) {
      found.push_back(each->path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Folders and a name, below where it is used.
bool is_inside(const fs::path& path) {
  if (path.empty() || path.is_absolute() || !path.has_filename()) return false;
  return std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".." || part == "."; });
}

void make_folders(const fs::path& folder, const fs::path& inside) {
  fs::path made = folder;
  fs::create_directories(made);
  for (const fs::path& part : inside.parent_path()) {
    made /= part;
    std::error_code error;
    if (fs::symlink_status(made, error).type() == fs::file_type::symlink)
      throw Error(made.string() + ": is a link, which may lead outside: nothing is written there");
    if (!fs::is_directory(made, error) && !fs::create_directory(made, error))
      throw Error(made.string() + ": cannot be made: " + error.message());
  }
}

void write_file(const fs::path& path, const std::string& text, mode_t mode) {
  std::string name = path.string() + ".XXXXXX";
  const int file = mkostemp(name.data(), O_CLOEXEC);
  const auto fail = [&] {
    const std::string why = std::strerror(errno);
    if (file >= 0) unlink(name.c_str());
    throw Error(path.string() + ": cannot be written: " + why);
  };
  if (file < 0) fail();
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = write(file, text.data() + done, text.size() - done);
    if (wrote < 0 && errno != EINTR) {
      close(file);
      fail();
    }
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
  fchmod(file, mode);
  if (close(file) != 0 || rename(name.c_str(), path.c_str()) != 0) fail();
}

}  // namespace

std::optional<std::string> contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::string all{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) return std::nullopt;
  return all;
}

Counts import_tree(const fs::path& folder, const fs::path& store_path, std::uint64_t limit) {
  Counts counts;
  Outliner outliner;
  const std::vector<fs::path> files = files_below(folder);
  const auto fill = [&](Store& store) {
    define_classes(store);
    std::map<Kind, heddle::objectbase::Class> classes;
    for (const ClassForm& form : class_forms()) classes.emplace(form.kind, *store.find(form.name));
    Transaction change = store.begin();
    for (const fs::path& path : files) {
      const std::string name = path.lexically_relative(folder).generic_string();
      if (!is_text(name)) throw Error(path.string() + ": its name is not UTF-8: rename it, or leave it out");
      const std::optional<std::string> source = contents(path);
      if (!source) throw Error(path.string() + ": cannot be read");
      const ObjectId file = change.create(classes.at(Kind::kFile));
      change.set(file, kPath, name);
      change.set(file, kMode, static_cast<std::int64_t>(fs::status(path).permissions()) & 0777);
      std::vector<ObjectId> made;
      for (const Cut& cut : outliner.cuts(name, *source)) {
        const ObjectId id = change.create(classes.at(cut.kind));
        made.push_back(id);
        change.set(id, kFile, Value(file));
        change.set(id, kPlace, static_cast<double>(made.size()));
        change.set(id, kName, cut.name);
        change.set(id, kSource, is_text(cut.text) ? Value(cut.text) : Value(Bytes{cut.text}));
        change.set(id, kLines, count_lines(cut.text));
        if (cut.parent >= 0) change.set(id, kParent, Value(made[static_cast<std::size_t>(cut.parent)]));
      }
      ++counts.files;
      counts.sections += made.size();
    }
    change.commit();
  };
  Store::create_filled(store_path, {.limit = limit}, fill);
  return counts;
}

Counts export_tree(const fs::path& store_path, const fs::path& folder) {
  const Store store = Store::open(store_path, Access::kRead);
  const Kinds kinds(store);
  const auto snapshot = store.snapshot();
  struct Part {
    double place;
    ObjectId id;
    std::string_view text;
  };
  std::map<ObjectId, std::vector<Part>> parts;
  std::vector<Pinned> kept;
  std::vector<ObjectId> files;
  snapshot.each([&](const Pinned& object) {
    const std::optional<Kind> kind = kinds.kind(object.type());
    if (kind == Kind::kFile) files.push_back(object.id());
    if (!kind || !is_section(*kind)) return;
    kept.push_back(snapshot.get(object.id()));
    const Pinned& own = kept.back();
    parts[object_in(own.get(kFile))].push_back({real_in(own.get(kPlace)), own.id(), bytes_in(own.get(kSource))});
  });
  Counts counts;
  for (const ObjectId id : files) {
    const Pinned file = snapshot.get(id);
    const fs::path inside(text_in(file.get(kPath)));
    if (!is_inside(inside)) throw Error(inside.string() + ": would lie outside the folder: nothing is written there");
    std::vector<Part>& sections = parts[id];
    std::sort(sections.begin(), sections.end(),
              [](const Part& a, const Part& b) { return a.place != b.place ? a.place < b.place : a.id < b.id; });
    std::string text;
    for (const Part& part : sections) text += part.text;
    ++counts.files;
    counts.sections += sections.size();
    const fs::path path = folder / inside;
    make_folders(folder, inside);
    const bool regular = fs::symlink_status(path).type() == fs::file_type::regular;
    if (regular && contents(path) == text) continue;
    write_file(path, text, static_cast<mode_t>(integer_in(file.get(kMode)) & 0777));
    ++counts.written;
  }
  return counts;
}

}  // namespace workbench
