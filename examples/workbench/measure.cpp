#include "measure.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <thread>

#include "forms.hpp"
#include "objectbase/transport/testing/cost.hpp"
#include "reload.hpp"
#include "workshop.hpp"

namespace workbench {
namespace {

using heddle::objectbase::Beginning;
using heddle::objectbase::stay_on;
using heddle::objectbase::used_us;

constexpr unsigned kWarmUp = 100;
constexpr std::int64_t kShort = 58;  // lines
constexpr int kReloaded = 5;         // functions of a file that change

// What both sides write for each other to see, in memory that a fork shares.
struct Shared {
  Beginning beginning;
  std::atomic<bool> ends;  // set by the Editor after the last edit
  std::atomic<bool> failed;
  std::atomic<double> editor_us;
  std::atomic<std::uint64_t> messages;
  std::atomic<std::uint64_t> bytes;
  std::atomic<std::uint64_t> shown;
};

class Writer {
 public:
  Writer(Editor& editor, const Measured& setting) : editor_(editor), setting_(setting) {
    editor_.each([&](ObjectId id) {
      const auto form = editor_.form(editor_.type(id));
      if (!form || form->name != "Function") return;
      const std::string_view source = text_in(editor_.get(id, kSource));
      const std::int64_t lines = integer_in(editor_.get(id, kLines));
      const std::string_view name = text_in(editor_.get(id, kName));
      // Of usual size; with a name that is a word, which operators and destructors have not.
      const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
      if (std::all_of(name.begin(), name.end(), in_word) && lines >= 3 && lines <= kShort && source.size() > 40 &&
          line_ends(source) == LineEnds::kUnix && source.find('}') != std::string_view::npos &&
          source.find("operator") == std::string_view::npos)
        functions_.push_back({id, {std::string(name), std::string(source)}, {}, false});
    });
    if (functions_.empty()) throw Error("there is no function to edit");
    for (Function& each : functions_) {
      each.changed = {each.first.name + "_now", each.first.source};
      const std::size_t end = each.first.source.rfind('}');
      each.changed.source.insert(each.first.source.rfind('\n', end) + 1, "  // One more line.\n");
    }
    if (setting_.scenario == "reload") cut_files();
  }

  // One edit, and what comes of it.
  void make_edit() {
    Edit edit = editor_.edit();
    if (setting_.scenario == "reload") {
      File& file = files_[next_++ * 7 % files_.size()];
      file.edited = !file.edited;
      if (!reload(editor_, edit, file.id, file.sections, file.edited ? file.changed : file.first))
        throw Error("a file is as it was");
    } else {
      Function& function = functions_[next_++ * 7 % functions_.size()];
      edit.expect(function.id);
      function.edited = !function.edited;
      const Said& now = function.edited ? function.changed : function.first;
      if (setting_.scenario == "save")
        edit.set(function.id, kSource, now.source);
      else
        edit.set(function.id, kName, now.name);
    }
    const std::uint64_t number = editor_.propose(std::move(edit));
    for (bool answered = false; !answered;) {
      editor_.wait(-1);
      const auto news = editor_.receive();
      for (const auto& answer : news.answers) {
        if (!answer.accepted()) throw Error("an edit was refused: " + answer.refused);
        answered = answered || answer.edit == number;
      }
      if (!news.objects.empty()) shown_ += objects_.text(news.objects).size();
    }
  }
  std::uint64_t shown() const { return shown_; }

 private:
  struct Said {
    std::string name;
    std::string source;
  };
  struct Function {
    ObjectId id;
    Said first;
    Said changed;
    bool edited;
  };
  // As Ctags would cut it, which is not measured: before and after several of its functions have gained a line.
  struct File {
    ObjectId id;
    std::vector<ObjectId> sections;
    std::vector<Cut> first;
    std::vector<Cut> changed;
    bool edited;
  };
  void cut_files() {
    std::map<ObjectId, std::vector<const Function*>> in_file;
    for (const Function& each : functions_) in_file[object_in(editor_.get(each.id, kFile))].push_back(&each);
    for (const auto& [id, functions] : in_file) {
      if (functions.size() < kReloaded) continue;
      File file{id, sections_in(editor_, id), {}, {}, false};
      for (const ObjectId section : file.sections) {
        const Kind kind = form_named(editor_.form(editor_.type(section))->name)->kind;
        kept_.emplace_back(bytes_in(editor_.get(section, kSource)));
        file.first.push_back({kind, std::string(text_in(editor_.get(section, kName))), kept_.back(), -1});
        file.changed.push_back(file.first.back());
        const auto found = std::find_if(functions.begin(), functions.begin() + kReloaded,
                                        [&](const Function* each) { return each->id == section; });
        if (found != functions.begin() + kReloaded) file.changed.back().text = (*found)->changed.source;
      }
      files_.push_back(std::move(file));
    }
    if (files_.empty()) throw Error("there is no file with enough functions");
  }

