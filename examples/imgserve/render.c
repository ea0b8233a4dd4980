#include "render.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jpeglib.h> /* needs FILE */

enum { FILE_MAX = 64 << 20, PIXELS_MAX = 100 << 20, QUALITY = 82 };

struct picture {
  unsigned char *pixels;
  int width, height, channels; /* 1: grey, 3: RGB */
  int full_width, full_height; /* of the file, which decode() may have scaled already */
};

/* libjpeg reports a fatal error by a call that must not return. */
struct failure {
  struct jpeg_error_mgr manager; /* first: libjpeg knows only this part */
  jmp_buf escape;
  char *message;
};

static void on_jpeg_error(j_common_ptr jpeg) {
  struct failure *failure = (struct failure *)jpeg->err;
  char text[JMSG_LENGTH_MAX];
  jpeg->err->format_message(jpeg, text);
  snprintf(failure->message, RENDER_ERROR_SIZE, "%s", text);
  longjmp(failure->escape, 1);
}

/* Warnings: what could be decoded is shown. */
static void on_jpeg_message(j_common_ptr jpeg) { (void)jpeg; }

static void init_failure(struct failure *failure, char *message) {
  jpeg_std_error(&failure->manager);
  failure->manager.error_exit = on_jpeg_error;
  failure->manager.output_message = on_jpeg_message;
  failure->message = message;
}

static int read_file(const char *path, unsigned char **data, size_t *size, char *error) {
  struct stat info;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    snprintf(error, RENDER_ERROR_SIZE, "no such picture");
    return errno == EMFILE || errno == ENFILE || errno == ENOMEM ? 500 : 404;
  }
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    snprintf(error, RENDER_ERROR_SIZE, "no such picture");
    close(fd);
    return 404;
  }
  if (info.st_size == 0 || info.st_size > FILE_MAX) {
    snprintf(error, RENDER_ERROR_SIZE, info.st_size == 0 ? "the file is empty" : "the file is too large");
    close(fd);
    return 422;
  }
  unsigned char *block = malloc((size_t)info.st_size);
  if (block == NULL) {
    snprintf(error, RENDER_ERROR_SIZE, "out of memory");
    close(fd);
    return 500;
  }
  size_t used = 0;
  while (used < (size_t)info.st_size) {
    ssize_t n = read(fd, block + used, (size_t)info.st_size - used);
    if (n <= 0) break;
    used += (size_t)n;
  }
  close(fd);
  if (used == 0) {
    snprintf(error, RENDER_ERROR_SIZE, "the file cannot be read");
    free(block);
    return 500;
  }
  *data = block;
  *size = used;
  return 200;
}

/* Decodes at the smallest of the sizes 1, 1/2, 1/4, 1/8 that is not below `width`: the inverse transform then does most
 * of the scaling. */
