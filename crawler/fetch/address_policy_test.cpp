#include "crawler/fetch/address_policy.hpp"

#include <gtest/gtest.h>

#include <string>

namespace heddle::crawler {
namespace {

bool is_private_number(const std::string& number) { return is_private(pico::Endpoint::of_ip(number, 80)); }

TEST(AddressPolicy, PrivateAddressesAreKnown) {
  for (const char* number : {"0.0.0.0",
                             "0.255.1.2",
                             "10.0.0.1",
                             "10.255.255.255",
                             "100.64.0.1",
                             "100.127.255.255",
                             "127.0.0.1",
                             "127.255.255.254",
                             "169.254.169.254",
                             "172.16.0.1",
                             "172.31.255.255",
                             "192.0.0.8",
                             "192.168.0.1",
                             "192.168.255.255",
                             "198.18.0.1",
                             "198.19.255.255",
                             "224.0.0.1",
                             "239.255.255.255",
                             "240.0.0.1",
                             "255.255.255.255",
                             "::",
                             "::1",
                             "::127.0.0.1",
                             "::8.8.8.8",
                             "::ffff:127.0.0.1",
                             "::ffff:10.1.2.3",
                             "::ffff:0.0.0.0",
                             "64:ff9b::10.0.0.1",
                             "64:ff9b:1::1",
                             "fe80::1",
                             "febf::1",
                             "fec0::1",
                             "fc00::1",
                             "fdff::1",
                             "ff02::1",
                             "2002:7f00:1::",
                             "2002:c0a8:101::1",
                             "2001::1",
                             "2001:10::1",
                             "100::1",
                             "4000::1"})
    EXPECT_TRUE(is_private_number(number)) << number;
}

TEST(AddressPolicy, PublicAddressesAreKnown) {
  for (const char* number :
       {"1.1.1.1",        "8.8.8.8",          "9.255.255.255",   "11.0.0.0",        "100.63.255.255",
        "100.128.0.0",    "126.255.255.255",  "128.0.0.0",       "169.253.255.255", "169.255.0.0",
        "172.15.255.255", "172.32.0.0",       "192.0.1.0",       "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0",       "223.255.255.255", "2606:4700::1111", "2a00::1",
        "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1"})
    EXPECT_FALSE(is_private_number(number)) << number;
}

TEST(AddressPolicy, AGivenOriginIsExemptAndNoOther) {
  const PublicAddresses policy({{"http", "127.0.0.1", 8080}, {"http", "localhost", 80}});
  const pico::Endpoint loopback = pico::Endpoint::of_ip("127.0.0.1", 8080);
  EXPECT_TRUE(policy.allows({"http", "127.0.0.1", 8080}, loopback));
  EXPECT_TRUE(policy.allows({"http", "localhost", 80}, loopback));
  EXPECT_FALSE(policy.allows({"http", "127.0.0.1", 8081}, loopback));
  EXPECT_FALSE(policy.allows({"https", "127.0.0.1", 8080}, loopback));
  EXPECT_FALSE(policy.allows({"http", "rebound.example", 80}, loopback));
  EXPECT_TRUE(policy.allows({"http", "rebound.example", 80}, pico::Endpoint::of_ip("8.8.8.8", 80)));
}

TEST(AddressPolicy, UnixSocketsArePrivate) { EXPECT_TRUE(is_private(pico::Endpoint::of_path("/tmp/socket"))); }

}  // namespace
}  // namespace heddle::crawler
