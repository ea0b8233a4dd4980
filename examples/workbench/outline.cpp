#include "outline.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "json.hpp"
#include "words.hpp"

namespace workbench {
namespace {

constexpr int kMostSeconds = 20;

std::vector<std::size_t> starts_of_lines(std::string_view source) {
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < source.size();) {
    starts.push_back(at);
    at = std::min(source.find('\n', at), source.size() - 1) + 1;
  }
  return starts;
}

// What stands directly above a definition and belongs to it: comments, decorators, templates, the type that it returns.
bool belongs_below(std::string_view line, Style style) {
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.front())) != 0) line.remove_prefix(1);
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0) line.remove_suffix(1);
  if (line.empty()) return false;
  if (style == Style::kIndents) return line.front() == '#' || line.front() == '@';
  if (style == Style::kOther) return line.front() == '#';
  if (line.starts_with("//") || line.starts_with("/*") || line.starts_with("*")) return true;
  if (line.starts_with("template") || line.starts_with("@") || line.starts_with("[[")) return true;
  // Nothing but words, and what may stand in the name of a type.
  const auto of_type = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("_ *&<>:,", c) != nullptr;
  };
  return line.back() != ':' && line.back() != ',' && std::all_of(line.begin(), line.end(), of_type);
}

std::string command(std::string_view path, std::size_t size) {
  JsonText text;
  JsonWriter json(text);
  json.StartObject();
  add_key(json, "command");
  add_string(json, "generate-tags");
  add_key(json, "filename");
  add_string(json, path);
  add_key(json, "size");
  json.Uint64(size);
  json.EndObject();
  return std::string(text_in(text)) + "\n";
}
std::string_view said_text(const Json& said, const char* name) {
  const auto found = said.find(name);
  return found != said.end() && found->is_string() ? text_in(*found) : std::string_view();
}
std::size_t said_number(const Json& said, const char* name) {
  const auto found = said.find(name);
  return found != said.end() && found->is_number_unsigned() ? found->get<std::size_t>() : 0;
}

}  // namespace

Outliner::~Outliner() { stop(); }

void Outliner::start() {
  // Sockets, so that writing to one that has ended is an error and no signal.
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) throw Error("no socket for ctags");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  // No option files of the user's. In the sandbox it can do nothing but read and write what is open.
  std::array<std::string, 5> words = {"ctags", "--options=NONE", "--_interactive=sandbox", "--fields=+neSKl-P",
                                      "--sort=no"};
  std::array<char*, 6> arguments{};
  std::transform(words.begin(), words.end(), arguments.begin(), [](std::string& word) { return word.data(); });
  const int error = posix_spawnp(&process_, "ctags", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  // One source that takes it so long is not worth more.
  const timeval most{kMostSeconds, 0};
  setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
  setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
  to_ = fdopen(ends[0], "w");
  from_ = fdopen(fcntl(ends[0], F_DUPFD_CLOEXEC, 0), "r");
  if (error != 0) {
    process_ = 0;
    throw Error(std::string("ctags cannot be run (apt install universal-ctags): ") + std::strerror(error));
  }
}

