// Files: sync, callback and promise forms, errors with codes, directories, streams.
const fs = require('fs');
const os = require('os');
const path = require('path');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'corpus-'));
const file = path.join(dir, 'a.txt');
function checksum(text) {
  let s = 0;
  for (let i = 0; i < text.length; i++) s = (s * 33 + text.charCodeAt(i)) >>> 0;
  return s;
}
process.on('exit', () => fs.rmSync(dir, { recursive: true }));
fs.writeFileSync(file, 'x'.repeat(1000));
fs.appendFileSync(file, 'end');
fs.readFile(file, 'utf8', (error, text) => {
  console.log(error, text.length, checksum(text));
  fs.readFile(file + '.missing', (error) => {
    console.log(error.code, error.syscall, error.message.replace(dir, ''));
    fs.promises.readdir(dir).then(async (names) => {
      console.log(names, (await fs.promises.stat(file)).size);
      const handle = await fs.promises.open(file);
      for await (const line of handle.readLines()) console.log(line.length, checksum(line));
      fs.createReadStream(file, { start: 995 }).setEncoding('latin1').on('data', (d) => console.log(d, checksum(d)));
    });
  });
});
try {
  fs.readFileSync(dir);
} catch (error) {
  console.log(error.code);
}
