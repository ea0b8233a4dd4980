// A report on sales from CSV files: for every product its revenue, and how sure one can be of its mean sale.
//
// node report.mjs FOLDER [ROUNDS]   files with the columns date,shop,product,units,price, quoted as RFC 4180 has it
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

// The rows of a CSV text, each an array of fields (RFC 4180: quotes around a field, "" for a quote inside).
export function parseCsv(text) {
  const rows = [];
  let row = [];
  let field = '';
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character !== '"') field += character;
      else if (text[at + 1] === '"') field += text[at++];
      else quoted = false;
    } else if (character === '"') {
      quoted = true;
    } else if (character === ',') {
      row.push(field);
      field = '';
    } else if (character === '\n') {
      row.push(field);
      rows.push(row);
      row = [];
      field = '';
    } else if (character !== '\r') {
      field += character;
    }
  }
  if (field !== '' || row.length > 0) {
    row.push(field);
    rows.push(row);
  }
  return rows;
}

function mean(values) {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

// The 95 % interval of the mean by bootstrap (Efron 1979): means of samples drawn again, with replacement. The random
// numbers are those of Park and Miller (1988), so that the same report comes out every time.
export function bootstrap(values, rounds) {
  let state = 20240229;
  const means = [];
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    for (let draw = 0; draw < values.length; draw++) {
      state = (state * 16807) % 2147483647;
      sum += values[state % values.length];
    }
    means.push(sum / values.length);
  }
  means.sort((a, b) => a - b);
  return [means[Math.floor(rounds * 0.025)], means[Math.ceil(rounds * 0.975) - 1]];
}

function summarise(values, rounds) {
  const sorted = values.slice().sort((a, b) => a - b);
  const [low, high] = bootstrap(values, rounds);
  return { sales: values.length, mean: mean(values), median: sorted[Math.floor(sorted.length / 2)], low, high };
}

function printReport(products, summaries) {
  console.log(`${'product'.padEnd(20)}${'sales'.padStart(8)}${'revenue'.padStart(14)}${'mean'.padStart(10)}  95 % interval`);
  for (const product of [...products.keys()].sort()) {
    const { sales, mean, low, high } = summaries.get(product);
    const figures = `${String(sales).padStart(8)}${(mean * sales).toFixed(2).padStart(14)}${mean.toFixed(2).padStart(10)}`;
    console.log(`${product.padEnd(20)}${figures}  ${low.toFixed(2)} to ${high.toFixed(2)}`);
  }
}

async function readSales(folder) {
  const products = new Map();
  const files = (await readdir(folder)).filter((name) => name.endsWith('.csv')).sort();
  if (files.length === 0) throw new Error(`no CSV files in ${folder}`);
  for (const file of files) {
    const [head, ...rows] = parseCsv(await readFile(path.join(folder, file), 'utf8'));
    const product = head.indexOf('product');
    const units = head.indexOf('units');
    const price = head.indexOf('price');
    if (product < 0 || units < 0 || price < 0) throw new Error(`${file} lacks one of the columns product, units, price`);
    for (const row of rows) {
      const values = products.get(row[product]);
      const value = Number(row[units]) * Number(row[price]);
      if (values) values.push(value);
      else products.set(row[product], [value]);
    }
  }
  return products;
}

const [folder, rounds = '400'] = process.argv.slice(2);
if (!folder) {
  console.error('say where the files are: node report.mjs FOLDER [ROUNDS]');
  process.exit(2);
}

let products;
try {
  products = await readSales(folder);
} catch (error) {
  console.error(`no report: ${error.message}`);
  process.exit(1);
}

const summaries = new Map();
for (const [product, values] of products) {
  setImmediate(() => {
    summaries.set(product, summarise(values, Number(rounds)));
    if (process.stderr.isTTY) process.stderr.write(`\r${summaries.size} of ${products.size} products`);
    if (summaries.size === products.size) {
      if (process.stderr.isTTY) process.stderr.write('\r');
      printReport(products, summaries);
    }
  });
}