static int decode(const unsigned char *data, size_t size, int width, struct picture *picture, char *error) {
  struct jpeg_decompress_struct jpeg;
  struct failure failure;

  init_failure(&failure, error);
  jpeg.err = &failure.manager;
  if (setjmp(failure.escape) != 0) {
    jpeg_destroy_decompress(&jpeg);
    return 422;
  }
  jpeg_create_decompress(&jpeg);
  jpeg_mem_src(&jpeg, data, size);
  jpeg_read_header(&jpeg, TRUE);
  if ((uint64_t)jpeg.image_width * jpeg.image_height > PIXELS_MAX) {
    snprintf(error, RENDER_ERROR_SIZE, "the picture has too many pixels");
    jpeg_destroy_decompress(&jpeg);
    return 422;
  }
  jpeg.out_color_space = jpeg.jpeg_color_space == JCS_GRAYSCALE ? JCS_GRAYSCALE : JCS_RGB;
  jpeg.scale_num = 1;
  jpeg.scale_denom = 1;
  while (jpeg.scale_denom < 8 && jpeg.image_width / (jpeg.scale_denom * 2) >= (unsigned)width) jpeg.scale_denom *= 2;
  jpeg_start_decompress(&jpeg);

  picture->full_width = (int)jpeg.image_width;
  picture->full_height = (int)jpeg.image_height;
  picture->width = (int)jpeg.output_width;
  picture->height = (int)jpeg.output_height;
  picture->channels = jpeg.output_components;
  size_t stride = (size_t)picture->width * (size_t)picture->channels;
  picture->pixels = malloc(stride * (size_t)picture->height);
  if (picture->pixels == NULL) {
    snprintf(error, RENDER_ERROR_SIZE, "out of memory");
    jpeg_destroy_decompress(&jpeg);
    return 500;
  }
  while (jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = picture->pixels + stride * jpeg.output_scanline;
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_decompress(&jpeg);
  jpeg_destroy_decompress(&jpeg);
  return 200;
}

/* Where the source interval of output sample i ends, in 1/256 of a source sample. */
static int edge(int i, int from, int to) { return (int)((int64_t)i * from * 256 / to); }

/* One row by area averaging: every source sample counts by the part of it that the output sample covers. */
static void shrink_row(const unsigned char *from, int from_width, int channels, uint32_t *sums, int to_width,
                       uint32_t weight) {
  for (int x = 0; x < to_width; x++) {
    int left = edge(x, from_width, to_width), right = edge(x + 1, from_width, to_width);
    uint32_t area = (uint32_t)(right - left);
    for (int c = 0; c < channels; c++) {
      uint32_t sum = 0;
      for (int at = left; at < right;) {
        int next = (at / 256 + 1) * 256;
        if (next > right) next = right;
        sum += (uint32_t)(next - at) * from[at / 256 * channels + c];
        at = next;
      }
      sums[x * channels + c] += (sum * 16 / area) * weight;
    }
  }
}

static bool shrink(const struct picture *from, struct picture *to) {
  size_t stride = (size_t)to->width * (size_t)to->channels;
  size_t from_stride = (size_t)from->width * (size_t)from->channels;
  uint32_t *sums = malloc(stride * sizeof *sums);
  to->pixels = malloc(stride * (size_t)to->height);
  if (sums == NULL || to->pixels == NULL) {
    free(sums);
    return false;
  }
  for (int y = 0; y < to->height; y++) {
    int top = edge(y, from->height, to->height), bottom = edge(y + 1, from->height, to->height);
    uint32_t divisor = (uint32_t)(bottom - top) * 16;
    memset(sums, 0, stride * sizeof *sums);
    for (int at = top; at < bottom;) {
      int next = (at / 256 + 1) * 256;
      if (next > bottom) next = bottom;
      shrink_row(from->pixels + from_stride * (size_t)(at / 256), from->width, from->channels, sums, to->width,
                 (uint32_t)(next - at));
      at = next;
    }
    for (size_t i = 0; i < stride; i++) {
      to->pixels[stride * (size_t)y + i] = (unsigned char)((sums[i] + divisor / 2) / divisor);
    }
  }
  free(sums);
  return true;
}

static int encode(const struct picture *picture, unsigned char **data, size_t *size, char *error) {
  struct jpeg_compress_struct jpeg;
  struct failure failure;
  struct {
    unsigned char *block; /* from malloc, by libjpeg */
    unsigned long size;
  } out = {NULL, 0};

  init_failure(&failure, error);
  jpeg.err = &failure.manager;
  if (setjmp(failure.escape) != 0) {
    jpeg_destroy_compress(&jpeg);
    free(out.block);
    return 500;
  }
  jpeg_create_compress(&jpeg);
  jpeg_mem_dest(&jpeg, &out.block, &out.size);
  jpeg.image_width = (JDIMENSION)picture->width;
  jpeg.image_height = (JDIMENSION)picture->height;
  jpeg.input_components = picture->channels;
  jpeg.in_color_space = picture->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, QUALITY, TRUE);
  jpeg_start_compress(&jpeg, TRUE);
  size_t stride = (size_t)picture->width * (size_t)picture->channels;
  while (jpeg.next_scanline < jpeg.image_height) {
    JSAMPROW row = picture->pixels + stride * jpeg.next_scanline;
    jpeg_write_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  *data = out.block;
  *size = out.size;
  return 200;
}

/* `original` becomes the thumbnail. */
static int scale(struct picture *original, int width, char *error) {
  struct picture small = {.width = width, .channels = original->channels};
  if (original->width <= width) return 200;
  small.height = (int)(((int64_t)original->full_height * width + original->full_width / 2) / original->full_width);
  if (small.height == 0) small.height = 1;
  if (!shrink(original, &small)) {
    free(small.pixels);
    snprintf(error, RENDER_ERROR_SIZE, "out of memory");
    return 500;
  }
  free(original->pixels);
  *original = small;
  return 200;
}

int render_thumbnail(const char *directory, const char *name, int width, unsigned char **jpeg, size_t *size,
                     char error[RENDER_ERROR_SIZE]) {
  char path[PATH_MAX];
  unsigned char *file = NULL;
  size_t file_size = 0;
  struct picture picture = {.pixels = NULL};

  if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path) {
    snprintf(error, RENDER_ERROR_SIZE, "no such picture");
    return 404;
  }
  int status = read_file(path, &file, &file_size, error);
  if (status != 200) return status;
  status = decode(file, file_size, width, &picture, error);
  free(file);
  if (status == 200) status = scale(&picture, width, error);
  if (status == 200) status = encode(&picture, jpeg, size, error);
  free(picture.pixels);
  return status;
}
