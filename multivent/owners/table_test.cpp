// What the table of owners says of a server's connections that were open before a crew came, asked directly.
#include <dlfcn.h>
#include <event2/event.h>
#include <event2/http.h>

// It uses enumerations of the one above.
#include <event2/http_struct.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "multivent/owners/owners.hpp"

namespace heddle::multivent {
namespace {

using Functions = std::set<const void*>;

// A server with two routes, and a connection of it. Nothing is asked of them but their addresses and public fields.
class ServersConnection : public ::testing::Test {
 protected:
  ServersConnection() {
    owners_.made(server(), /*apart=*/true);
    owners_.also_routes(server(), "/one", one(), nullptr);
    owners_.also_routes(server(), "/other", other(), nullptr);
    for (evhttp_request& request : requests_) {
      request.cb = reinterpret_cast<void (*)(evhttp_request*, void*)>(libevents_);
      request.cb_arg = server();
    }
  }

  void opens() {
    owners_.made(carrier_);
    owners_.made(connection(), &carrier_, /*of_server=*/true, /*followed=*/owners_.crew_came());
    carrier_.readcb = reinterpret_cast<bufferevent_data_cb>(libevents_);
    carrier_.cbarg = connection();
  }
  void waits_for(evhttp_request& request, bool by_itself = true) {
    owners_.works_on(connection(), &request, by_itself);
  }
  void serves(evhttp_request& request, const void* route) { owners_.serves(&request, {route, nullptr}); }

  // The calls that writing may go on to; nothing if that is unknown.
  Functions writing() {
    event_callback& callback = carrier_.ev_write.ev_evcallback;
    callback.evcb_flags = EVLIST_INIT;
    callback.evcb_arg = &carrier_;
    callback.evcb_cb_union.evcb_callback = reinterpret_cast<event_callback_fn>(libevents_);
    Owners::Duty duty;
    if (!owners_.find(callback, duty) || duty.only_served) return {};
    Functions found;
    for (const auto& callbacks : {duty.callbacks, duty.one_of})
      for (const Owners::Callback& each : callbacks) found.insert(each.function);
    return found;
  }

  static void first() {}
  static void second() {}
  static const void* one() { return reinterpret_cast<const void*>(first); }
  static const void* other() { return reinterpret_cast<const void*>(second); }
  evhttp* server() { return reinterpret_cast<evhttp*>(&places_[0]); }
  evhttp_connection* connection() { return reinterpret_cast<evhttp_connection*>(&places_[1]); }

  bufferevent& carrier() { return carrier_; }

  Owners owners_;
  std::array<evhttp_request, 3> requests_{};

 private:
  std::array<int, 2> places_{};
  bufferevent carrier_{};
  void* const libevents_ = dlsym(RTLD_DEFAULT, "evbuffer_new");  // any function of libevent's
};

TEST_F(ServersConnection, IsUnknownUntilItsNextRequestIfItWasOpenBeforeACrewCame) {
  opens();
  waits_for(requests_[0]);
  EXPECT_EQ(writing(), Functions());
  EXPECT_FALSE(owners_.any_requests());
  owners_.crew_comes();
  serves(requests_[0], one());
  EXPECT_EQ(writing(), Functions());
  owners_.done_with(&requests_[0]);
  waits_for(requests_[1]);
  EXPECT_EQ(writing(), (Functions{one(), other()}));  // which routes it has had is not known
  serves(requests_[1], other());
  EXPECT_EQ(writing(), Functions{other()});
  owners_.done_with(&requests_[1]);
  waits_for(requests_[2]);
  EXPECT_EQ(writing(), (Functions{one(), other()}));
}

TEST_F(ServersConnection, IsFollowedFromTheFirstIfACrewHasCome) {
  owners_.crew_comes();
  opens();
  waits_for(requests_[0]);
  serves(requests_[0], one());
  EXPECT_EQ(writing(), Functions{one()});
  owners_.done_with(&requests_[0]);
  waits_for(requests_[1]);
  EXPECT_EQ(writing(), Functions{one()});  // the route that it has had
}

TEST_F(ServersConnection, StaysUnknownIfTheProgramHasMadeRequestsOnIt) {
  opens();
  waits_for(requests_[0]);
  waits_for(requests_[1], /*by_itself=*/false);
  owners_.crew_comes();
  waits_for(requests_[2]);
  EXPECT_EQ(writing(), Functions());
}

TEST_F(ServersConnection, IsForgottenWhenItEndsAndNothingOfItIsFoundInTheNextAtItsPlace) {
  opens();
  waits_for(requests_[0]);
  EXPECT_TRUE(owners_.ends(connection()));
  owners_.remember(carrier());
  EXPECT_EQ(owners_.strand_of(connection()), 0U);
  owners_.forget(&carrier());
  EXPECT_EQ(owners_.strand_of(&carrier()), 0U);
  owners_.crew_comes();
  opens();
  waits_for(requests_[0]);
  serves(requests_[0], other());
  EXPECT_EQ(writing(), Functions{other()});
}

}  // namespace
}  // namespace heddle::multivent
