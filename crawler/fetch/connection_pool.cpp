#include "crawler/fetch/connection_pool.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace heddle::crawler {

// Moves it to `removed`, which is destroyed without the mutex: that closes sockets.
void ConnectionPool::remove(Place place, std::list<Idle>& removed) {
  const auto origin = by_origin_.find(place->origin);
  std::erase(origin->second, place);
  if (origin->second.empty()) by_origin_.erase(origin);
  removed.splice(removed.end(), idle_, place);
}

std::unique_ptr<Stream> ConnectionPool::take(const std::string& origin) {
  std::list<Idle> removed;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = by_origin_.find(origin);
    if (found == by_origin_.end()) return nullptr;
    remove(found->second.back(), removed);
  }
  if (removed.front().since + idle_time_ < pico::Clock::now()) return nullptr;  // so are all others of the origin
  return std::move(removed.front().stream);
}

void ConnectionPool::put(const std::string& origin, std::unique_ptr<Stream> stream) {
  const pico::Time now = pico::Clock::now();
  std::list<Idle> removed;  // outlives the lock
  const std::scoped_lock lock(mutex_);
  idle_.push_back({origin, std::move(stream), now});
  std::vector<Place>& of_origin = by_origin_[origin];
  of_origin.push_back(std::prev(idle_.end()));
  if (of_origin.size() > most_per_origin_) remove(of_origin.front(), removed);
  while (!idle_.empty() && (idle_.size() > most_ || idle_.front().since + idle_time_ < now))
    remove(idle_.begin(), removed);
}

void ConnectionPool::clear() {
  std::list<Idle> removed;  // outlives the lock
  const std::scoped_lock lock(mutex_);
  by_origin_.clear();
  removed.swap(idle_);
}

std::size_t ConnectionPool::size() const {
  const std::scoped_lock lock(mutex_);
  return idle_.size();
}

}  // namespace heddle::crawler
