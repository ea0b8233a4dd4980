// heddle-objectbase: the program behind `heddle objectbase`. Looks at a store, checks it, writes it as text, reads it
// back.
#include <pthread.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "base/user_error.hpp"
#include "objectbase/keep/database.hpp"
#include "objectbase/keep/keeper.hpp"
#include "objectbase/objectbase.hpp"
#include "objectbase/tool/records.hpp"

namespace {

using heddle::base::UserError;
using heddle::objectbase::Access;
using heddle::objectbase::Class;
using heddle::objectbase::Figures;
using heddle::objectbase::Pinned;
using heddle::objectbase::Store;

constexpr int kDone = 0;
constexpr int kFinding = 1;
constexpr int kBadInput = 2;

struct Words {
  std::filesystem::path file;
  std::filesystem::path database;
  heddle::objectbase::KeepOptions keep;
  std::uint64_t object = 0;
  std::string from = "-";
  std::string to = "-";
  std::uint64_t limit = std::uint64_t{1} << 30;
  std::string mode = "600";
  bool json = false;
};

// On a terminal, one line that moves; the last call is for the end.
void show(std::uint64_t objects, bool ended = false) {
  if (isatty(STDERR_FILENO) == 0) return;
  if (ended)
    std::fputs("\r\033[K", stderr);
  else
    std::fprintf(stderr, "\r\033[K%llu objects", static_cast<unsigned long long>(objects));
}

nlohmann::ordered_json classes_of(const Store& store) {
  std::map<std::uint32_t, std::uint64_t> objects;
  store.snapshot().each([&](const Pinned& each) { ++objects[each.type()]; });
  auto classes = nlohmann::ordered_json::array();
  for (std::uint32_t number = 1; number <= store.types(); ++number) {
    const Class type = store.type(number);
    classes.push_back({{"name", type.name()}, {"slots", type.slots()}, {"objects", objects[number]}});
  }
  return classes;
}

int inspect(const Words& words) {
  const Store store = Store::open(words.file, Access::kRead);
  const Figures figures = store.figures();
  const nlohmann::ordered_json classes = classes_of(store);
  if (words.json) {
    const nlohmann::ordered_json all = {{"file", words.file.string()},   {"commit", figures.commit},
                                        {"objects", figures.objects},    {"superseded_versions", figures.superseded},
                                        {"block_bytes", figures.blocks}, {"file_bytes", figures.file},
                                        {"limit_bytes", figures.limit},  {"processes", figures.processes - 1},
                                        {"pins", figures.pins},          {"snapshots", figures.snapshots},
                                        {"watches", figures.watches},    {"classes", classes}};
    std::cout << all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
    return kDone;
  }
  const auto line = [](const char* what, std::uint64_t count) { std::cout << what << count << '\n'; };
  std::cout << words.file.string() << '\n';
  line("  objects              ", figures.objects);
  line("  newest commit        ", figures.commit);
  line("  superseded versions  ", figures.superseded);
  line("  bytes of blocks      ", figures.blocks);
  line("  bytes of the file    ", figures.file);
  line("  limit                ", figures.limit);
  line("  other processes      ", figures.processes - 1);
  line("  pins                 ", figures.pins);
  line("  snapshots            ", figures.snapshots);
  line("  watches              ", figures.watches);
  for (const auto& type : classes) {
    std::cout << "  class " << type["name"].get<std::string>() << ": " << type["objects"] << " objects, slots";
    for (const auto& slot : type["slots"]) std::cout << ' ' << slot.get<std::string>();
    std::cout << '\n';
  }
  return kDone;
}

int verify(const Words& words) {
  Store store = Store::open(words.file, Access::kWrite);
  const std::vector<std::string> problems = store.verify();
  if (words.json) {
    const nlohmann::ordered_json all = {{"file", words.file.string()}, {"problems", problems}};
    std::cout << all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
  } else if (problems.empty()) {
    std::cout << words.file.string() << ": all is well, " << store.figures().objects << " objects\n";
  } else {
    for (const std::string& problem : problems) std::cout << words.file.string() << ": " << problem << '\n';
  }
  return problems.empty() ? kDone : kFinding;
}

int dump(const Words& words) {
  const Store store = Store::open(words.file, Access::kRead);
  std::ofstream file;
  if (words.to != "-") file.open(words.to);
  std::ostream& out = words.to == "-" ? std::cout : file;
  heddle::objectbase::dump(store, out, [](std::uint64_t objects) { show(objects); });
  show(0, true);
  if (!out.flush()) throw UserError(words.to + ": cannot be written: " + heddle::base::errno_text());
  return kDone;
}

unsigned mode_of(const Words& words) {
  unsigned mode = 0;
  std::size_t read = 0;
  try {
    mode = static_cast<unsigned>(std::stoul(words.mode, &read, 8));
  } catch (const std::exception&) {
    read = 0;
  }
  if (read != words.mode.size() || mode > 0777)
    throw UserError("--mode " + words.mode + ": give permissions as chmod takes them, such as 640");
  return mode;
}

int load(const Words& words) {
  const heddle::objectbase::Options options{.limit = words.limit, .mode = mode_of(words)};
  std::ifstream file;
  if (words.from != "-") file.open(words.from);
  std::istream& in = words.from == "-" ? std::cin : file;
  if (!in) throw UserError(words.from + ": cannot be read: " + heddle::base::errno_text());
  const std::uint64_t objects =
      heddle::objectbase::load(in, words.file, options, [](std::uint64_t some) { show(some); });
  show(0, true);
  std::cout << words.file.string() << ": " << objects << " objects\n";
  return kDone;
}

// Until it is interrupted. What cannot be written is said once, and when it can be again.
int keep(const Words& words) {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);  // the keeper's thread inherits it
  const heddle::objectbase::Keeper keeper(words.file, words.database, words.keep);
  constexpr timespec kLook{.tv_sec = 0, .tv_nsec = 500'000'000};
  std::string said;
  while (sigtimedwait(&ends, nullptr, &kLook) < 0) {
    const std::string trouble = keeper.trouble();
    if (trouble == said) continue;
    std::fprintf(stderr, "heddle objectbase: %s\n", trouble.empty() ? "written again" : trouble.c_str());
    said = trouble;
  }
  return kDone;
}

