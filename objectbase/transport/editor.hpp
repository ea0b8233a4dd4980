// The side that shows objects and proposes changes. What it sees is one state of all objects, which changes only when
// it asks for news; so it never shows a mixture of before and after, and can compare both.
//
//   Editor editor(path, Transport::kMapped);
//   while (editor.wait(-1)) {             // or when editor.descriptor() is readable
//     const News news = editor.receive();
//     for (const ObjectId id : news.objects) show(id, editor.get(id, text));
//   }
//
// The first news that it gets are all objects. An editor is used by one thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "objectbase/objectbase.hpp"
#include "objectbase/transport/channel.hpp"
#include "objectbase/transport/edit.hpp"
#include "objectbase/transport/message.hpp"
#include "objectbase/transport/staging.hpp"
#include "objectbase/transport/transport.hpp"
#include "objectbase/transport/view.hpp"
#include "objectbase/transport/waiting.hpp"

namespace heddle::objectbase {

class Editor {
 public:
  // Of the store's owner, which uses the same transport. Throws base::UserError: there is no owner.
  Editor(const std::filesystem::path& store, Transport transport);
  Editor(const Editor&) = delete;
  Editor& operator=(const Editor&) = delete;
  ~Editor() = default;

  // Readable when there may be news: poll, epoll, libevent.
  int descriptor() const { return epoll_.number(); }
  // Waits for that up to so many milliseconds, for ever if negative; false if none came.
  bool wait(int timeout_ms);
  // What is new, and from now on seen; perhaps nothing. When the owner is gone and all that it said has been returned,
  // throws base::UserError; what is seen stays.
  News receive();
  bool ready() const { return ready_; }  // the first state has arrived

  // An edit of the state that is seen now.
  Edit edit() const { return Edit(view_->commit()); }
  // Returns its number, which its answer will have. Throws base::UserError: it is larger than the owner allows, or the
  // owner is gone.
  std::uint64_t propose(Edit edit);
  std::size_t unanswered() const { return static_cast<std::size_t>(proposed_ - answered_); }

  // What is seen. Text and bytes are valid until the next receive().
  std::uint32_t type(ObjectId id) const { return view_->type(id); }  // its class's number; 0: there is no such object
  Value get(ObjectId id, unsigned slot) const { return view_->get(id, slot); }
  void each(const std::function<void(ObjectId)>& call) const { view_->each(call); }  // by their numbers
  std::optional<Form> form(std::string_view name) const { return view_->form(name); }
  std::optional<Form> form(std::uint32_t number) const { return view_->form(number); }
  std::uint64_t commit() const { return view_->commit(); }  // the number of the commit that is seen

  // Sent to the owner; and what woke this side without a message of the owner's.
  Traffic traffic() const;

 private:
  void look(int timeout_ms);
  void hear(const Group& group);
  void hear_answers();
  void note(const Group& group);
  std::vector<Answer> answers_seen();
  void stage(std::string_view bytes);
  void stage_kept();
  void announce(const Outgoing& group);
  void wake_owner();
  void settle();
  std::string gone() const;

  std::filesystem::path path_;
  Manner manner_;
  Channel channel_;
  std::unique_ptr<View> view_;
  Descriptor epoll_;
  Waiting waiting_;
  pid_t pid_ = 0;
  Descriptor process_;
  Inbox said_;    // by the socket
  Inbox staged_;  // answers in the segment
  std::optional<Staging> staging_;
  Backlog edits_;  // for which the segment has no room
  std::uint64_t most_edit_bytes_ = std::uint64_t{16} << 20;
  std::uint64_t proposed_ = 0;
  std::uint64_t answered_ = 0;
  std::map<std::uint64_t, Answer> answers_;  // not yet returned
  std::uint64_t woken_ = 0;
  bool looked_ = false;  // the following are what epoll has said
  bool socket_ready_ = false;
  bool watch_ready_ = false;
  bool open_ = true;
  bool ended_ = false;  // the owner's process
  bool ready_ = false;
  bool waits_for_room_ = false;
};

}  // namespace heddle::objectbase
