// Most addresses on a page are relative to one and the same base: this one is taken apart once. And most are plain:
// they have nothing in them that the URL standard changes, so that base and address put together are the normal form.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "crawler/parse/url.hpp"

namespace heddle::crawler {

// Used by one thread at a time.
class UrlBase {
 public:
  explicit UrlBase(const Url& url);
  ~UrlBase();

  // As Url::parse(text, base).
  std::optional<Url> resolve(std::string_view text) const;

 private:
  friend class Url;
  struct Parsed;
  static std::optional<Url> parse(std::string_view text, const Parsed* base);
  std::optional<Url> resolve_plain(std::string_view text) const;
  const Parsed* parsed() const;

  Url url_;
  std::size_t segment_begin_ = 0;           // of the last one of the path
  mutable std::unique_ptr<Parsed> parsed_;  // once an address needs it that is not plain
};

}  // namespace heddle::crawler
