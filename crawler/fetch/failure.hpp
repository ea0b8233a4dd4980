// How the parts of the client say among themselves why a request ends without a whole answer.
#pragma once

#include <stdexcept>
#include <string>

#include "crawler/fetch/answer.hpp"

namespace heddle::crawler {

class Failure : public std::runtime_error {
 public:
  Failure(FetchError error, const std::string& detail) : std::runtime_error(detail), error_(error) {}
  FetchError error() const { return error_; }

 private:
  FetchError error_;
};

}  // namespace heddle::crawler
