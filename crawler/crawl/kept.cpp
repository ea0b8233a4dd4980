// What is kept of an answer that came before its URL's turn (Frontier::keep()): all that its record and its links need,
// and neither body nor headers. MessagePack, an array in the order of keep().
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/user_error.hpp"
#include "crawler/crawl/visit.hpp"

namespace heddle::crawler {

std::string Crawl::Visit::keep() const {
  nlohmann::json leads_to = nlohmann::json::array();
  for (const Target& target : targets) leads_to.push_back({target.url.text(), target.flags});
  const nlohmann::json all = {
      asked,           method == Method::kHead, error,        answer.status, static_cast<int>(answer.error),
      answer.location, answer.media_type,       answer_bytes, digest,        links,
      time.count(),    std::move(leads_to)};
  std::string bytes;
  nlohmann::json::to_msgpack(all, bytes);
  return bytes;
}

void Crawl::Visit::restore(std::string_view kept) try {
  const nlohmann::json all = nlohmann::json::from_msgpack(kept);
  asked = all.at(0);
  method = all.at(1) ? Method::kHead : Method::kGet;
  error = all.at(2);
  answer.status = all.at(3);
  answer.error = static_cast<FetchError>(all.at(4).get<int>());
  answer.location = all.at(5);
  answer.media_type = all.at(6);
  answer_bytes = all.at(7);
  digest = all.at(8);
  links = all.at(9);
  time = std::chrono::nanoseconds(all.at(10).get<std::int64_t>());
  for (const nlohmann::json& each : all.at(11))
    add_link(Url::of_normal_form(each.at(0).get<std::string>()), each.at(1).get<JobFlags>());
} catch (const nlohmann::json::exception&) {
  throw base::UserError("the state of the crawl is damaged: remove its folder, or begin in another one");
}

}  // namespace heddle::crawler
