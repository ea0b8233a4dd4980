'use strict';
// What a picture looks like, in few bytes: a perceptual hash, and its most frequent colours.
//
// The hash is the one known as pHash (Zauner 2010, "Implementation and Benchmarking of Perceptual Image Hash Functions",
// section 3.2.1): brightness at 32 x 32, a discrete cosine transform, and for each of the 8 x 8 lowest frequencies
// whether it is above their median. Similar pictures differ in few bits.

const SIZE = 32;
const KEPT = 8;

// Mean brightness of SIZE x SIZE tiles; `pixels` holds red, green, blue and alpha of every pixel, row by row.
function brightness(pixels, width, height) {
  const sums = new Float64Array(SIZE * SIZE);
  const counts = new Float64Array(SIZE * SIZE);
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * SIZE) / height) * SIZE;
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const tile = row + Math.floor((x * SIZE) / width);
      sums[tile] += 0.299 * pixels[at] + 0.587 * pixels[at + 1] + 0.114 * pixels[at + 2];
      counts[tile]++;
    }
  }
  return sums.map((sum, tile) => (counts[tile] > 0 ? sum / counts[tile] : 0));
}

function lowFrequencies(tiles) {
  const kept = [];
  for (let v = 0; v < KEPT; v++) {
    for (let u = 0; u < KEPT; u++) {
      let sum = 0;
      for (let y = 0; y < SIZE; y++) {
        for (let x = 0; x < SIZE; x++) {
          sum +=
            tiles[y * SIZE + x] *
            Math.cos(((2 * x + 1) * u * Math.PI) / (2 * SIZE)) *
            Math.cos(((2 * y + 1) * v * Math.PI) / (2 * SIZE));
        }
      }
      kept.push(sum);
    }
  }
  return kept;
}

// 16 hexadecimal digits, highest frequency last.
function perceptualHash(pixels, width, height) {
  const frequencies = lowFrequencies(brightness(pixels, width, height));
  const sorted = frequencies.slice(1).sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  let hash = '';
  for (let at = 0; at < frequencies.length; at += 4) {
    let digit = 0;
    for (let bit = 0; bit < 4; bit++) digit = digit * 2 + (frequencies[at + bit] > median ? 1 : 0);
    hash += digit.toString(16);
  }
  return hash;
}

// The `count` most frequent colours of 4096, most frequent first, as #rrggbb.
function mainColours(pixels, count) {
  const bins = new Uint32Array(4096);
  for (let at = 0; at < pixels.length; at += 4) {
    bins[((pixels[at] >> 4) << 8) | ((pixels[at + 1] >> 4) << 4) | (pixels[at + 2] >> 4)]++;
  }
  const order = [];
  for (let bin = 0; bin < bins.length; bin++) if (bins[bin] > 0) order.push(bin);
  order.sort((a, b) => bins[b] - bins[a] || a - b);
  return order.slice(0, count).map((bin) => {
    const digits = bin.toString(16).padStart(3, '0');
    return `#${digits[0]}8${digits[1]}8${digits[2]}8`;
  });
}

// In how many bits two hashes differ.
function distance(a, b) {
  let bits = 0;
  for (let at = 0; at < a.length; at++) {
    for (let rest = parseInt(a[at], 16) ^ parseInt(b[at], 16); rest > 0; rest >>= 1) bits += rest & 1;
  }
  return bits;
}

module.exports = { perceptualHash, mainColours, distance };
