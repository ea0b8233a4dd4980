#include "telemetry/machine.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace heddle::telemetry {
namespace {

class UsableCores : public testing::Test {
 protected:
  UsableCores() {
    std::filesystem::create_directories(folder_ / "fs/outer/inner");
    write("membership", "1:cpu:/elsewhere\n0::/outer/inner\n");
  }
  ~UsableCores() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  unsigned cores() const { return usable_cores(folder_ / "fs", folder_ / "membership"); }

  static unsigned of_mask() {
    cpu_set_t mask;
    EXPECT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
    return static_cast<unsigned>(CPU_COUNT(&mask));
  }

 private:
  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("cores." + std::to_string(getpid()));
};

TEST_F(UsableCores, AreThoseOfTheAffinityMaskWhereNoGroupHasAQuota) {
  EXPECT_EQ(cores(), of_mask());
  write("fs/outer/cpu.max", "max 100000\n");
  EXPECT_EQ(cores(), of_mask());
}

TEST_F(UsableCores, AreLimitedByTheTightestQuotaOnTheWayUp) {
  write("fs/outer/inner/cpu.max", "9900000 100000\n");
  EXPECT_EQ(cores(), std::min(99U, of_mask()));
  write("fs/outer/cpu.max", "150000 100000\n");
  EXPECT_EQ(cores(), 1U);
}

TEST_F(UsableCores, AreAtLeastOne) {
  write("fs/cpu.max", "20000 100000\n");
  EXPECT_EQ(cores(), 1U);
}

TEST_F(UsableCores, DoNotDependOnControlGroups) {
  write("membership", "1:cpu:/elsewhere\n");
  EXPECT_EQ(cores(), of_mask());
  EXPECT_EQ(usable_cores("/nonexistent", "/nonexistent"), of_mask());
}

}  // namespace
}  // namespace heddle::telemetry
