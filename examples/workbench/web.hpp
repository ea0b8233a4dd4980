// The Editor: a web page in which a user sees the objects, edits them, and sees at once what rules make of that.
//
// It speaks to this machine only, and to who knows the key: the address with the key sets a cookie, and without the
// cookie nothing is said. Requests that another site makes a browser send are refused: by the name that they ask for
// (Host), and by where they come from (Origin).
#pragma once

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "forms.hpp"
#include "objectbase/transport/editor.hpp"
#include "objectbase/transport/transport.hpp"
#include "objects.hpp"
#include "outline.hpp"
#include "reload.hpp"

namespace workbench {

struct WebOptions {
  std::filesystem::path store;
  heddle::objectbase::Transport transport = heddle::objectbase::Transport::kMapped;
  std::uint16_t port = 0;                            // 0: one that is free
  std::filesystem::path page;                        // the folder of its files
  bool stays = true;                                 // when the owner has gone: waits for another; otherwise it ends
  std::filesystem::path tree;                        // where files are edited elsewhere; empty: nowhere
  std::function<void(const std::string& line)> say;  // why one is not read in again
};

class Web {
 public:
  // Listens. Throws Error.
  explicit Web(WebOptions options);
  Web(const Web&) = delete;
  Web& operator=(const Web&) = delete;
  ~Web();

  // With the key.
  std::string address() const;
  // Until the owner has gone, if the options say so, or stop().
  void run();
  void stop();                                // called by any thread, and by handlers of signals
  event_base* base() { return base_.get(); }  // for signals

 private:
  struct Freed {
    void operator()(event_base* base) const { event_base_free(base); }
    void operator()(evhttp* server) const { evhttp_free(server); }
    void operator()(event* each) const { event_free(each); }
  };
  struct Open {
    evhttp_request* request;
    evhttp_connection* connection;
  };

  void listen();
  void read_page();
  void connect();
  void lose(const std::string& why);
  void look();
  void tell(const std::string& text);
  void watch_tree();
  void read_again();

  void handle(evhttp_request* request);
  bool may(evhttp_request* request, bool changes) const;
  bool has_key(evhttp_request* request) const;
  void let_in(evhttp_request* request);
  Open watched(evhttp_request* request);
  void forget(const evhttp_connection* closed);
  void open_stream(evhttp_request* request);
  void take_edit(evhttp_request* request);
  void reply(evhttp_request* request, int code, const std::string& type, const std::string& body) const;
  std::string state();

  WebOptions options_;
  std::unique_ptr<event_base, Freed> base_;
  std::unique_ptr<evhttp, Freed> server_;
  std::unique_ptr<event, Freed> news_;   // the editor's descriptor
  std::unique_ptr<event, Freed> again_;  // tries to connect, and says that all is well
  std::unique_ptr<event, Freed> stop_;
  int stops_ = -1;  // readable when it is to end
  std::uint16_t port_ = 0;
  std::string key_;
  struct File {
    std::string type;
    std::string body;
  };
  std::map<std::string, File> files_;
  std::unique_ptr<heddle::objectbase::Editor> editor_;
  std::optional<ShownObjects> shown_;  // by the editor
  Watched written_;                    // below the tree
  std::unique_ptr<event, Freed> tree_;
  Outliner outliner_;
  std::map<std::uint64_t, std::string> reloads_;              // edits without answer, and their files
  std::vector<Open> streams_;                                 // pages that are told of changes
  std::map<std::uint64_t, Open> waiting_;                     // edits without answer
  std::unordered_map<std::uint64_t, std::uint64_t> changed_;  // objects, and the commit in which the change was seen
  std::uint64_t started_at_ = 0;                              // the first commit that was seen
};

}  // namespace workbench