  Editor& editor_;
  ShownObjects objects_{editor_};
  const Measured& setting_;
  std::vector<Function> functions_;
  std::vector<File> files_;
  std::deque<std::string> kept_;  // sources of the cuts
  std::size_t next_ = 0;
  std::uint64_t shown_ = 0;
};

void be_editor(const Measured& setting, Shared& shared) try {
  std::unique_ptr<Editor> editor;
  while (!editor) try {
      editor = std::make_unique<Editor>(setting.store, setting.transport);
    } catch (const std::exception&) {
      usleep(1000);
    }
  while (!editor->ready()) {
    editor->wait(-1);
    editor->receive();
  }
  Writer writer(*editor, setting);
  for (unsigned i = 0; i < kWarmUp; ++i) writer.make_edit();
  shared.beginning.wait();
  const double begin = used_us();
  const auto before = editor->traffic();
  for (unsigned i = 0; i < setting.count; ++i) writer.make_edit();
  shared.editor_us.store(used_us() - begin);
  shared.messages.store(editor->traffic().messages - before.messages);
  shared.bytes.store(editor->traffic().bytes - before.bytes);
  shared.shown.store(writer.shown());
  shared.ends.store(true);
  editor->propose(editor->edit());  // one more, so that the Workshop looks
} catch (const std::exception& error) {
  if (!shared.ends.load()) {
    std::fprintf(stderr, "workbench: %s\n", error.what());
    shared.failed.store(true);
    shared.ends.store(true);
  }
}

}  // namespace

void measure(const Measured& setting) {
  if (setting.scenario != "save" && setting.scenario != "rename" && setting.scenario != "reload")
    throw Error("scenarios are save, rename and reload");
  void* place = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) throw Error("no memory");
  auto& shared = *new (place) Shared{};
  const auto edits = [&] {
    if (setting.cores != 0) stay_on(setting.cores - 1);
    be_editor(setting, shared);
  };
  const bool threads = heddle::objectbase::manner_of(setting.transport).threads;
  const pid_t process = threads ? 0 : fork();
  if (!threads && process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // it would look for an owner for ever
    edits();
    _exit(0);
  }
  Workshop workshop(setting.store, setting.transport, setting.rules, [](const std::string&) {});
  std::thread thread;
  if (threads) thread = std::thread(edits);
  if (setting.cores != 0) stay_on(0);
  double begin = 0;
  std::uint64_t fired = 0;
  heddle::objectbase::Traffic before;
  for (bool counts = false; !shared.ends.load();) {
    workshop.owner().serve(counts ? -1 : Beginning::kLookAgain_ms);
    if (counts || !shared.beginning.is_now()) continue;
    counts = true;
    fired = workshop.fired();
    before = workshop.owner().traffic();
    begin = used_us();
  }
  const double used = used_us() - begin + shared.editor_us.load();
  const auto after = workshop.owner().traffic();
  fired = workshop.fired() - fired;
  if (thread.joinable()) thread.join();
  if (process > 0) waitpid(process, nullptr, 0);
  if (shared.failed.load()) throw Error("nothing has been measured");
  const double count = setting.count;
  std::printf("%.4f %.4f %.4f %.4f\n", used / count,
              static_cast<double>(shared.messages.load() + after.messages - before.messages) / count,
              static_cast<double>(shared.bytes.load() + after.bytes - before.bytes) / count,
              static_cast<double>(fired) / count);
}

}  // namespace workbench
