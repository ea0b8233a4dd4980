/* Makes one thumbnail: reads and decodes a picture, scales it, encodes the result. Touches nothing but its arguments
 * and the picture's file. */
#ifndef IMGSERVE_RENDER_H
#define IMGSERVE_RENDER_H

#include <stddef.h>

enum { RENDER_ERROR_SIZE = 256 };

/* Returns 200 and in `jpeg` a block for free(), or the HTTP status of a failure (404, 422, 500) and why in `error`.
 * The bytes depend only on the picture and the width. A picture is never enlarged. */
int render_thumbnail(const char *directory, const char *name, int width, unsigned char **jpeg, size_t *size,
                     char error[RENDER_ERROR_SIZE]);

#endif
