// What Redis does for the frontier: one script in Lua, which a call runs whole and beside nothing else.
//
// Keys, all behind the prefix that is KEYS[1]. A URL is named by its 16 bytes of url_key.hpp, a host by its origin.
//
//   meta            hash    version of the layout, secret of the URL keys, a random name of the crawl
//   n               hash    counts: known, pages, places, links, leases; q, w, l (queued, waiting, leased) and the same
//                           of each depth ("q3"); clock, and Redis's time when it was told last (wall)
//   u<number>       hash    2^18 of them, chosen by the key's first 18 bits; the rest of the key -> "L" and how it
//                           was found, for a URL that is to be done, else "d" and the flags with which it was done.
//                           Small hashes are lists of bytes in Redis, so that a URL that is done costs some twenty
//                           bytes and its key
//   jobs            hash    key -> the row of a URL that is to be done (the script's first lines say what is in it)
//   q<depth>:<host> list    keys of queued URLs, in the order in which they were found; some may have moved since
//   w<depth>:<host> zset    keys of waiting URLs by the time when they are due
//   hq<depth>       zset    hosts that may have queued URLs there, by the time when it is worth a look
//   hw<depth>       zset    the same for waiting ones
//   owner           hash    host -> the session that may ask it
//   busy            zset    hosts that nobody may ask yet, by the time when one may
//   sessions        zset    processes by the time when their leases end
//   hungry          zset    those that asked for hosts in vain, by the time when they did
//   session:<name>  hash    number of the last exchange, pause of a host whose owner died
//   remembered      zset    sessions by the time when these may go
//   held:<session>  set     keys that it has leased
//   hosts:<session> set     hosts that it owns
//   broken          list    for link checks: keys that are broken
//   what            hash    key -> what is wrong with it, and its URL
//   page            hash    number of a page -> its URL; and its key -> its number
//   l<key>          set     numbers of the pages that link to a URL
//
// Times are milliseconds of a clock that follows Redis's but for its steps (tell_time()). A request and its reply are
// one MessagePack map each (redis_frontier.cpp).
#pragma once

#include <string_view>

namespace heddle::crawler {

extern const std::string_view kRedisScript;

}  // namespace heddle::crawler