int restore(const Words& words) {
  const std::uint64_t objects =
      heddle::objectbase::make_again(words.database, words.file, {.limit = words.limit, .mode = mode_of(words)});
  std::cout << words.file.string() << ": " << objects << " objects\n";
  return kDone;
}

int history(const Words& words) {
  using namespace heddle::objectbase;
  Database database(words.database, false, Database::Sync::kEachCommit, 0600);
  const DatabaseTransaction kept(database, false);
  const ObjectId id{words.object};
  std::vector<KeptVersion> versions = kept.history(id);
  const std::optional<KeptVersion> newest = id ? kept.at(place_of(id)) : std::nullopt;
  if (newest && newest->id == id) versions.push_back(*newest);
  if (versions.empty()) throw UserError(words.database.string() + ": keeps no object " + std::to_string(words.object));
  for (const KeptVersion& version : versions) std::cout << line_of(version, kept.names(version.type)) << '\n';
  return kDone;
}

}  // namespace

int main(int count, char** texts) try {
  CLI::App app("Looks at a store of shared objects, checks it, writes it as text, and reads it back.",
               "heddle-objectbase");
  app.require_subcommand(1);
  Words words;
  int (*work)(const Words&) = nullptr;
  const auto command = [&](const char* name, const char* help, int (*call)(const Words&)) {
    CLI::App* sub = app.add_subcommand(name, help);
    sub->add_option("FILE", words.file, "The store.")->required();
    sub->callback([&work, call] { work = call; });
    return sub;
  };
  CLI::App* to_inspect = command("inspect", "What is in it, and who uses it.", inspect);
  to_inspect->add_flag("--json", words.json, "As JSON.");
  CLI::App* to_verify = command("verify", "Follow everything in it; writers wait meanwhile.", verify);
  to_verify->add_flag("--json", words.json, "As JSON.");
  command("dump", "Write it as JSON Lines.", dump)->add_option("--to", words.to, "A file, or - for standard output.");
  CLI::App* to_load = command("load", "Make it from JSON Lines.", load);
  to_load->add_option("--from", words.from, "A file, or - for standard input.");
  const auto with_database = [&](CLI::App* sub) {
    sub->add_option("DATABASE", words.database, "The file in which it is kept.")->required();
    return sub;
  };
  CLI::App* to_keep = with_database(command("keep", "Write what changes to a file on disk, until interrupted.", keep));
  using heddle::objectbase::Durability;
  const std::map<std::string, Durability> durabilities{
      {"none", Durability::kNone}, {"second", Durability::kSecond}, {"commit", Durability::kCommit}};
  to_keep->add_option("--durability", words.keep.durability, "When it is forced to the disk: none, second, commit.")
      ->transform(CLI::CheckedTransformer(durabilities));
  to_keep->add_option("--history", words.keep.history, "Versions of each object to keep besides the newest.");
  CLI::App* to_restore = with_database(command("restore", "Make it of what was kept.", restore));
  for (CLI::App* sub : {to_load, to_restore}) {
    sub->add_option("--limit", words.limit, "Bytes that the file may grow to.");
    sub->add_option("--mode", words.mode, "Permissions of the file.");
  }
  CLI::App* to_history = app.add_subcommand("history", "Versions of an object that were kept, as JSON Lines.");
  with_database(to_history);
  to_history->add_option("OBJECT", words.object, "Its number.")->required();
  to_history->callback([&work] { work = history; });
  try {
    app.parse(count, texts);
  } catch (const CLI::Success& asked) {
    return app.exit(asked);
  }
  return work(words);
} catch (const std::exception& error) {  // mostly a UserError, whose text says what to do
  show(0, true);
  std::fprintf(stderr, "heddle objectbase: %s\n", error.what());
  return kBadInput;
}
