#include "threadlab/commands/decode_jpeg.hpp"

#include <csetjmp>
#include <cstdio>
// libjpeg's header needs the two above.
#include <jpeglib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace heddle::threadlab {
namespace {

constexpr std::size_t kInput = 16384;  // taken over at once
constexpr std::uint32_t kRowsPerPart = 64;

}  // namespace

// libjpeg ends a call that fails by longjmp(), which runs no destructors: between setjmp() and the calls of libjpeg no
// object is made that has one.
class DecodeJpeg::Decoder {
 public:
  enum class Progress : std::uint8_t { kNeedsMore, kHasMore, kDone, kFailed };

  Decoder() {
    info_.err = jpeg_std_error(&errors_.base);
    errors_.base.error_exit = &Decoder::on_error;
    errors_.base.emit_message = &Decoder::on_message;
    errors_.base.output_message = [](j_common_ptr) {};
    if (setjmp(errors_.jump) != 0) {
      failed_ = true;
      return;
    }
    jpeg_create_decompress(&info_);
    info_.client_data = this;
    info_.src = &source_;
    info_.progress = &progress_;
    progress_.progress_monitor = &Decoder::on_progress;
    source_.init_source = [](j_decompress_ptr) {};
    source_.fill_input_buffer = &Decoder::on_empty;
    source_.skip_input_data = &Decoder::on_skip;
    source_.resync_to_restart = &jpeg_resync_to_restart;
    source_.term_source = [](j_decompress_ptr) {};
    source_.next_input_byte = nullptr;
    source_.bytes_in_buffer = 0;
  }
  ~Decoder() { jpeg_destroy_decompress(&info_); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  // Takes what has arrived; false if that is nothing new.
  bool take(Memory& from, bool locks) {
    const std::size_t skipped = std::min(skip_, input_.size() - used());
    skip_ -= skipped;
    std::vector<JOCTET>& rest = spare_;
    rest.assign(input_.begin() + static_cast<std::ptrdiff_t>(used() + skipped), input_.end());
    input_.swap(rest);
    const std::size_t kept = input_.size();
    input_.resize(kept + kInput);
    std::size_t count = 0;
    do {  // what is to be skipped needs not be kept
      count = from.read(at_, reinterpret_cast<char*>(input_.data() + kept), kInput, locks);
      at_ += count;
      const std::size_t over = kept == 0 ? std::min(skip_, count) : 0;
      skip_ -= over;
      if (over > 0) std::memmove(input_.data(), input_.data() + over, count - over);
      if (count == 0 || over < count) {
        input_.resize(kept + count - over);
        break;
      }
    } while (true);
    source_.next_input_byte = input_.data();
    source_.bytes_in_buffer = input_.size();
    return count > 0;
  }

  // There is no more: libjpeg is told that the picture ends here, and fills it up.
  void set_complete() { complete_ = true; }
  bool complete() const { return complete_; }

  // Does a part. `rows` of the image are filled when it returns.
  Progress advance(Image& into, std::uint32_t& rows, bool locks) {
    if (failed_) return Progress::kFailed;
    if (setjmp(errors_.jump) != 0) {
      failed_ = true;
      return Progress::kFailed;
    }
    if (stage_ == kHeader) {
      if (jpeg_read_header(&info_, TRUE) == JPEG_SUSPENDED) return Progress::kNeedsMore;
      if (std::uint64_t{info_.image_width} * info_.image_height > kMostPixels)
        return refuse("too_large: too many pixels");
      info_.out_color_space = JCS_EXT_BGRX;  // CMYK is not converted to it: libjpeg says so
      info_.dct_method = JDCT_ISLOW;
      stage_ = kStart;
    }
    if (stage_ == kStart) {
      if (!jpeg_start_decompress(&info_)) return Progress::kNeedsMore;
      into.set_size(info_.output_width, info_.output_height, locks);
      stage_ = kRows;
    }
    for (std::uint32_t i = 0; i < kRowsPerPart && info_.output_scanline < info_.output_height; ++i) {
      const std::uint32_t row = info_.output_scanline;
      JSAMPROW line = reinterpret_cast<JSAMPROW>(into.next_row(row).data());
      if (jpeg_read_scanlines(&info_, &line, 1) == 0) return Progress::kNeedsMore;
      make_opaque(into.next_row(row));
      rows = row + 1;
    }
    if (info_.output_scanline < info_.output_height) return Progress::kHasMore;
    return Progress::kDone;
  }

  // What is wrong; empty if nothing is.
  std::string complaint() {
    if (refusal_ != nullptr) return refusal_;
    std::array<char, JMSG_LENGTH_MAX> text{};
    if (failed_) {
      errors_.base.format_message(reinterpret_cast<j_common_ptr>(&info_), text.data());
      return std::string("bad_jpeg: ") + text.data();
    }
    if (ran_out_) return "cut_short: the picture ends before its last row";
    if (errors_.base.num_warnings > 0) return std::string("damaged_jpeg: ") + warning_text_.data();
    return "";
  }

 private:
  enum Stage : std::uint8_t { kHeader, kStart, kRows };
  struct Errors {
    jpeg_error_mgr base{};
    std::jmp_buf jump;
  };

  static Decoder& of(j_common_ptr info) { return *static_cast<Decoder*>(info->client_data); }

  [[noreturn]] static void on_error(j_common_ptr info) { std::longjmp(reinterpret_cast<Errors*>(info->err)->jump, 1); }

  static void on_message(j_common_ptr info, int level) {
    if (level >= 0) return;  // traces
    if (info->err->num_warnings++ > 0) return;
    info->err->format_message(info, of(info).warning_text_.data());
  }

  // Called now and then, also within one call of libjpeg.
  static void on_progress(j_common_ptr info) {
    Decoder& self = of(info);
    if (self.info_.input_scan_number <= kMostScans) return;
    self.refusal_ = "too_many_scans: more than any encoder makes";
    std::longjmp(self.errors_.jump, 1);
  }

  static boolean on_empty(j_decompress_ptr info) {
    Decoder& self = of(reinterpret_cast<j_common_ptr>(info));
    if (!self.complete_) return FALSE;  // suspends the call
    static constexpr std::array<JOCTET, 2> kEnd{0xff, JPEG_EOI};
    self.ran_out_ = true;
    self.source_.next_input_byte = kEnd.data();
    self.source_.bytes_in_buffer = kEnd.size();
    return TRUE;
  }

  static void on_skip(j_decompress_ptr info, long count) {
    if (count <= 0) return;
    Decoder& self = of(reinterpret_cast<j_common_ptr>(info));
    const std::size_t here = std::min(static_cast<std::size_t>(count), self.source_.bytes_in_buffer);
    self.source_.next_input_byte += here;
    self.source_.bytes_in_buffer -= here;
    self.skip_ += static_cast<std::size_t>(count) - here;
  }

  static void make_opaque(std::span<Image::Pixel> row) {
    for (Image::Pixel& pixel : row) pixel |= 0xff000000;
  }

  Progress refuse(const char* why) {
    refusal_ = why;
    failed_ = true;
    return Progress::kFailed;
  }

  // Bytes of input_ that libjpeg has done with. It keeps its place where it suspends.
  std::size_t used() const { return input_.size() - std::min(source_.bytes_in_buffer, input_.size()); }

  jpeg_decompress_struct info_{};
  jpeg_source_mgr source_{};
  jpeg_progress_mgr progress_{};
  Errors errors_;
  Stage stage_ = kHeader;
  bool failed_ = false;
  bool complete_ = false;
  bool ran_out_ = false;
  const char* refusal_ = nullptr;
  std::array<char, JMSG_LENGTH_MAX> warning_text_{};  // the first one
  std::vector<JOCTET> input_;
  std::vector<JOCTET> spare_;
  std::size_t at_ = 0;    // bytes taken of the memory area
  std::size_t skip_ = 0;  // bytes to come that libjpeg does not want
};

DecodeJpeg::DecodeJpeg(std::string name, std::shared_ptr<Memory> from, std::shared_ptr<Image> into)
    : Command("decode_jpeg", std::move(name), {from}, {into}), from_(std::move(from)), into_(std::move(into)) {}

DecodeJpeg::~DecodeJpeg() = default;

Step DecodeJpeg::part(Context& context) {
  using Progress = Decoder::Progress;
  const bool locks = context.locks();
  const std::uint64_t version = from_->version();
  const bool complete = from_->closed();
  if (complete && from_->failed()) return Step::done("no_input: " + from_->failure());
  if (!decoder_) decoder_ = std::make_unique<Decoder>();
  std::uint32_t rows = into_->extent(locks).rows;
  const std::uint32_t before = rows;
  Progress progress = decoder_->advance(*into_, rows, locks);
  bool took = false;
  if (progress == Progress::kNeedsMore && !decoder_->complete()) {
    took = decoder_->take(*from_, locks);
    if (!took && complete) {
      decoder_->set_complete();
      took = true;
    }
  }
  if (rows > before) into_->set_rows(rows, locks);
  switch (progress) {
    case Progress::kHasMore:
      return Step::ready();
    case Progress::kNeedsMore:
      return took ? Step::ready() : Step::more(*from_, version);
    case Progress::kDone:
      into_->close();
      break;
    case Progress::kFailed:
      break;
  }
  return Step::done(decoder_->complaint());
}

void DecodeJpeg::end(Context&) { decoder_.reset(); }

}  // namespace heddle::threadlab
