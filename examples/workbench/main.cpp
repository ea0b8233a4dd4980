// workbench: a source tree as objects, with rules that check and change them, and a page to edit them in.
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "measure.hpp"
#include "reload.hpp"
#include "tree.hpp"
#include "web.hpp"
#include "workshop.hpp"

namespace {

using namespace workbench;
namespace fs = std::filesystem;
namespace ob = heddle::objectbase;

struct Settings {
  fs::path store;
  fs::path folder;
  std::string transport = "V4";
  std::vector<fs::path> rules = {fs::path(WORKBENCH_HOME) / "rules"};
  fs::path page = fs::path(WORKBENCH_HOME) / "page";
  fs::path tree;
  std::uint16_t port = 0;
  std::uint64_t limit_mb = 1024;
  Measured measured;
};

Transport transport_of(const Settings& settings) {
  const auto found = ob::transport_named(settings.transport);
  if (!found) throw Error("there is no transport " + settings.transport + ": V1, V1c, V2, V3a, V3b, V4");
  return *found;
}

// Of folders, the files that end in .clp, by their names.
std::vector<fs::path> rule_files(const std::vector<fs::path>& places) {
  std::vector<fs::path> files;
  for (const fs::path& place : places) {
    if (!fs::is_directory(place)) {
      files.push_back(place);
      continue;
    }
    std::vector<fs::path> inside;
    for (const auto& each : fs::directory_iterator(place))
      if (each.path().extension() == ".clp") inside.push_back(each.path());
    std::sort(inside.begin(), inside.end());
    files.insert(files.end(), inside.begin(), inside.end());
  }
  if (files.empty()) throw Error("there are no rule files: a Workshop without rules does nothing");
  return files;
}

void say(const std::string& line) { std::cerr << line << (line.ends_with('\n') ? "" : "\n") << std::flush; }

void block_signals() {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
}

// --- The Workshop ---

// Until a signal ends it. Throws Error if the process ends whose descriptor is `editor`; -1: none. Rule files are
// loaded again when they are written.
void run_workshop(const Settings& settings, int editor) {
  Watched files;
  for (const fs::path& place : settings.rules)
    files.add(fs::is_directory(place) ? place : fs::absolute(place).parent_path());
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  const ob::Descriptor signals(signalfd(-1, &ends, SFD_CLOEXEC));
  Workshop workshop(settings.store, transport_of(settings), rule_files(settings.rules), say);
  say("the Workshop has begun");
  for (;;) {
    std::array<pollfd, 4> waits = {pollfd{workshop.owner().descriptor(), POLLIN, 0},
                                   pollfd{files.descriptor(), POLLIN, 0}, pollfd{signals.number(), POLLIN, 0},
                                   pollfd{editor, POLLIN, 0}};
    if (poll(waits.data(), waits.size(), -1) < 0) continue;
    if (waits[2].revents != 0) return;
    if (waits[3].revents != 0) throw Error("the Editor has ended");
    if (waits[1].revents != 0) {
      const std::vector<fs::path> written = files.take();
      const auto is_rules = [](const fs::path& file) { return file.extension() == ".clp"; };
      if (std::any_of(written.begin(), written.end(), is_rules)) workshop.load_rules(rule_files(settings.rules));
    }
    workshop.owner().serve(0);
  }
}

// --- The Editor ---

WebOptions web_options(const Settings& settings, bool stays) {
  return {settings.store, transport_of(settings), settings.port, settings.page, stays, settings.tree, say};
}

void run_editor(const Settings& settings, bool stays) {
  Web web(web_options(settings, stays));
  std::vector<std::unique_ptr<event, void (*)(event*)>> ends;
  for (const int signal : {SIGINT, SIGTERM}) {
    ends.emplace_back(
        evsignal_new(
            web.base(), signal, [](evutil_socket_t, short, void* self) { static_cast<Web*>(self)->stop(); }, &web),
        event_free);
    event_add(ends.back().get(), nullptr);
  }
  std::cout << "the Editor is at " << web.address() << std::endl;
  web.run();
}

// --- Both ---

// A process that ends with this.
class Child {
 public:
  explicit Child(const std::function<void()>& act) : process_(fork()) {
    if (process_ < 0) throw Error("no process can be started");
    if (process_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      int code = 0;
      try {
        act();
      } catch (const std::exception& error) {
        say(std::string("workbench: ") + error.what());
        code = 1;
      }
      std::cout.flush();
      _exit(code);
    }
    ended_ = static_cast<int>(syscall(SYS_pidfd_open, process_, 0));
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
    if (ended_ >= 0) close(ended_);
  }
  int ended() const { return ended_; }

