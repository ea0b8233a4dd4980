// Connections that are open and carry no request now. Any worker may put one in and take one out.
//
// Nobody watches them: a connection that its server has closed meanwhile is found out when it is taken (quiet()), and
// those that are too old are closed when others come in.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "crawler/fetch/stream.hpp"
#include "pico/time.hpp"

namespace heddle::crawler {

class ConnectionPool {
 public:
  ConnectionPool(std::size_t most, std::size_t most_per_origin, std::chrono::milliseconds idle_time)
      : most_(most), most_per_origin_(most_per_origin), idle_time_(idle_time) {}

  // The one that was used last, so that the others grow old; null if there is none.
  std::unique_ptr<Stream> take(const std::string& origin);
  void put(const std::string& origin, std::unique_ptr<Stream> stream);
  // Closes all; when descriptors run short.
  void clear();
  std::size_t size() const;

 private:
  struct Idle {
    std::string origin;
    std::unique_ptr<Stream> stream;
    pico::Time since;
  };
  using Place = std::list<Idle>::iterator;

  void remove(Place place, std::list<Idle>& removed);

  const std::size_t most_;
  const std::size_t most_per_origin_;
  const std::chrono::milliseconds idle_time_;

  mutable std::mutex mutex_;                                       // guards what follows
  std::list<Idle> idle_;                                           // the oldest first
  std::unordered_map<std::string, std::vector<Place>> by_origin_;  // in the same order
};

}  // namespace heddle::crawler
