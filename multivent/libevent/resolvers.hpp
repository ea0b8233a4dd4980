// What event_assign() has to tell the part for evdns (resolvers.cpp).
#pragma once

namespace heddle::multivent::resolvers {

// An event is assigned with this function and argument. If libevent does that while this thread is making a query, the
// event is the query's timeout.
void assigned(const void* function, const void* argument);

}  // namespace heddle::multivent::resolvers