 private:
  pid_t process_;
  int ended_ = -1;
};

void serve(const Settings& settings) {
  const Rules tried(rule_files(settings.rules));  // before anybody is told of an Editor
  if (ob::manner_of(transport_of(settings)).threads) {
    block_signals();
    Web web(web_options(settings, false));
    std::cout << "the Editor is at " << web.address() << std::endl;
    const std::jthread editor([&] { web.run(); });
    struct Stop {
      Web& editor;
      ~Stop() { editor.stop(); }
    };
    const Stop stop{web};  // however the Workshop ends
    run_workshop(settings, -1);
    return;
  }
  const Child editor([&] { run_editor(settings, false); });
  block_signals();
  run_workshop(settings, editor.ended());
}

void say_counts(const Counts& counts, const char* what) {
  std::cout << counts.files << " files, " << counts.sections << " sections" << what << "\n";
}

}  // namespace

int main(int words, char** word) {
  CLI::App app("A source tree as objects, with rules that check and change them, and a page to edit them in.",
               "workbench");
  app.require_subcommand(1);
  Settings settings;
  app.footer("Example: workbench import src /dev/shm/work && workbench serve /dev/shm/work");
  const auto add = [&](const char* name, const char* what, const char* example) {
    CLI::App* command = app.add_subcommand(name, what);
    command->footer(std::string("Example: workbench ") + name + " " + example);
    return command;
  };
  const auto with_store = [&](CLI::App* command) {
    command->add_option("STORE", settings.store, "the file with the objects; /dev/shm is quickest")->required();
  };
  const auto with_transport = [&](CLI::App* command) {
    command->add_option("--transport", settings.transport,
                        "how Workshop and Editor tell each other: V1, V1c, V4; serve: V2, V3a, V3b, too");
  };
  const auto with_rules = [&](CLI::App* command) {
    command->add_option("--rules", settings.rules, "rule files, and folders of them");
  };
  const auto with_page = [&](CLI::App* command) {
    command->add_option("--port", settings.port, "of 127.0.0.1; without, one that is free");
    command->add_option("--page", settings.page, "the folder of the page");
    command->add_option("--tree", settings.tree, "the source tree: a file that is edited there is read in again");
  };
  CLI::App* import = add("import", "makes a store of the files below a folder", "src /dev/shm/work");
  import->add_option("FOLDER", settings.folder, "the source tree")->required();
  with_store(import);
  import->add_option("--limit-mb", settings.limit_mb, "most size of the store");
  CLI::App* exporting = add("export", "writes the files below a folder, those that differ", "/dev/shm/work src");
  with_store(exporting);
  exporting->add_option("FOLDER", settings.folder, "where to")->required();
  CLI::App* workshop = add("workshop", "owns the objects, and has the rules fire", "/dev/shm/work --rules my-rules");
  with_store(workshop);
  with_rules(workshop);
  with_transport(workshop);
  CLI::App* editor = add("editor", "the page", "/dev/shm/work --port 8080");
  with_store(editor);
  with_page(editor);
  with_transport(editor);
  CLI::App* both = add("serve", "a Workshop and an Editor, as processes or threads, whichever the transport is for",
                       "/dev/shm/work --transport V1");
  with_store(both);
  with_rules(both);
  with_page(both);
  with_transport(both);
  CLI::App* measuring = add("measure", "what edits cost both sides; the edits stay in the store",
                            "/dev/shm/work --scenario rename --count 1000");
  with_store(measuring);
  with_rules(measuring);
  with_transport(measuring);
  measuring->add_option("--scenario", settings.measured.scenario, "save, rename or reload");
  measuring->add_option("--count", settings.measured.count, "of edits");
  measuring->add_option("--cores", settings.measured.cores, "1 or 2; 0: as the system likes");
  CLI11_PARSE(app, words, word);
  try {
    if (!*import && !fs::exists(settings.store))
      throw Error(settings.store.string() + ": is not there: make it by workbench import FOLDER " +
                  settings.store.string());
    if (*import) {
      say_counts(import_tree(settings.folder, settings.store, settings.limit_mb << 20), "");
    } else if (*exporting) {
      const Counts counts = export_tree(settings.store, settings.folder);
      say_counts(counts, (", " + std::to_string(counts.written) + " files written").c_str());
    } else if (*both) {
      serve(settings);
    } else if (*measuring) {
      settings.measured.store = settings.store;
      settings.measured.transport = transport_of(settings);
      settings.measured.rules = rule_files(settings.rules);
      measure(settings.measured);
    } else {
      if (ob::manner_of(transport_of(settings)).threads)
        throw Error("transport " + settings.transport + " is for threads of one process: use workbench serve");
      if (*workshop) {
        block_signals();
        run_workshop(settings, -1);
      } else {
        run_editor(settings, true);
      }
    }
  } catch (const std::exception& error) {
    say(std::string("workbench: ") + error.what());
    return 1;
  }
  return 0;
}