void Outliner::stop() {
  if (to_ != nullptr) std::fclose(to_);
  if (from_ != nullptr) std::fclose(from_);
  to_ = from_ = nullptr;
  if (process_ != 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  process_ = 0;
}

std::vector<Outliner::Tag> Outliner::tags(std::string_view path, std::string_view source) {
  for (int tries = 0;; ++tries) {
    if (process_ == 0) start();
    try {
      return ask(path, source);
    } catch (const Error&) {
      stop();
      if (tries == 1) return {};  // it cannot cope with this source
    }
  }
}

std::vector<Outliner::Tag> Outliner::ask(std::string_view path, std::string_view source) {
  // Of what stands in a last line without end it would not say the end.
  const std::string_view end = source.ends_with('\n') ? "" : "\n";
  const std::string line = command(path, source.size() + end.size());
  const auto send = [&](std::string_view text) { return std::fwrite(text.data(), 1, text.size(), to_) == text.size(); };
  const bool sent = send(line) && send(source) && send(end) && std::fflush(to_) == 0;
  if (!sent) throw Error("ctags does not read what it is sent");
  std::vector<Tag> found;
  for (;;) {
    char* text = nullptr;
    std::size_t room = 0;
    const ssize_t length = getline(&text, &room, from_);
    const Json said = length < 0 ? Json() : parsed_json({text, static_cast<std::size_t>(length)});
    std::free(text);
    if (length < 0) throw Error("ctags has ended");
    if (!said.is_object()) continue;
    const std::string_view type = said_text(said, "_type");
    if (type == "completed") return found;  // warnings come before it
    if (type != "tag" || !said.contains("end")) continue;
    const std::string_view kind = said_text(said, "kind");
    const bool function = kind == "function" || kind == "method" || kind == "subroutine" || kind == "procedure" ||
                          (kind == "member" && said.contains("signature"));
    const bool type_of_objects = kind == "class" || kind == "struct" || kind == "union" || kind == "interface";
    if (!function && !type_of_objects) continue;
    const std::size_t first = said_number(said, "line");
    const std::size_t last = said_number(said, "end");
    if (first == 0 || last < first) continue;
    found.push_back(
        {function ? Kind::kFunction : Kind::kClass, std::string(said_text(said, "name")), first - 1, last - 1});
  }
}

std::vector<Cut> Outliner::cuts(std::string_view path, std::string_view source) {
  std::vector<Cut> all;
  if (source.empty() || !is_text(source)) return {Cut{Kind::kText, "", source, -1}};
  const Style style = style_of(path);
  std::vector<Tag> found = tags(path, source);
  // What encloses others comes before them.
  std::sort(found.begin(), found.end(),
            [](const Tag& a, const Tag& b) { return a.first != b.first ? a.first < b.first : a.last > b.last; });
  const std::vector<std::size_t> starts = starts_of_lines(source);
  const auto text = [&](std::size_t from, std::size_t to) {  // lines
    const std::size_t begin = from < starts.size() ? starts[from] : source.size();
    return source.substr(begin, (to < starts.size() ? starts[to] : source.size()) - begin);
  };
  std::size_t done = 0;  // so many lines are in a section
  struct Open {
    std::size_t last;
    int cut;
  };
  std::vector<Open> classes;  // that are not yet at their end
  const auto add = [&](Kind kind, const std::string& name, std::size_t to) {
    if (to <= done) return;
    all.push_back({kind, name, text(done, to), classes.empty() ? -1 : classes.back().cut});
    done = to;
  };
  const auto end_classes = [&](std::size_t before) {
    while (!classes.empty() && classes.back().last < before) {
      add(Kind::kText, "", classes.back().last + 1);
      classes.pop_back();
    }
  };
  // It may see an end behind the last line.
  for (Tag& tag : found) tag.last = std::min(tag.last, starts.size() - 1);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Tag& tag = found[i];
    if (tag.first < done || tag.last < tag.first) continue;
    end_classes(tag.first);
    std::size_t first = tag.first;
    while (first > done && belongs_below(text(first - 1, first), style)) --first;
    add(Kind::kText, "", first);
    std::size_t end = tag.last + 1;
    // A class is a section as far as its first function, which begins on a line of its own.
    if (tag.kind == Kind::kClass) {
      const auto inner = std::find_if(found.begin() + static_cast<std::ptrdiff_t>(i) + 1, found.end(),
                                      [&](const Tag& each) { return each.first > tag.first; });
      if (inner != found.end() && inner->first <= tag.last && inner->last <= tag.last) {
        end = inner->first;
        while (end > tag.first + 1 && belongs_below(text(end - 1, end), style)) --end;
      }
    }
    add(tag.kind, tag.name, end);
    if (end <= tag.last) classes.push_back({tag.last, static_cast<int>(all.size()) - 1});
  }
  end_classes(starts.size());
  add(Kind::kText, "", starts.size());
  return all;
}

}  // namespace workbench
