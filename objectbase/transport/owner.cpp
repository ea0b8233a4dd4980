#include "objectbase/transport/owner.hpp"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/user_error.hpp"
#include "objectbase/transport/apply.hpp"
#include "objectbase/transport/channel.hpp"
#include "objectbase/transport/staging.hpp"
#include "objectbase/transport/waiting.hpp"

namespace heddle::objectbase {
namespace {

// What epoll says of: these, or twice an editor's number, plus 1 for its process.
constexpr std::uint64_t kListener = 0;
constexpr std::uint64_t kAgain = 1;

constexpr std::size_t kMostWhy = 1024;
// Edits of one editor, before others have their turn.
constexpr unsigned kEditsInTurn = 256;

void listen_for(const Descriptor& epoll, int descriptor, std::uint64_t what, int change = EPOLL_CTL_ADD,
                std::uint32_t events = EPOLLIN) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = what;
  if (epoll_ctl(epoll.number(), change, descriptor, &event) != 0)
    throw base::UserError("objectbase: epoll_ctl: " + base::errno_text());
}

// One owner for each store, also of several that start at once. The lock goes with the process.
Descriptor ownership(const std::filesystem::path& store) {
  Descriptor lock(open((store.string() + ".owner").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock) throw base::UserError(store.string() + ".owner: cannot be made: " + base::errno_text());
  if (flock(lock.number(), LOCK_EX | LOCK_NB) != 0)
    throw base::UserError(store.string() + ": has an owner already; end that program first");
  return lock;
}

Outgoing refusal(std::uint64_t edit, std::string_view why) {
  Outgoing group;
  group.add(MessageKind::kRefused, edit, 0, why.substr(0, kMostWhy));
  group.finish({0, edit});
  return group;
}

void add_made(Outgoing& group, const std::vector<ObjectId>& made) {
  if (made.empty()) return;
  group.add(MessageKind::kMade, 0, 0, {reinterpret_cast<const char*>(made.data()), made.size() * sizeof made[0]});
}

void add_class(Outgoing& group, const Class& type) {
  group.add(MessageKind::kClass, type.number(), 0, encoded_names(type));
}

void add_object(Outgoing& group, const Pinned& object) {
  const std::uint32_t type = object.type();
  group.add(MessageKind::kCreate, object.id().number, 0, {reinterpret_cast<const char*>(&type), sizeof type});
}

// All that there is.
void add_everything(Outgoing& group, const Store& store, const Snapshot& snapshot) {
  for (std::uint32_t number = 1; number <= store.types(); ++number) add_class(group, store.type(number));
  snapshot.each([&](const Pinned& object) {
    add_object(group, object);
    for (unsigned slot = 0; slot < object.slots(); ++slot)
      if (const Value value = object.get(slot); value.index() != 0) group.add_value(object.id().number, slot, value);
  });
}

}  // namespace

struct Owner::Sockets {
  explicit Sockets(const std::filesystem::path& store)
      : lock(ownership(store)),
        listener(listening_socket(store)),
        epoll(new_epoll()),
        again(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    listen_for(epoll, listener.number(), kListener);
    listen_for(epoll, again.number(), kAgain);
  }

  Descriptor lock;
  Descriptor listener;
  Descriptor epoll;
  Waiting waiting;
  Descriptor again;  // readable if an editor was not read to its end
};

struct Owner::Connected {
  Connected(unsigned its_number, Descriptor socket, std::size_t most_edit_bytes)
      : number(its_number), channel(std::move(socket)), said(most_edit_bytes), staged(most_edit_bytes) {}

