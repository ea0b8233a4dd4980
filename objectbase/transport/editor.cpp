#include "objectbase/transport/editor.hpp"

#include <sys/epoll.h>

#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "base/user_error.hpp"

namespace heddle::objectbase {
namespace {

// What epoll says of.
enum class Heard : std::uint32_t { kSocket, kWatch, kProcess };

void hear_of(const Descriptor& epoll, int descriptor, Heard what, int change = EPOLL_CTL_ADD,
             std::uint32_t events = EPOLLIN) {
  epoll_event event{};
  event.events = events;
  event.data.u32 = static_cast<std::uint32_t>(what);
  if (epoll_ctl(epoll.number(), change, descriptor, &event) != 0)
    throw base::UserError("objectbase: epoll_ctl: " + base::errno_text());
}

std::unique_ptr<View> view_of(const std::filesystem::path& store, const Manner& manner) {
  if (manner.values) return std::make_unique<Copy>();
  return std::make_unique<Mapping>(store, manner.watches);
}

// An owner is believed as to how much it sends.
constexpr std::size_t kAnySize = std::numeric_limits<std::size_t>::max() / 2;

}  // namespace

Editor::Editor(const std::filesystem::path& store, Transport transport)
    : path_(store),
      manner_(manner_of(transport)),
      channel_(connected_socket(store)),
      view_(view_of(store, manner_)),
      epoll_(new_epoll()),
      process_(process_at(channel_.descriptor(), pid_)),
      said_(kAnySize),
      staged_(kAnySize) {
  hear_of(epoll_, channel_.descriptor(), Heard::kSocket);
  if (view_->descriptor() >= 0) hear_of(epoll_, view_->descriptor(), Heard::kWatch);
  if (process_) hear_of(epoll_, process_.number(), Heard::kProcess);
  if (!manner_.values) channel_.expect_descriptor();
  Outgoing hello;
  hello.add(MessageKind::kHello, kProtocol, 0, name_of(transport));
  hello.finish({});
  channel_.send(hello, true);
}

Traffic Editor::traffic() const {
  Traffic all = channel_.traffic();
  all.messages += woken_;
  all.bytes += woken_;  // one each: Watch
  return all;
}

// --- News ---

bool Editor::wait(int timeout_ms) {
  look(timeout_ms);
  return socket_ready_ || watch_ready_ || ended_;
}

void Editor::look(int timeout_ms) {
  std::array<epoll_event, 4> events{};
  const int count = waiting_.wait(epoll_.number(), events, timeout_ms);
  for (int i = 0; i < count; ++i) {
    const auto what = static_cast<Heard>(events[static_cast<unsigned>(i)].data.u32);
    socket_ready_ = socket_ready_ || what == Heard::kSocket;
    watch_ready_ = watch_ready_ || what == Heard::kWatch;
    if (what == Heard::kProcess) ended_ = socket_ready_ = true;  // what it said before is still there
  }
  looked_ = true;
}

News Editor::receive() {
  if (!looked_) look(0);
  looked_ = false;
  try {
    if (std::exchange(socket_ready_, false)) {
      channel_.flush();
      open_ = channel_.receive(said_);
      while (const std::optional<Group> group = said_.take()) hear(*group);
    }
    if (std::exchange(watch_ready_, false)) {
      ++woken_;
      view_->look();
    }
    if (!open_ || ended_) view_->look_at_all();
    News news;
    news.objects = view_->changed();
    if (staging_ && manner_.watches) hear_answers();
    news.answers = answers_seen();
    if (staging_ && !edits_.empty()) {
      stage_kept();
      if (staging_->edits().reader_slept()) wake_owner();
    }
    settle();
    if ((!open_ || ended_) && news.empty()) throw base::UserError(gone());
    return news;
  } catch (const Malformed& error) {
    throw base::UserError(path_.string() + ": the owner has sent " + error.what() +
                          ": are both programs of one version?");
  }
}

void Editor::hear(const Group& group) {
  for (const Message& each : group.messages) {
    if (each.kind() == MessageKind::kWelcome) {
      most_edit_bytes_ = each.head.object;
      ready_ = true;
      if (!manner_.values) {
        staging_.emplace(channel_.take_descriptor());
        if (!edits_.empty()) {
          stage_kept();
          wake_owner();
        }
      }
    } else if (each.kind() == MessageKind::kRefused && group.end.edit == 0) {
      throw base::UserError(path_.string() + ": " + std::string(each.value));
    }
  }
  view_->take(group);
  if (group.end.edit != 0) note(group);
}

void Editor::hear_answers() {
  Ring& answers = staging_->answers();
  do {
    answers.read(staged_);
    while (const std::optional<Group> group = staged_.take()) note(*group);
    if (answers.writer_waited()) wake_owner();
  } while (!answers.sleep());
}

// A later answer to the same edit takes back the earlier one, which promised a commit that failed.
void Editor::note(const Group& group) {
  Answer answer{group.end.edit, {}, {}, group.end.commit};
  for (const Message& each : group.messages) {
    if (each.kind() == MessageKind::kRefused) answer.refused = each.value;
    if (each.kind() != MessageKind::kMade) continue;
    answer.created.resize(each.value.size() / sizeof(ObjectId));
    std::memcpy(answer.created.data(), each.value.data(), answer.created.size() * sizeof(ObjectId));
  }
  answers_[answer.edit] = std::move(answer);
}

// Those whose commit is seen.
std::vector<Answer> Editor::answers_seen() {
  std::vector<Answer> seen;
  while (!answers_.empty()) {
    const auto first = answers_.begin();
    if (manner_.watches && first->second.accepted() && first->second.commit > view_->commit()) break;
    seen.push_back(std::move(first->second));
    answers_.erase(first);
    ++answered_;
  }
  return seen;
}

std::string Editor::gone() const {
  std::string text = path_.string() + ": its owner is gone";
  if (ended_) text += " (process " + std::to_string(pid_) + " has ended)";
  if (unanswered() != 0)
    text += "; edits without an answer: " + std::to_string(unanswered()) +
            "; connect again and look whether they were made";
  return text;
}

// --- Edits ---

std::uint64_t Editor::propose(Edit edit) {
  if (!open_ || ended_) throw base::UserError(gone());
  edit.group_.finish({0, proposed_ + 1});
  const std::string& bytes = edit.group_.bytes();
  if (bytes.size() > most_edit_bytes_)
    throw base::UserError(path_.string() + ": an edit of " + std::to_string(bytes.size()) +
                          " bytes; the owner takes at most " + std::to_string(most_edit_bytes_) +
                          ": propose it in parts");
  ++proposed_;
  if (manner_.values) {
    channel_.send(edit.group_, manner_.together);
  } else {
    stage(bytes);
    announce(edit.group_);
  }
  settle();
  return proposed_;
}

// Into the segment, as far as there is room, in their order.
void Editor::stage(std::string_view bytes) {
  if (staging_ && edits_.empty()) bytes.remove_prefix(staging_->edits().write(bytes));
  edits_.add(bytes);
  stage_kept();
}

void Editor::stage_kept() {
  while (staging_ && !edits_.empty() && !staging_->edits().wait_for_room())
    edits_.drop(staging_->edits().write(edits_.first()));
}

void Editor::announce(const Outgoing& group) {
  const bool sleeps = staging_ && staging_->edits().reader_slept();
  if (manner_.watches) {
    if (sleeps) wake_owner();
    return;
  }
  Outgoing announced;
  std::uint64_t object = 0;
  for (std::size_t i = 0; i < group.messages(); ++i) {
    const Head head = group.head(i);
    if (manner_.objects && head.object == object) continue;
    object = head.object;
    announced.add(MessageKind::kChanged, object, head.slot);
  }
  announced.finish({});
  channel_.send(announced, manner_.together);
}

void Editor::wake_owner() {
  Outgoing group;
  group.finish({});
  channel_.send(group, true);
}

void Editor::settle() {
  const bool waits = channel_.kept_bytes() != 0;
  if (waits == waits_for_room_) return;
  waits_for_room_ = waits;
  hear_of(epoll_, channel_.descriptor(), Heard::kSocket, EPOLL_CTL_MOD, waits ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

}  // namespace heddle::objectbase
