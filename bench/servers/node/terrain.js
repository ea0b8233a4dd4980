'use strict';
// Tiles of made-up terrain as grey pictures. Each takes some milliseconds to compute.

const SIZE = 256;

// A number from 0 to 1 that depends on a point of the grid and nothing else.
function height(x, y) {
  let h = Math.imul(x, 374761393) + Math.imul(y, 668265263);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

function smooth(t) {
  return t * t * (3 - 2 * t);
}

function noise(x, y) {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const u = smooth(x - left);
  const v = smooth(y - top);
  const upper = height(left, top) * (1 - u) + height(left + 1, top) * u;
  const lower = height(left, top + 1) * (1 - u) + height(left + 1, top + 1) * u;
  return upper * (1 - v) + lower * v;
}

// Value noise in twelve octaves: a grey value per pixel.
function renderTile(z, x, y) {
  const scale = 8 / (SIZE << z);
  const pixels = new Uint8Array(SIZE * SIZE);
  for (let row = 0; row < SIZE; row++) {
    for (let column = 0; column < SIZE; column++) {
      let sum = 0;
      let weight = 0.5;
      let frequency = 1;
      for (let octave = 0; octave < 12; octave++) {
        sum += weight * noise((x * SIZE + column) * scale * frequency, (y * SIZE + row) * scale * frequency);
        weight /= 2;
        frequency *= 2;
      }
      pixels[row * SIZE + column] = Math.floor(sum * 256);
    }
  }
  return pixels;
}

// As a PGM file.
function picture(pixels) {
  return Buffer.concat([Buffer.from(`P5 ${SIZE} ${SIZE} 255\n`), pixels]);
}

module.exports = { renderTile, picture };
