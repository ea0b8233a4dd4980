// How arguments of smaller libraries are made; those whose headers are missing are left out.
#pragma once

#include <jpeglib.h>
#include <zlib.h>
#include <zstd.h>

#include "testing/specs/calls/arguments.h"
#if __has_include(<lzma.h>)
#include <lzma.h>
#endif
#if __has_include(<term.h>)
#include <curses.h>
#include <term.h>
#endif

void prepare_library(void) {}

static inline z_stream* stream_of(const char* name, int packs) {
  z_stream* made = zeros(name, sizeof *made);
  char inner[24];
  if (packs >= 0 && (packs ? deflateInit(made, 6) : inflateInit(made)) != Z_OK) need(NULL, "deflateInit");
  snprintf(inner, sizeof inner, "%s@0", name);
  made->next_in = (Bytef*)text_in(inner, "data", 16);
  made->avail_in = 16;
  snprintf(inner, sizeof inner, "%s@24", name);
  made->next_out = block(inner, 64);
  made->avail_out = 64;
  snprintf(inner, sizeof inner, "%s@56", name);
  if (packs >= 0) object(inner, made->state);
  return made;
}
static inline gzFile packed_file(const char* name, const char* mode) {
  if (mode[0] == 'r') {
    gzFile made = gzopen("packed", "w");
    gzputs(made, "one line\nand another\n");
    gzclose(made);
  }
  return object(name, NEED(gzopen("packed", mode)));
}

static inline ZSTD_inBuffer* input(const char* name) {
  ZSTD_inBuffer* made = zeros(name, sizeof *made);
  char inner[24];
  snprintf(inner, sizeof inner, "%s@0", name);
  made->src = text_in(inner, "data", 16);
  made->size = 16;
  return made;
}
static inline ZSTD_outBuffer* output(const char* name) {
  ZSTD_outBuffer* made = zeros(name, sizeof *made);
  char inner[24];
  snprintf(inner, sizeof inner, "%s@0", name);
  made->dst = block(inner, 256);
  made->size = 256;
  return made;
}
static inline ZSTD_CStream* packer(const char* name) {
  ZSTD_CStream* made = NEED(ZSTD_createCStream());
  ZSTD_initCStream(made, 3);
  return object(name, made);
}
static inline ZSTD_DStream* unpacker(const char* name) {
  ZSTD_DStream* made = NEED(ZSTD_createDStream());
  ZSTD_initDStream(made);
  return object(name, made);
}

#ifdef LZMA_VERSION
static inline lzma_stream* lzma(const char* name, bool started) {
  lzma_stream* made = zeros(name, sizeof *made);
  char inner[24];
  if (started && lzma_easy_encoder(made, 1, LZMA_CHECK_NONE) != LZMA_OK) need(NULL, "lzma_easy_encoder");
  snprintf(inner, sizeof inner, "%s@0", name);
  made->next_in = (const uint8_t*)text_in(inner, "data", 16);
  made->avail_in = 16;
  snprintf(inner, sizeof inner, "%s@24", name);
  made->next_out = block(inner, 64);
  made->avail_out = 64;
  snprintf(inner, sizeof inner, "%s@56", name);
  if (started) object(inner, made->internal);
  return made;
}
static inline lzma_options_lzma* lzma_settings(const char* name) {
  lzma_options_lzma* made = zeros(name, sizeof *made);
  lzma_lzma_preset(made, 1);
  return made;
}
#endif

// A small picture.
static unsigned char* picture;
static unsigned long picture_size;
static inline void make_picture(void) {
  struct jpeg_compress_struct codec;
  struct jpeg_error_mgr errors;
  unsigned char row[48] = {0}, *rows[] = {row};
  codec.err = jpeg_std_error(&errors);
  jpeg_create_compress(&codec);
  picture = NULL;
  jpeg_mem_dest(&codec, &picture, &picture_size);
  codec.image_width = codec.image_height = 16;
  codec.input_components = 3;
  codec.in_color_space = JCS_RGB;
  jpeg_set_defaults(&codec);
  jpeg_start_compress(&codec, TRUE);
  for (int i = 0; i < 16; ++i) jpeg_write_scanlines(&codec, rows, 1);
  jpeg_finish_compress(&codec);
  jpeg_destroy_compress(&codec);
}
// Steps: 0 made, 1 with a source, 2 header read, 3 started.
static inline struct jpeg_decompress_struct* decoder(const char* name, int step) {
  struct jpeg_decompress_struct* made = zeros(name, sizeof *made);
  char inner[24];
  make_picture();
  snprintf(inner, sizeof inner, "%s@0", name);
  made->err = jpeg_std_error(zeros(inner, sizeof(struct jpeg_error_mgr)));
  jpeg_create_decompress(made);
  if (step >= 1) jpeg_mem_src(made, picture, picture_size);
  if (step >= 2) jpeg_read_header(made, TRUE);
  if (step >= 3) jpeg_start_decompress(made);
  return made;
}
static inline struct jpeg_compress_struct* encoder(const char* name, int step) {
  struct jpeg_compress_struct* made = zeros(name, sizeof *made);
  char inner[24];
  static unsigned char* target;
  static unsigned long target_size;
  snprintf(inner, sizeof inner, "%s@0", name);
  made->err = jpeg_std_error(zeros(inner, sizeof(struct jpeg_error_mgr)));
  jpeg_create_compress(made);
  target = NULL;
  if (step >= 1) jpeg_mem_dest(made, &target, &target_size);
  made->image_width = made->image_height = 16;
  made->input_components = 3;
  made->in_color_space = JCS_RGB;
  if (step >= 2) jpeg_set_defaults(made);
  if (step >= 3) jpeg_start_compress(made, TRUE);
  unsigned char row[48] = {0}, *rows[] = {row};
  for (int i = 0; step >= 4 && i < 16; ++i) jpeg_write_scanlines(made, rows, 1);
  return made;
}
static inline void* rows(const char* name, int count) {
  void* all = zeros(name, (size_t)count * 8);
  for (int i = 0; i < count; ++i) {
    char inner[24];
    snprintf(inner, sizeof inner, "%s@%d", name, 8 * i);
    with(all, (size_t)i * 8, block(inner, 64));
  }
  return all;
}
