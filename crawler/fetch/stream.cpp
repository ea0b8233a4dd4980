#include "crawler/fetch/stream.hpp"

#include <sys/socket.h>

#include <cerrno>

namespace heddle::crawler {

bool PlainStream::quiet() {
  char byte = 0;
  return ::recv(socket_.descriptor(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
         (errno == EAGAIN || errno == EWOULDBLOCK);
}

}  // namespace heddle::crawler
