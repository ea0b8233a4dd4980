// What a transaction between an owner of objects and an editor costs: both are this program, as two threads or as two
// processes.
//
//   TRANSPORT command|save SLOTS BYTES COUNT CORES
//
//   command  the editor asks by an edit of one slot, and the owner changes SLOTS slots of that object
//   save     the editor proposes new values for SLOTS slots, and the owner makes the edit
//
// Either is a transaction; values have BYTES bytes each. The editor copies every slot that has changed, as if to
// show it, and begins the next transaction when it has the answer. CORES: 2, each side has a core of its own; 1, both
// have the same one.
//
// Prints the processor time of both sides, user and system, in microseconds for each transaction; then messages, and
// their bytes.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "bench/stores/figures.hpp"
#include "objectbase/transport/editor.hpp"
#include "objectbase/transport/owner.hpp"
#include "objectbase/transport/testing/cost.hpp"

namespace {

using namespace heddle::objectbase;

constexpr std::uint64_t kWarmUp = 200;
constexpr ObjectId kObject{1};

struct Setting {
  Transport transport;
  bool saves;
  unsigned slots;
  std::size_t bytes;
  std::uint64_t count;
  int cores;  // 0: as the system likes
};

// What both sides write for each other to see, in memory that a fork shares.
struct Shared {
  Beginning beginning;
  std::atomic<bool> ends;         // set by the editor
  std::atomic<double> editor_us;  // set by the editor before `ends`
  std::atomic<std::uint64_t> messages;
  std::atomic<std::uint64_t> bytes;
};

void be_editor(const Setting& setting, const std::filesystem::path& path, Shared& shared) {
  std::unique_ptr<Editor> editor;
  while (!editor) try {
      editor = std::make_unique<Editor>(path, setting.transport);
    } catch (const std::exception&) {
      usleep(1000);
    }
  while (!editor->ready()) {
    editor->wait(-1);
    editor->receive();
  }
  std::string text(setting.bytes, 'x');
  std::string shown(setting.bytes, 'x');
  std::size_t seen = 0;
  double begin = 0;
  Traffic before;
  for (std::uint64_t i = 0; i < kWarmUp + setting.count; ++i) {
    if (i == kWarmUp) {
      shared.beginning.wait();
      begin = used_us();
      before = editor->traffic();
    }
    text[0] = static_cast<char>('a' + i % 26);
    Edit edit = editor->edit();
    if (setting.saves)
      for (unsigned slot = 0; slot < setting.slots; ++slot) edit.set(kObject, slot, text);
    else
      edit.set(kObject, 0, std::string_view(text).substr(0, 1));
    const std::uint64_t number = editor->propose(std::move(edit));
    for (bool answered = false; !answered;) {
      editor->wait(-1);
      const News news = editor->receive();
      for (const Answer& each : news.answers) answered = answered || (each.edit == number && each.accepted());
      for (const ObjectId id : news.objects)
        for (unsigned slot = 0; slot < setting.slots; ++slot) {
          const Value value = editor->get(id, slot);
          if (const auto* bytes = std::get_if<std::string_view>(&value))
            seen += bytes->copy(shown.data(), shown.size());
        }
    }
    const Value last = editor->get(kObject, setting.slots - 1);
    if (std::get<std::string_view>(last) != text) {
      std::fprintf(stderr, "not what was written\n");
      std::_Exit(1);
    }
  }
  shared.editor_us.store(used_us() - begin);
  shared.messages.store(editor->traffic().messages - before.messages);
  shared.bytes.store(editor->traffic().bytes - before.bytes);
  shared.ends.store(true);
  // One more, so that the owner looks.
  editor->propose(editor->edit());
  if (seen == 0) std::_Exit(1);
}

int measure(const Setting& setting) {
  const figures::Folder folder;
  const std::filesystem::path path = folder.path / "store";
  {
    Store store = Store::create(path, {.limit = 64 << 20});
    for (unsigned slot = 0; slot < setting.slots; ++slot) store.define("Object", {"slot " + std::to_string(slot)});
    const Class type = store.define("Object", {});
    Transaction change = store.begin();
    const ObjectId made = change.create(type);
    change.commit();
    if (made != kObject) return 1;
  }
  void* place = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) return 1;
  auto& shared = *new (place) Shared{};
  const auto edits = [&] {
    if (setting.cores != 0) stay_on(setting.cores - 1);
    be_editor(setting, path, shared);
  };
  std::thread thread;
  pid_t process = 0;
  if (manner_of(setting.transport).threads) {
    thread = std::thread(edits);
  } else {
    process = fork();
    if (process == 0) {
      edits();
      _exit(0);
    }
  }
  if (setting.cores != 0) stay_on(0);
  std::uint64_t commands = 0;
  std::string text(setting.bytes, 'x');
  Owner owner(path, setting.transport, {.decide = [&](Work& work) {
                if (!setting.saves && !work.touched().empty()) {
                  text[0] = static_cast<char>('a' + commands++ % 26);
                  for (unsigned slot = 0; slot < setting.slots; ++slot) work.set(kObject, slot, text);
                }
                return std::string();
              }});
  double begin = 0;
  Traffic before;
  for (bool counts = false; !shared.ends.load();) {
    owner.serve(counts ? -1 : Beginning::kLookAgain_ms);
    if (counts || !shared.beginning.is_now()) continue;
    counts = true;
    before = owner.traffic();
    begin = used_us();
  }
  const double owner_us = used_us() - begin;
  const Traffic after = owner.traffic();
  if (thread.joinable()) thread.join();
  int status = 0;
  if (process != 0) waitpid(process, &status, 0);
  const auto count = static_cast<double>(setting.count);
  std::printf("%.4f %.4f %.4f\n", (shared.editor_us.load() + owner_us) / count,
              static_cast<double>(shared.messages.load() + after.messages - before.messages) / count,
              static_cast<double>(shared.bytes.load() + after.bytes - before.bytes) / count);
  return status == 0 ? 0 : 1;
}

}  // namespace

int main(int words, char** word) {
  if (words != 7) return 2;
  const std::optional<Transport> transport = transport_named(word[1]);
  if (!transport) return 2;
  const auto number = [&](int which) { return std::strtoull(word[which], nullptr, 10); };
  return measure({*transport, std::string_view(word[2]) == "save", static_cast<unsigned>(number(3)), number(4),
                  number(5), static_cast<int>(number(6))});
}
