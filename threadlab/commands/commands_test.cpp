#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#include "threadlab/commands/decode_jpeg.hpp"
#include "threadlab/commands/load_file.hpp"
#include "threadlab/commands/paint.hpp"
#include "threadlab/commands/paint_all.hpp"
#include "threadlab/commands/parse.hpp"
#include "threadlab/commands/work.hpp"
#include "threadlab/testing/driver.hpp"
#include "threadlab/testing/pictures.hpp"

namespace heddle::threadlab {
namespace {

using Then = Step::Then;
using For = Step::For;

TEST(ThreadlabCommands, AFileIsLoadedBitByBit) {
  const std::string path = testing::TempDir() + "threadlab_" + std::to_string(getpid());
  const std::string text(200'000, 'x');
  std::ofstream(path) << text;
  auto memory = std::make_shared<Memory>("memory");
  auto load = driver_of<LoadFile>(path, memory);
  int parts = 0;
  Step step = load.part();
  for (; step.then != Then::kDone; step = load.part()) ++parts;
  unlink(path.c_str());
  EXPECT_EQ(step.error, "");
  EXPECT_GE(parts, 4);
  EXPECT_EQ(memory->bytes(), text);
  EXPECT_TRUE(memory->closed());
}

TEST(ThreadlabCommands, AFileThatIsNotThereIsAnError) {
  auto load = driver_of<LoadFile>("/no/such/file", std::make_shared<Memory>("memory"));
  EXPECT_EQ(load.run().error, "file: /no/such/file: No such file or directory");
}

TEST(ThreadlabCommands, AParserWaitsForMoreAndTakesWhatHasCome) {
  auto memory = std::make_shared<Memory>("memory");
  auto tree = std::make_shared<Tree>("tree");
  auto parse = driver_of<Parse>(Parse::Language::kHtml, memory, tree);
  Step step = parse.run();
  EXPECT_EQ(step.then, Then::kWait);
  EXPECT_EQ(step.data, memory.get());
  EXPECT_EQ(step.seen, memory->version());
  memory->append("<p><img src=a.jpg><p><img src=/b.jpg>" + std::string(10'000, ' ') + "<img src=a.jpg>", false);
  EXPECT_EQ(parse.run().then, Then::kWait);
  EXPECT_FALSE(tree->closed());
  memory->close();
  EXPECT_EQ(parse.run().error, "");
  EXPECT_EQ(tree->images("http://host/folder/page"),
            (std::vector<std::string>{"http://host/folder/a.jpg", "http://host/b.jpg"}));
}

TEST(ThreadlabCommands, TheBaseOfAPageCounts) {
  auto memory = std::make_shared<Memory>("memory", "<base href=//other/x/><img src=a.jpg>");
  auto tree = std::make_shared<Tree>("tree");
  EXPECT_EQ(driver_of<Parse>(Parse::Language::kHtml, memory, tree).run().error, "");
  EXPECT_EQ(tree->images("http://host/"), std::vector<std::string>{"http://other/x/a.jpg"});
}

TEST(ThreadlabCommands, WhatAParserReadsHasFailed) {
  auto memory = std::make_shared<Memory>("memory");
  memory->append("<p>", false);
  memory->close("it broke");
  auto tree = std::make_shared<Tree>("tree");
  EXPECT_EQ(driver_of<Parse>(Parse::Language::kHtml, memory, tree).run().error, "no_input: it broke");
}

TEST(ThreadlabCommands, RowsAreDecodedAsTheyArrive) {
  const std::string jpeg = make_jpeg(1, 300, 400, false);
  auto memory = std::make_shared<Memory>("memory");
  auto image = std::make_shared<Image>("image");
  auto decode = driver_of<DecodeJpeg>(memory, image);
  EXPECT_EQ(decode.run().then, Then::kWait);
  memory->append(std::string_view(jpeg).substr(0, jpeg.size() / 2), false);
  EXPECT_EQ(decode.run().waits_for, For::kOther);
  const Image::Extent half = image->extent(false);
  EXPECT_EQ(half.height, 400U);
  EXPECT_GT(half.rows, 100U);
  EXPECT_LT(half.rows, 300U);
  memory->append(std::string_view(jpeg).substr(jpeg.size() / 2), false);
  memory->close();
  EXPECT_EQ(decode.run().error, "");
  EXPECT_EQ(image->extent(false).rows, 400U);
  EXPECT_TRUE(image->closed());
}

TEST(ThreadlabCommands, APictureThatIsCutShortIsFilledUp) {
  const std::string jpeg = make_jpeg(1, 100, 100, false);
  auto memory = std::make_shared<Memory>("memory", std::string_view(jpeg).substr(0, jpeg.size() / 2));
  auto image = std::make_shared<Image>("image");
  EXPECT_EQ(driver_of<DecodeJpeg>(memory, image).run().error, "cut_short: the picture ends before its last row");
  EXPECT_EQ(image->extent(false).rows, 100U);
  EXPECT_FALSE(image->failed());
}

TEST(ThreadlabCommands, WhatIsNoPictureIsRefused) {
  auto image = std::make_shared<Image>("image");
  const Step step = driver_of<DecodeJpeg>(std::make_shared<Memory>("memory", "GIF89a"), image).run();
  EXPECT_EQ(step.error.substr(0, 10), "bad_jpeg: ");
  auto nothing = driver_of<DecodeJpeg>(std::make_shared<Memory>("memory", ""), image);
  EXPECT_NE(nothing.run().error, "");
}

class PaintTest : public testing::Test {
 protected:
  // Pixels that say which row and column they are.
  std::shared_ptr<Image> image(std::uint32_t width, std::uint32_t height, std::uint32_t rows) {
    auto made = std::make_shared<Image>("image");
    made->set_size(width, height, false);
    for (std::uint32_t y = 0; y < height; ++y)
      for (std::uint32_t x = 0; x < width; ++x) made->next_row(y)[x] = 0xff000000 | y << 8 | x;
    made->set_rows(rows, false);
    return made;
  }
  std::uint32_t at(std::uint32_t x, std::uint32_t y) { return canvas_->pixels()[y * 40 + x] | 0xff000000; }

  std::shared_ptr<Canvas> canvas_ = std::make_shared<Canvas>("canvas", 40, 30);
};

TEST_F(PaintTest, RowsArePaintedAsTheyAreDecoded) {
  auto picture = image(20, 10, 4);
  auto region = std::make_shared<Region>(canvas_, Rectangle{5, 6, 40, 30});
  auto paint = driver_of<PaintImage>(picture, region, PaintImage::Scale::kNot);
  EXPECT_EQ(paint.run().data, picture.get());
  EXPECT_EQ(at(5, 6), 0xff000000);
  EXPECT_EQ(at(24, 9), 0xff000313);
  EXPECT_EQ(at(24, 10), 0xffffffff);
  EXPECT_EQ(at(4, 6), 0xffffffff);
  picture->set_rows(10, false);
  EXPECT_EQ(paint.run().then, Then::kDone);
  EXPECT_EQ(at(24, 15), 0xff000913);
  EXPECT_EQ(at(24, 16), 0xffffffff);
}

TEST_F(PaintTest, WhatIsFittedKeepsItsProportions) {
  auto region = std::make_shared<Region>(canvas_, Rectangle{0, 0, 10, 20});
  EXPECT_EQ(driver_of<PaintImage>(image(20, 20, 20), region, PaintImage::Scale::kFit).run().then, Then::kDone);
  EXPECT_EQ(at(9, 9), 0xff001212);
  EXPECT_EQ(at(9, 10), 0xffffffff);
}

TEST_F(PaintTest, WhatIsOutsideTheCanvasIsCutOff) {
  auto region = std::make_shared<Region>(canvas_, Rectangle{35, 25, 100, 100});
  EXPECT_EQ(driver_of<PaintImage>(image(20, 20, 20), region, PaintImage::Scale::kNot).run().error, "");
  EXPECT_EQ(at(39, 29), 0xff000404);
  auto nothing = std::make_shared<Region>(canvas_, Rectangle{50, 50, 10, 10});
  EXPECT_EQ(driver_of<PaintImage>(image(20, 20, 20), nothing, PaintImage::Scale::kNot).run().then, Then::kDone);
}

TEST_F(PaintTest, RowsThatCameBeforeAFailureArePaintedWhoeverLooks) {
  auto picture = image(20, 10, 4);
  picture->close("it broke");
  auto region = std::make_shared<Region>(canvas_, Rectangle{0, 0, 40, 30});
  EXPECT_EQ(driver_of<PaintImage>(picture, region, PaintImage::Scale::kNot).run().error, "no_input: it broke");
  EXPECT_EQ(at(0, 3), 0xff000300);
}

TEST_F(PaintTest, RegionsThatMeetOverlap) {
  const Region one(canvas_, {0, 0, 10, 10});
  EXPECT_TRUE(one.overlaps(Region(canvas_, {9, 9, 5, 5})));
  EXPECT_FALSE(one.overlaps(Region(canvas_, {10, 0, 5, 5})));
  EXPECT_FALSE(one.overlaps(Region(std::make_shared<Canvas>("other", 40, 30), {0, 0, 10, 10})));
}

TEST_F(PaintTest, EachImageOfAPageHasThreeCommands) {
  auto tree = std::make_shared<Tree>("tree");
  auto page = std::make_shared<Memory>("page", "<img src=a.jpg><img src=b.jpg><img src=c.jpg>");
  EXPECT_EQ(driver_of<Parse>(Parse::Language::kHtml, page, tree).run().error, "");
  auto region = std::make_shared<Region>(canvas_, Rectangle{0, 0, 40, 30});
  auto all = driver_of<PaintAllImages>(tree, region, "http://host/", LoadUrl::Limits{});
  EXPECT_EQ(all.run().then, Then::kDone);
  ASSERT_EQ(all.spawned.size(), 9U);
  EXPECT_EQ(all.spawned[3]->kind(), "load_url");
  EXPECT_EQ(all.spawned[4]->reads(), all.spawned[3]->writes());
  EXPECT_EQ(all.spawned[5]->reads(), all.spawned[4]->writes());
  for (const std::size_t other : {2U, 8U})
    EXPECT_FALSE(all.spawned[5]->writes()[0]->overlaps(*all.spawned[other]->writes()[0]));
}

TEST(ThreadlabCommands, PrimesAreCountedABatchAtATime) {
  auto compute = driver_of<Compute>(0, 100, 30);
  int parts = 1;
  while (compute.part().then == Then::kReady) ++parts;
  EXPECT_EQ(parts, 4);
  EXPECT_EQ(compute.command().result(), "25");
  EXPECT_THROW(Compute("it", 0, 1, 0), std::invalid_argument);
  EXPECT_THROW(Compute("it", 2, 1, 1), std::invalid_argument);
  EXPECT_EQ(driver_of<Compute>(UINT64_MAX, UINT64_MAX, UINT64_MAX).run().then, Then::kDone);
}

TEST(ThreadlabCommands, CellsAreTouchedAsOftenAsWasSaid) {
  auto cells = std::make_shared<Cells>("cells", 5);
  auto touch = driver_of<Touch>(cells, Touch::Range{1, 3}, 10, 4);
  EXPECT_EQ(touch.run().then, Then::kDone);
  EXPECT_EQ(cells->result(), "30");
  EXPECT_THROW(Touch("it", cells, {3, 3}, 1, 1), std::invalid_argument);
  EXPECT_THROW(Touch("it", cells, {SIZE_MAX, 2}, 1, 1), std::invalid_argument);
}

TEST(ThreadlabCommands, ASleeperSaysUntilWhen) {
  auto sleep = driver_of<Sleep>(0.01);
  const base::Nanoseconds before = base::monotonic_ns();
  const Step step = sleep.part();
  EXPECT_EQ(step.waits_for, For::kTimer);
  EXPECT_GE(step.until, before + 10'000'000);
  while (sleep.part().then != Then::kDone) continue;
  EXPECT_GE(base::monotonic_ns(), step.until);
  EXPECT_THROW(Sleep("it", -1), std::invalid_argument);
}

}  // namespace
}  // namespace heddle::threadlab
