// For tests: a small `constraints` document in the shape of the schema.
//
// Handlers 0 on_lookup, 1 on_store, 2 on_render (session: at offset 16 of its object), 3 on_stats (argument always
// null). lookup and store conflict always on cache.lru; render conflicts with itself in one session; stats reads only.
#pragma once

#include <string>

namespace heddle::multivent {

inline std::string sample_constraints(const std::string& build_id) {
  const auto handler = [](int id, const char* name, const char* kind, int offset) {
    return R"({"id": )" + std::to_string(id) + R"(, "name": ")" + name +
           R"(", "file": "server.c", "line": 10, "kind": "event", "session": {"kind": ")" + kind + R"(", "offset": )" +
           std::to_string(offset) +
           R"(, "links": [{"field": "client->next", "type": "client"}]}, "registrations": [],
"dispatch": [{"function": "serve", "argument": "client->arg"}]})";
  };
  const auto access = [](int id, int owner, int object, const char* mode) {
    return R"({"id": )" + std::to_string(id) + R"(, "handler": )" + std::to_string(owner) + R"(, "object": )" +
           std::to_string(object) + R"(, "mode": ")" + mode +
           R"(", "root": "global", "alias": ["cache.lru"], "alias_root": "global", "alias_exact": false,
"taken_in": "find", "by": "free", "path": [{"function": "f", "file": "server.c", "line": 12}]})";
  };
  const auto pair = [](int a, int b, const char* verdict, const std::string& conflicts) {
    return R"({"a": )" + std::to_string(a) + R"(, "b": )" + std::to_string(b) + R"(, "verdict": ")" + verdict +
           R"(", "conflicts": [)" + conflicts + "]}";
  };
  const std::string on_lru = R"({"object": 0, "verdict": "always", "a_access": 0, "b_access": 1})";
  const std::string on_pixels = R"({"object": 1, "verdict": "session", "a_access": 2, "b_access": 2})";
  return R"({"schema": "heddle/constraints", "version": 3, "tool": {"name": "elyze", "version": "0.1.0"},
"program": {"name": "server", "build_id": ")" +
         build_id + R"("},
"handlers": [)" +
         handler(0, "on_lookup", "object", 0) + "," + handler(1, "on_store", "object", 0) + "," +
         handler(2, "on_render", "object", 16) + "," + handler(3, "on_stats", "null", 0) + R"(],
"objects": [{"id": 0, "name": "cache.lru", "kind": "global", "file": "cache.c", "line": 9,
  "variable": {"name": "cache", "file": "cache.c", "line": 9, "function": "find"},
  "value": {"kind": "pointer", "type": "struct entry *", "bytes": 8},
  "use": {"complete": true, "reads": 1, "adds": 0, "sets": 1, "constants": 0, "calls": 0, "atomics": 0, "tested": true,
    "first_use": false, "before_loop": false, "functions": ["find"]}}, {"id": 1, "name": "job->pixels", "kind": "field"}],
"accesses": [)" +
         access(0, 0, 0, "read") + "," + access(1, 1, 0, "write") + "," + access(2, 2, 1, "write") + R"(],
"pairs": [)" +
         pair(0, 0, "never", "") + "," + pair(0, 1, "always", on_lru) + "," + pair(0, 2, "session", on_pixels) + "," +
         pair(1, 2, "never", "") + "," + pair(2, 2, "session", on_pixels) + "," + pair(0, 3, "never", "") + "," +
         pair(1, 3, "never", "") + "," + pair(2, 3, "never", "") + "," + pair(3, 3, "session", "") + R"(],
"assumptions": [], "names": {"_ZNK6Server5serveEv": "Server::serve() const"}})";
}

}  // namespace heddle::multivent