  unsigned number;
  Channel channel;
  Inbox said;    // by the socket
  Inbox staged;  // in the segment
  std::optional<Staging> staging;
  Backlog answers;  // for which the segment has no room
  pid_t pid = 0;
  Descriptor process;
  bool greeted = false;
  bool open = true;
  bool more = false;            // it has said more, which will be heard when others had their turn
  bool waits_for_room = false;  // its socket is full
  std::size_t began_with = 0;   // bytes of the state that it was sent at first
};

Owner::Owner(const std::filesystem::path& store, Transport transport, Program program)
    : path_(store),
      transport_(transport),
      manner_(manner_of(transport)),
      program_(std::move(program)),
      store_(Store::open(store, Access::kWrite)),
      sockets_(std::make_unique<Sockets>(store)) {}

Owner::~Owner() { unlink(socket_of(path_).c_str()); }

int Owner::descriptor() const { return sockets_->epoll.number(); }

Traffic Owner::traffic() const {
  Traffic all = gone_;
  for (const auto& [number, editor] : editors_) {
    all.messages += editor->channel.traffic().messages;
    all.bytes += editor->channel.traffic().bytes;
  }
  return all;
}

Class Owner::define(std::string_view name, std::initializer_list<std::string_view> slots) {
  const Class type = store_.define(name, slots);
  if (!manner_.values) return type;
  Outgoing group;
  add_class(group, type);
  group.finish({store_.commit(), 0});
  for (const auto& [number, editor] : editors_) {
    if (!editor->greeted) continue;
    editor->channel.send(group, manner_.together);
    settle(*editor);
  }
  return type;
}

// --- What editors are told ---

// In the order of objects, each slot once; not finished.
Outgoing Owner::told(const Work& work, const std::vector<ObjectId>& made) const {
  Outgoing group;
  add_made(group, made);
  std::vector<Work::Touched> touched = work.touched_;
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (auto first = touched.begin(); first != touched.end();) {
    const ObjectId id = first->object;
    const auto last = std::find_if(first, touched.end(), [&](const auto& each) { return each.object != id; });
    const bool created = first->what == Work::What::kCreated;
    const bool erased = std::prev(last)->what == Work::What::kErased;
    if (erased) {
      if (!created) group.add(manner_.values ? MessageKind::kErase : MessageKind::kChanged, id.number);
    } else if (!manner_.values && (manner_.objects || std::next(first) == last)) {
      group.add(MessageKind::kChanged, id.number, first->slot);
    } else {
      const Pinned pinned = manner_.values ? store_.pin(id) : Pinned{};
      if (manner_.values && !pinned) first = last;  // somebody else erased it, who should not write
      if (pinned && created) add_object(group, pinned);
      for (; first != last; ++first) {
        if (first->what != Work::What::kSet) continue;
        if (manner_.values)
          group.add_value(id.number, first->slot, pinned.get(first->slot));
        else
          group.add(MessageKind::kChanged, id.number, first->slot);
      }
    }
    first = last;
  }
  return group;
}

void Owner::tell(const Work& work, Connected* proposer, const End& end, const std::vector<ObjectId>& made) {
  Outgoing group = told(work, {});
  const bool changes = group.messages() != 0;
  group.finish({end.commit, 0});
  for (const auto& [number, editor] : editors_) {
    if (!editor->greeted || editor.get() == proposer || !changes) continue;
    editor->channel.send(group, manner_.together);
    settle(*editor);
  }
  if (proposer == nullptr) return;
  if (made.empty()) {
    group.change_end(end);
  } else {
    group = told(work, made);
    group.finish(end);
  }
  proposer->channel.send(group, manner_.together);
  settle(*proposer);
}

// Where the store itself tells of changes, the answer to an edit is written before the edit is committed, and counts
// for the editor when it sees the commit: so one wake-up tells it of both.
std::uint64_t Owner::commit(Work& work, Connected* proposer, std::uint64_t edit, const std::vector<ObjectId>& made) {
  if (!manner_.watches) {
    const std::uint64_t number = work.transaction_.commit();
    tell(work, proposer, {number, edit}, made);
    return number;
  }
  if (proposer == nullptr) return work.transaction_.commit();
  const std::uint64_t promised = store_.commit() + 1;
  Outgoing group;
  add_made(group, made);
  group.finish({promised, edit});
  // Also for what takes it back, if the commit fails.
  const std::size_t room = 2 * group.bytes().size() + 2 * kMostWhy;
  const bool before = proposer->answers.empty() && proposer->staging->answers().room() >= room;
  if (before) proposer->staging->answers().write(group.bytes());
  const std::uint64_t number = work.transaction_.commit();
  if (before && number == promised) return number;
  group.change_end({number, edit});
  answer(*proposer, group);
  return number;
}

void Owner::answer(Connected& editor, const Outgoing& group) {
  if (manner_.watches) {
    editor.answers.add(group.bytes());
    send_answers(editor);
  } else {
    editor.channel.send(group, manner_.together);
  }
  settle(editor);
}

void Owner::send_answers(Connected& editor) {
  if (editor.answers.empty()) return;
  Ring& ring = editor.staging->answers();
  do {
    editor.answers.drop(ring.write(editor.answers.first()));
  } while (!editor.answers.empty() && !ring.wait_for_room());
  if (ring.reader_slept()) wake(editor);
}

void Owner::wake(Connected& editor) {
  Outgoing group;
  group.finish({});
  editor.channel.send(group, true);
}

// --- What editors say ---

void Owner::serve(int timeout_ms) {
  std::array<epoll_event, 64> events{};
  const int count = sockets_->waiting.wait(sockets_->epoll.number(), events, timeout_ms);
  for (int i = 0; i < count; ++i) {
    const std::uint64_t what = events[static_cast<unsigned>(i)].data.u64;
    if (what == kListener) {
      accept_editors();
    } else if (what == kAgain) {
      std::uint64_t ignored = 0;
      static_cast<void>(!read(sockets_->again.number(), &ignored, sizeof ignored));
      std::vector<unsigned> again;
      for (const auto& [number, editor] : editors_)
        if (editor->more) again.push_back(number);
      for (const unsigned number : again) attend(number, false);
    } else {
      attend(static_cast<unsigned>(what / 2), what % 2 == 1);
    }
  }
  let_the_slow_go();
}

void Owner::accept_editors() {
  for (;;) {
    Descriptor socket(accept4(sockets_->listener.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket) return;
    if (editors_.size() >= program_.most_editors) continue;
    const unsigned number = ++newest_;
    auto editor = std::make_unique<Connected>(number, std::move(socket), program_.most_edit_bytes);
    editor->process = process_at(editor->channel.descriptor(), editor->pid);
    listen_for(sockets_->epoll, editor->channel.descriptor(), 2 * std::uint64_t{number});
    if (editor->process) listen_for(sockets_->epoll, editor->process.number(), 2 * std::uint64_t{number} + 1);
    editors_.emplace(number, std::move(editor));
  }
}

// What an editor has said before it ended is heard.
void Owner::attend(unsigned number, bool ended) {
  const auto found = editors_.find(number);
  if (found == editors_.end()) return;
  Connected& editor = *found->second;
  std::string why;
  try {
    editor.channel.flush();
    hear(editor);
    if (ended && !editor.more) why = "process " + std::to_string(editor.pid) + " has ended";
    if (!editor.open && !editor.more) why = "it has closed the connection";
    if (why.empty()) settle(editor);
  } catch (const Malformed& error) {
    why = "it has sent " + std::string(error.what());
  }
  if (!why.empty()) let_go(number, why);
}

void Owner::hear(Connected& editor) {
  editor.open = editor.open && editor.channel.receive(editor.said);
  unsigned may = kEditsInTurn;
  while (may != 0) {
    const std::optional<Group> group = editor.said.take();
    if (!group) break;
    if (!editor.greeted) {
      greet(editor, *group);
    } else if (manner_.values) {
      decide(editor, *group);
      --may;
    }
    // Otherwise it announces what is in the segment.
  }
  if (editor.staging) may = hear_staged(editor, may);
  editor.more = may == 0;
  const std::uint64_t one = 1;
  if (editor.more) static_cast<void>(!write(sockets_->again.number(), &one, sizeof one));
}

// Decides on so many edits at most; returns how many more it might have been. 0: there may be some.
unsigned Owner::hear_staged(Connected& editor, unsigned may) {
  Ring& edits = editor.staging->edits();
  for (;;) {
    edits.read(editor.staged);
    for (; may != 0; --may) {
      const std::optional<Group> group = editor.staged.take();
      if (!group) break;
      decide(editor, *group);
    }
    if (edits.writer_waited()) wake(editor);
    if (may == 0) return 0;
    if (edits.sleep()) break;
  }
  send_answers(editor);  // it may have been woken to say that there is room
  return may;
}

void Owner::greet(Connected& editor, const Group& group) {
  const Message& hello = group.messages.front();
  if (hello.kind() != MessageKind::kHello || hello.head.object != kProtocol)
    throw Malformed("something else than a greeting");
  std::string why;
  if (const std::optional<Transport> theirs = transport_named(hello.value); theirs != transport_)
    why = "the owner uses transport " + std::string(name_of(transport_)) + ", this editor " +
          (theirs ? std::string(name_of(*theirs)) : "one that it does not know");
  else if (manner_.threads && editor.pid != getpid())
    why = "the owner uses transport " + std::string(name_of(transport_)) + ", for threads of its own process alone";
  if (!why.empty()) {
    editor.channel.send(refusal(0, why), true);
    throw Malformed("a greeting that does not fit: " + why);
  }
  const Snapshot snapshot = store_.snapshot();
  Outgoing welcome;
  welcome.add(MessageKind::kWelcome, program_.most_edit_bytes);
  if (manner_.values) add_everything(welcome, store_, snapshot);
  welcome.finish({snapshot.commit(), 0});
  editor.began_with = welcome.bytes().size();
  if (manner_.values) {
    editor.channel.send(welcome, manner_.together);
  } else {
    editor.staging.emplace(Staging::make());
    editor.channel.send_with(welcome, editor.staging->descriptor());
  }
  editor.greeted = true;
}

void Owner::decide(Connected& editor, const Group& group) {
  const std::uint64_t edit = group.end.edit;
  std::string why;
  try {
    Work work(*this, editor.number);
    Applied applied(store_, work);
    for (const Message& each : group.messages) applied.apply(each);
    if (program_.decide) why = program_.decide(work);
    if (why.empty()) {
      commit(work, &editor, edit, applied.made());
      return;
    }
  } catch (const base::UserError& error) {
    why = error.what();
    if (why.empty()) why = "for no reason that was given";
  }
  answer(editor, refusal(edit, why));
}

// --- Editors that go ---

void Owner::settle(Connected& editor) {
  const bool waits = editor.channel.kept_bytes() != 0;
  if (waits == editor.waits_for_room) return;
  editor.waits_for_room = waits;
  listen_for(sockets_->epoll, editor.channel.descriptor(), 2 * std::uint64_t{editor.number}, EPOLL_CTL_MOD,
             waits ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

void Owner::let_go(unsigned number, const std::string& why) {
  const auto found = editors_.find(number);
  if (found == editors_.end()) return;
  gone_.messages += found->second->channel.traffic().messages;
  gone_.bytes += found->second->channel.traffic().bytes;
  editors_.erase(found);
  if (program_.left) program_.left(number, why);
}

void Owner::let_the_slow_go() {
  std::vector<unsigned> slow;
  for (const auto& [number, editor] : editors_)
    if (editor->channel.kept_bytes() + editor->answers.size() > program_.most_kept_bytes + editor->began_with)
      slow.push_back(number);
  for (const unsigned number : slow) let_go(number, "it does not read what it is told");
}

}  // namespace heddle::objectbase
