#include "scheduler/admission/session_table.hpp"

#include <gtest/gtest.h>

#include <set>

namespace heddle::scheduler {
namespace {

using Table = SessionTable<std::set<int>>;

std::set<int> all_waiting(const Table& table, std::uintptr_t session) {
  std::set<int> all;
  table.for_each_cell(session,
                      [&all](const Table::Cell& cell) { all.insert(cell.waiting.begin(), cell.waiting.end()); });
  return all;
}

void remove(Table& table, std::uintptr_t session, ClassId klass, int value) {
  Table::Cell& cell = table.find_or_add(session, klass);
  cell.waiting.erase(value);
  if (cell.waiting.empty()) table.remove(cell);
}

TEST(AdmissionSessionTable, FindsAllClassesOfASessionAndNothingOfOthers) {
  Table table;
  table.find_or_add(0x100, 1).waiting.insert(1);
  table.find_or_add(0x100, 2).waiting.insert(2);
  table.find_or_add(0x140, 1).waiting.insert(3);
  EXPECT_EQ(all_waiting(table, 0x100), (std::set<int>{1, 2}));
  EXPECT_EQ(all_waiting(table, 0x140), (std::set<int>{3}));
  EXPECT_TRUE(all_waiting(table, 0x180).empty());
}

TEST(AdmissionSessionTable, KeepsEverythingWhileItGrows) {
  Table table;
  for (int i = 1; i <= 5000; ++i) table.find_or_add(static_cast<std::uintptr_t>(i) * 64, 1).waiting.insert(i);
  for (int i = 1; i <= 5000; ++i) {
    ASSERT_EQ(all_waiting(table, static_cast<std::uintptr_t>(i) * 64), (std::set<int>{i}));
  }
  for (int i = 1; i <= 5000; ++i) remove(table, static_cast<std::uintptr_t>(i) * 64, 1, i);
  EXPECT_TRUE(table.empty());
}

TEST(AdmissionSessionTable, UsesEmptiedCellsAgain) {
  Table table;
  for (int i = 1; i <= 1000; ++i) {
    table.find_or_add(static_cast<std::uintptr_t>(i) * 64, 1).waiting.insert(i);
    remove(table, static_cast<std::uintptr_t>(i) * 64, 1, i);
  }
  EXPECT_EQ(table.cells_ever_made(), 1U);
}

}  // namespace
}  // namespace heddle::scheduler
