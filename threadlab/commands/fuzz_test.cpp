// Damaged pictures and pages, in pieces of any size: whatever comes, a command ends, and what it makes does not depend
// on the pieces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>

#include "threadlab/commands/decode_jpeg.hpp"
#include "threadlab/commands/paint.hpp"
#include "threadlab/commands/parse.hpp"
#include "threadlab/testing/driver.hpp"
#include "threadlab/testing/pictures.hpp"

namespace heddle::threadlab {
namespace {

int rounds() {
  const char* const given = std::getenv("HEDDLE_FUZZ_ROUNDS");
  return 150 * (given != nullptr ? std::max(1, std::atoi(given)) : 1);
}

std::uint32_t below(std::mt19937& random, std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); }

std::string damaged(std::string text, std::mt19937& random) {
  const auto any = [&random](std::size_t below) { return below > 0 ? random() % below : 0; };
  for (std::size_t times = random() % 6; times > 0 && !text.empty(); --times) {
    const std::size_t at = any(text.size());
    switch (random() % 5) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.insert(at, text.substr(any(text.size()), any(300)));
        break;
      case 2:
        text.erase(at, any(100));
        break;
      case 3:
        text.resize(at);
        break;
      default:
        text.insert(at, 1, '\xff');
        break;
    }
  }
  return text;
}

// Feeds a command in pieces. What came of it: the error, then what it made.
template <class Make>
std::string outcome(const std::string& text, Make make, std::mt19937* random) {
  auto memory = std::make_shared<Memory>("memory");
  const auto [driver, made] = make(memory);
  std::size_t at = 0;
  for (int parts = 0; parts < 1'000'000; ++parts) {
    const Step step = driver->part();
    if (step.then == Step::Then::kDone) {
      made->close(step.error);
      return step.error + " " + made->result();
    }
    // It waits for the memory area, and for nothing else.
    if (step.then == Step::Then::kWait && (step.data != memory.get() || memory->closed()))
      return "waits for what does not come";
    if (step.then != Step::Then::kWait && (random == nullptr || (*random)() % 2 == 0)) continue;
    if (at == text.size()) {
      memory->close();
      continue;
    }
    const std::size_t count =
        random != nullptr ? std::min(text.size() - at, std::size_t{1} + (*random)() % 3000) : text.size();
    memory->append(std::string_view(text).substr(at, count), false);
    at += count;
  }
  return "never ends";
}

TEST(ThreadlabFuzz, PicturesComeOutTheSameInAnyPieces) {
  std::mt19937 random(1);
  const auto make = [](const std::shared_ptr<Memory>& memory) {
    auto image = std::make_shared<Image>("image");
    return std::pair(std::make_unique<Driver<DecodeJpeg>>(std::make_unique<DecodeJpeg>("it", memory, image)), image);
  };
  int errors = 0;
  for (int i = 0; i < rounds(); ++i) {
    const std::string jpeg = damaged(
        make_jpeg(below(random, 99), 1 + below(random, 200), 1 + below(random, 200), random() % 2 == 0), random);
    const std::string whole = outcome(jpeg, make, nullptr);
    ASSERT_EQ(outcome(jpeg, make, &random), whole) << "round " << i;
    if (whole[0] != ' ') ++errors;
  }
  EXPECT_GT(errors, rounds() / 4);  // and some come out well
  EXPECT_LT(errors, rounds());
}

TEST(ThreadlabFuzz, PagesComeOutTheSameInAnyPieces) {
  std::mt19937 random(2);
  for (const auto language : {Parse::Language::kHtml, Parse::Language::kXml}) {
    const auto make = [language](const std::shared_ptr<Memory>& memory) {
      auto tree = std::make_shared<Tree>("tree");
      return std::pair(std::make_unique<Driver<Parse>>(std::make_unique<Parse>("it", language, memory, tree)), tree);
    };
    for (int i = 0; i < rounds(); ++i) {
      std::string page = "<?xml version='1.0'?><html><head><title>t\xc3\xa9</title></head><body>";
      for (std::size_t n = random() % 500; n > 0; --n)
        page += "<p class='c'>text &amp; more<img src='a" + std::to_string(n) + ".jpg'/></p><!-- c -->";
      const std::string text = damaged(page + "</body></html>", random);
      ASSERT_EQ(outcome(text, make, &random), outcome(text, make, nullptr)) << "round " << i;
    }
  }
}

TEST(ThreadlabFuzz, WhatIsPaintedDoesNotDependOnHowManyRowsThereWere) {
  std::mt19937 random(3);
  for (int i = 0; i < rounds(); ++i) {
    const std::uint32_t width = 1 + below(random, 150);
    const std::uint32_t height = 1 + below(random, 150);
    const Rectangle at{below(random, 60), below(random, 60), below(random, 60), below(random, 60)};
    const auto scale = random() % 2 == 0 ? PaintImage::Scale::kFit : PaintImage::Scale::kNot;
    const auto paint = [&](bool in_pieces) {
      auto image = std::make_shared<Image>("image");
      auto canvas = std::make_shared<Canvas>("canvas", 50, 50);
      auto driver = driver_of<PaintImage>(image, std::make_shared<Region>(canvas, at), scale);
      image->set_size(width, height, false);
      for (std::uint32_t row = 0; row < height; ++row) {
        for (std::uint32_t x = 0; x < width; ++x) image->next_row(row)[x] = 0xff000000 | row << 12 | x;
        image->set_rows(row + 1, false);
        if (in_pieces && random() % 3 == 0 && driver.run().then == Step::Then::kDone) return canvas->digest();
      }
      image->close();
      EXPECT_EQ(driver.run().then, Step::Then::kDone);
      return canvas->digest();
    };
    ASSERT_EQ(paint(true), paint(false)) << "round " << i;
  }
}

}  // namespace
}  // namespace heddle::threadlab
