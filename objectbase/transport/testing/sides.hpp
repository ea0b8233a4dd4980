// Runs the two sides of a scenario: the owner in the test itself, each editor in a thread or in a process, as the
// transport has it. An editor's script says what it has seen in words, which the test compares.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/assert.hpp"
#include "base/user_error.hpp"
#include "objectbase/transport/editor.hpp"
#include "objectbase/transport/owner.hpp"

namespace heddle::objectbase {

inline std::string words_of(const Value& value) {
  const auto quoted = [](std::string_view text) {
    if (text.size() <= 40) return "\"" + std::string(text) + "\"";
    return std::to_string(text.size()) + " bytes " + std::to_string(std::hash<std::string_view>{}(text));
  };
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&value)) return std::to_string(*number);
  if (const auto* id = std::get_if<ObjectId>(&value)) return "->" + std::to_string(id->number);
  if (const auto* text = std::get_if<std::string_view>(&value)) return quoted(*text);
  if (const auto* bytes = std::get_if<Bytes>(&value)) return "bytes " + quoted(bytes->bytes);
  return "-";
}

// All that an editor sees, a line for each object.
inline std::string state_of(const Editor& editor) {
  std::string all;
  editor.each([&](ObjectId id) {
    const Form form = editor.form(editor.type(id)).value_or(Form{});
    all += form.name + " " + std::to_string(id.number) + ":";
    for (unsigned slot = 0; slot < form.slots.size(); ++slot)
      all += " " + form.slots[slot] + "=" + words_of(editor.get(id, slot));
    all += "\n";
  });
  return all;
}

// The same of a store.
inline std::string state_of(const Store& store) {
  std::map<std::uint64_t, std::string> all;
  const Snapshot snapshot = store.snapshot();
  snapshot.each([&](const Pinned& each) {
    const Class type = store.type(each.type());
    std::string line = type.name() + " " + std::to_string(each.id().number) + ":";
    for (unsigned slot = 0; slot < type.slots().size(); ++slot)
      line += " " + type.slots()[slot] + "=" + words_of(each.get(slot));
    all[each.id().number] = line + "\n";
  });
  std::string joined;
  for (const auto& [number, line] : all) joined += line;
  return joined;
}

inline std::string words_of(const std::vector<ObjectId>& ids) {
  std::string all;
  for (const ObjectId id : ids) all += (all.empty() ? "" : " ") + std::to_string(id.number);
  return all;
}

// An editor in a scenario.
class Side {
 public:
  Side(std::filesystem::path path, Transport transport) : path_(std::move(path)), transport_(transport) {}

  bool is_thread() const { return manner_of(transport_).threads; }
  Editor& editor() { return *editor_; }
  // Waits for an owner, and for the first state.
  Editor& connect() {
    editor_.reset();
    for (int tries = 0; !editor_; ++tries) try {
        editor_ = std::make_unique<Editor>(path_, transport_);
      } catch (const base::UserError&) {
        if (tries > 10'000) throw;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    until([&] { return editor_->ready(); });
    return *editor_;
  }
  void disconnect() { editor_.reset(); }
  const std::filesystem::path& path() const { return path_; }

  // Receives news until it is so. What came stands in `objects` and `answers`.
  template <class Condition>
  void until(const Condition& condition) {
    while (!condition()) {
      if (!editor_->wait(60'000)) throw base::UserError("nothing came for a minute");
      receive();
    }
  }
  void receive() {
    News news = editor_->receive();
    objects.insert(objects.end(), news.objects.begin(), news.objects.end());
    for (Answer& each : news.answers) answers[each.edit] = std::move(each);
  }
  Answer answer(std::uint64_t edit) {
    until([&] { return answers.contains(edit); });
    return answers[edit];
  }
  // The answer in words, for edits of which each is awaited.
  std::string outcome(Edit edit) {
    objects.clear();
    const Answer given = answer(editor_->propose(std::move(edit)));
    if (!given.accepted()) return "refused: " + given.refused;
    return "accepted" + (given.created.empty() ? "" : ", created " + words_of(given.created)) + ", changed " +
           words_of(objects);
  }
  // The editor ends without a word; where it is a thread, that can only be its connection's end.
  void die() {
    if (is_thread())
      disconnect();
    else
      raise(SIGKILL);
  }
  void say(const std::string& words) { said += words + "\n"; }

  std::vector<ObjectId> objects;
  std::map<std::uint64_t, Answer> answers;
  std::string said;

 private:
  std::filesystem::path path_;
  Transport transport_;
  std::unique_ptr<Editor> editor_;
};

using Script = std::function<void(Side&)>;

// Editors that begin at once, before there is an owner: for a process must not inherit what an owner has open.
class Sides {
 public:
  Sides(const std::filesystem::path& path, Transport transport, const std::vector<Script>& scripts) {
    const bool threads = manner_of(transport).threads;
    for (const Script& script : scripts) {
      std::array<int, 2> pipe{};
      HEDDLE_ASSERT(pipe2(pipe.data(), O_CLOEXEC) == 0);
      HEDDLE_ASSERT(fcntl(pipe[0], F_SETFL, O_NONBLOCK) == 0);
      running_.push_back({pipe[0], 0, {}, {}, true});
      const auto act = [script, path, transport, out = pipe[1]] {
        Side side(path, transport);
        try {
          script(side);
        } catch (const std::exception& error) {
          side.say(std::string("error: ") + error.what());
        }
        side.disconnect();
        std::size_t done = 0;
        while (done < side.said.size()) {
          const ssize_t wrote = write(out, side.said.data() + done, side.said.size() - done);
          HEDDLE_ASSERT(wrote > 0);
          done += static_cast<std::size_t>(wrote);
        }
        close(out);
      };
      if (threads) {
        running_.back().thread = std::thread(act);
        continue;
      }
      running_.back().process = fork();
      HEDDLE_ASSERT(running_.back().process >= 0);
      if (running_.back().process == 0) {
        act();
        _exit(0);
      }
      close(pipe[1]);
    }
  }
  Sides(const Sides&) = delete;
  Sides& operator=(const Sides&) = delete;
  ~Sides() {
    for (Running& each : running_) {
      if (each.thread.joinable()) each.thread.join();
      if (each.process != 0) {
        kill(each.process, SIGKILL);
        waitpid(each.process, nullptr, 0);
      }
      close(each.said_by);
    }
  }

  bool done() {
    bool all = true;
    for (Running& each : running_) {
      std::array<char, 4096> bytes{};
      ssize_t got = 0;
      while (each.runs && (got = read(each.said_by, bytes.data(), bytes.size())) > 0)
        each.said.append(bytes.data(), static_cast<std::size_t>(got));
      if (got == 0) each.runs = false;
      all = all && !each.runs;
    }
    return all;
  }
  const std::string& said(std::size_t which = 0) const { return running_[which].said; }
  pid_t process(std::size_t which = 0) const { return running_[which].process; }

  // The owner serves until all editors have come to their end.
  void finish(Owner& owner) {
    while (!done()) owner.serve(5);
    owner.serve(0);
  }

 private:
  struct Running {
    int said_by;
    pid_t process;
    std::thread thread;
    std::string said;
    bool runs;
  };
  std::vector<Running> running_;
};

}  // namespace heddle::objectbase
