// jpeg_mem_src(): the source manager points to the bytes of the program.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b

#include <jpeglib.h>
#include <stdio.h>

#include "server.h"
static struct jpeg_decompress_struct d;
static struct jpeg_error_mgr e;
static unsigned char in[100];
static long seen;
static JSAMPROW row[1];
static const JOCTET *p;
HANDLER(on_a) {
  UNUSED;
  in[0] = 1;
  in[1] = 2;
}
HANDLER(on_b) {
  (void)what;
  (void)arg;
  seen = p[0];
  seen += p[1];
}
int main(int argc, char **argv) {
  base = event_base_new();
  d.err = jpeg_std_error(&e);
  jpeg_create_decompress(&d);
  jpeg_mem_src(&d, in, 100);
  p = d.src->next_input_byte;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
