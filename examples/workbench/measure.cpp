#include "measure.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdio>
#include <memory>
#include <thread>

#include "forms.hpp"
#include "workshop.hpp"

namespace workbench {
namespace {

constexpr unsigned kWarmUp = 100;
constexpr std::int64_t kShort = 58;  // lines

// What both sides write for each other to see, in memory that a fork shares.
struct Shared {
  std::atomic<bool> measures;  // set by the Editor after the first edits, read by the Workshop
  std::atomic<bool> ends;      // set by the Editor, after the following
  std::atomic<bool> failed;
  std::atomic<double> editor_us;
  std::atomic<std::uint64_t> messages;
  std::atomic<std::uint64_t> bytes;
  std::atomic<std::uint64_t> shown;
};

// Of this thread.
double used_us() {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 +
         static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

void stay_on(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  sched_setaffinity(0, sizeof cores, &cores);
}

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
        functions_.push_back({id, std::string(name), false});
    });
    if (functions_.empty()) throw Error("there is no function to edit");
  }

  // One edit, and what comes of it.
  void make_edit() {
    Function& function = functions_[next_++ * 7 % functions_.size()];
    Edit edit = editor_.edit();
    edit.expect(function.id);
    function.edited = !function.edited;
    if (setting_.scenario == "save") {
      std::string source(text_in(editor_.get(function.id, kSource)));
      const std::string line = "  // One more line.\n";
      const std::size_t at = source.rfind('\n', source.rfind('}')) + 1;
      if (function.edited)
        source.insert(at, line);
      else
        source.erase(source.find(line), line.size());
      edit.set(function.id, kSource, source);
    } else {
      edit.set(function.id, kName, function.edited ? function.name + "_now" : function.name);
    }
    const std::uint64_t number = editor_.propose(std::move(edit));
    for (bool answered = false; !answered;) {
      editor_.wait(-1);
      const auto news = editor_.receive();
      for (const auto& answer : news.answers) {
        if (!answer.accepted()) throw Error("an edit was refused: " + answer.refused);
        answered = answered || answer.edit == number;
      }
      text_.clear();
      for (const ObjectId id : news.objects) objects_.add(text_, id);
      shown_ += text_.size();
    }
  }
  std::uint64_t shown() const { return shown_; }

 private:
  struct Function {
    ObjectId id;
    std::string name;
    bool edited;
  };
  Editor& editor_;
  ShownObjects objects_{editor_};
  std::string text_;  // for a page
  const Measured& setting_;
  std::vector<Function> functions_;
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
  const double begin = used_us();
  const auto before = editor->traffic();
  shared.measures.store(true);
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
  if (setting.scenario != "save" && setting.scenario != "rename") throw Error("scenarios are save and rename");
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
  for (bool measures = false; !shared.ends.load();) {
    if (!measures && shared.measures.load()) {
      measures = true;
      begin = used_us();
      fired = workshop.fired();
      before = workshop.owner().traffic();
    }
    workshop.owner().serve(measures ? -1 : 100);
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
