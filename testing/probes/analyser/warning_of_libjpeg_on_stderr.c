// CONFLICT always: on_a on_b: libjpeg prints a warning on stderr (jerror.c: output_message)
// Schedule: A prints the name, B prints "hello", libjpeg prints "Premature end of JPEG file". Serial: name and warning
// stand together.
#include "server.h"
#include <jpeglib.h>
static unsigned char data[1000];
HANDLER(on_a) {
  UNUSED;
  struct jpeg_decompress_struct c;
  struct jpeg_error_mgr e;
  unsigned char line[1000];
  JSAMPROW row = line;
  c.err = jpeg_std_error(&e);
  jpeg_create_decompress(&c);
  jpeg_mem_src(&c, data, sizeof data);
  jpeg_read_header(&c, TRUE);
  jpeg_start_decompress(&c);
  fprintf(stderr, "picture.jpg:\n");
  jpeg_read_scanlines(&c, &row, 1);
  jpeg_destroy_decompress(&c);
}
HANDLER(on_b) {
  UNUSED;
  fprintf(stderr, "hello\n");
}
int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
