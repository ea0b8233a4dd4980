#include "cell.h"

#include <string.h>

void cell_init(uint8_t *cell, uint32_t id, enum cell_command command, unsigned size) {
  memset(cell, 0, CELL_SIZE);
  put_32(cell, id);
  cell[4] = (uint8_t)command;
  put_16(cell + 6, size);
}
