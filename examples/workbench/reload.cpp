#include "reload.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

namespace workbench {
namespace {

const ClassForm* form_in(const Editor& editor, ObjectId id) {
  const auto form = editor.form(editor.type(id));
  return form ? form_named(form->name) : nullptr;
}

constexpr std::size_t kMostSearched = 4'000'000;  // pairs of a section and a cut

struct Known {  // a section
  ObjectId id;
  const ClassForm* form;
  std::string_view name;
  std::string_view source;
};

// How much of a section is left if it becomes the cut; 0: it cannot.
unsigned likeness(const Known& section, const Cut& cut) {
  if (section.form->kind != cut.kind) return 0;
  if (section.source == cut.text && section.name == cut.name) return 1'000'000;
  return section.name == cut.name && cut.kind != Kind::kText ? 1'000 : 1;
}

// For each cut the place of the section that becomes it, or -1; in the order of both. The best there is: the longest
// common subsequence, weighted. What is alike at both ends is most of a file, and needs no search.
std::vector<int> matched(std::span<const Known> sections, std::span<const Cut> cuts) {
  std::vector<int> found(cuts.size(), -1);
  const auto alike = [&](std::size_t i, std::size_t j) { return likeness(sections[i], cuts[j]) == 1'000'000; };
  std::size_t first = 0;
  std::size_t end = sections.size();
  std::size_t cuts_end = cuts.size();
  for (; first < std::min(end, cuts_end) && alike(first, first); ++first) found[first] = static_cast<int>(first);
  for (; end > first && cuts_end > first && alike(end - 1, cuts_end - 1); --end, --cuts_end)
    found[cuts_end - 1] = static_cast<int>(end - 1);
  const std::size_t rows = end - first;
  const std::size_t columns = cuts_end - first;
  if (rows > kMostSearched / (columns + 1)) return found;       // those are made anew
  std::vector<std::uint64_t> best((rows + 1) * (columns + 1));  // of what is behind both
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint64_t& { return best[i * (columns + 1) + j]; };
  const auto together = [&](std::size_t i, std::size_t j) -> std::uint64_t {
    const unsigned own = likeness(sections[first + i], cuts[first + j]);
    return own == 0 ? 0 : own + at(i + 1, j + 1);
  };
  for (std::size_t i = rows; i-- > 0;)
    for (std::size_t j = columns; j-- > 0;) at(i, j) = std::max({at(i + 1, j), at(i, j + 1), together(i, j)});
  for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
    if (at(i, j) != 0 && at(i, j) == together(i, j))
      found[first + j++] = static_cast<int>(first + i++);
    else if (at(i, j) == at(i + 1, j))
      ++i;
    else
      ++j;
  }
  return found;
}

}  // namespace

ObjectId file_named(const Editor& editor, std::string_view path) {
  const auto type = editor.form(form_of(Kind::kFile).name);
  ObjectId found;
  editor.each([&](ObjectId id) {
    if (type && editor.type(id) == type->number && text_in(editor.get(id, kPath)) == path) found = id;
  });
  return found;
}

std::vector<ObjectId> sections_in(const Editor& editor, ObjectId file) {
  std::vector<std::pair<double, ObjectId>> found;
  editor.each([&](ObjectId id) {
    const ClassForm* form = form_in(editor, id);
    if (form != nullptr && is_section(form->kind) && object_in(editor.get(id, kFile)) == file)
      found.emplace_back(real_in(editor.get(id, kPlace)), id);
  });
  std::sort(found.begin(), found.end());
  std::vector<ObjectId> sections;
  for (const auto& [place, id] : found) sections.push_back(id);
  return sections;
}

bool reload(const Editor& editor, Edit& edit, ObjectId file, std::span<const ObjectId> sections,
            std::span<const Cut> cuts) {
  std::vector<Known> known;
  for (const ObjectId id : sections)
    known.push_back({id, form_in(editor, id), text_in(editor.get(id, kName)), bytes_in(editor.get(id, kSource))});
  const std::vector<int> match = matched(known, cuts);
  std::vector<bool> stays(known.size());
  for (const int each : match)
    if (each >= 0) stays[static_cast<std::size_t>(each)] = true;
  bool changes = false;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (stays[i]) continue;
    edit.expect(known[i].id);
    edit.erase(known[i].id);
    changes = true;
  }
  const auto place_of = [&](int which) {
    return real_in(editor.get(known[static_cast<std::size_t>(which)].id, kPlace));
  };
  double place = 0;  // of the cut before
  for (std::size_t j = 0; j < cuts.size(); ++j) {
    if (match[j] >= 0) {
      const Known& own = known[static_cast<std::size_t>(match[j])];
      place = place_of(match[j]);
      if (own.source == cuts[j].text) continue;
      edit.expect(own.id);
      edit.set(own.id, kSource, cuts[j].text);
    } else {
      std::size_t next = j + 1;
      while (next < cuts.size() && match[next] < 0) ++next;
      const auto behind = static_cast<double>(next - j);
      place += next < cuts.size() ? (place_of(match[next]) - place) / (behind + 1) : 1;
      const ObjectId made = edit.create(form_of(cuts[j].kind).name);
      edit.set(made, kFile, file);
      edit.set(made, kPlace, place);
      edit.set(made, kName, cuts[j].name);
      edit.set(made, kSource, cuts[j].text);
    }
    changes = true;
  }
  return changes;
}

Watched::Watched() : inotify_(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
  if (!inotify_) throw Error("no files can be watched: there are too many watchers (inotify)");
}

void Watched::add(const std::filesystem::path& folder) {
  const int number = inotify_add_watch(inotify_.number(), folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE);
  if (number >= 0) folders_[number] = folder;
}

std::vector<std::filesystem::path> Watched::take() {
  std::vector<std::filesystem::path> files;
  alignas(inotify_event) std::array<char, 4096> events{};
  for (ssize_t got = 0; (got = read(inotify_.number(), events.data(), events.size())) > 0;) {
    for (char* at = events.data(); at < events.data() + got;) {
      const auto* event = reinterpret_cast<const inotify_event*>(at);
      if (const auto folder = folders_.find(event->wd); event->len != 0 && folder != folders_.end())
        files.push_back(folder->second / event->name);
      at += sizeof(inotify_event) + event->len;
    }
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

}  // namespace workbench
