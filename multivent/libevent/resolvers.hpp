// Of evdns, what event_assign() has to know (resolvers.cpp).
#pragma once

namespace heddle::multivent::resolvers {

// An event is made with this function and argument: the timeout of the query that this thread is making?
void assigned(const void* function, const void* argument);

}  // namespace heddle::multivent::resolvers
