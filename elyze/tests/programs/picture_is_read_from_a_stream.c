// CONFLICT always: on_a on_b: contents of cat.jpg
#include "server.h"
#include <jpeglib.h>
static int original;
static unsigned width;
HANDLER(on_a) {
  UNUSED;
  struct jpeg_decompress_struct d;
  struct jpeg_error_mgr e;
  FILE* f = fopen("cat.jpg", "rb");
  if (!f) return;
  d.err = jpeg_std_error(&e);
  jpeg_create_decompress(&d);
  jpeg_stdio_src(&d, f);
  jpeg_read_header(&d, TRUE);
  width = d.image_width;
  jpeg_destroy_decompress(&d);
  fclose(f);
}
HANDLER(on_b) {
  UNUSED;
  pwrite(original, "\377\330", 2, 0);
  pwrite(original, "\377\340", 2, 2);
}
int main(void) {
  base = event_base_new();
  original = open("cat.jpg", O_RDWR);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  event_base_dispatch(base);
}
