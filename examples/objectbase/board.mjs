// The same list as board.cpp's, in Node: each of the programs works with the others' file.
import fs from 'node:fs';
import { ObjectId, ObjectbaseError, Store } from 'objectbase';

function main([file, what, word]) {
  if (what === 'list') {
    const now = Store.open(file).snapshot(); // others may go on: what is listed is one commit
    for (const note of now) console.log(`${note.id} ${note.get('text')}`);
    return;
  }
  const store = fs.existsSync(file) ? Store.open(file, { write: true }) : Store.create(file, { limit: 2 ** 24 });
  const note = store.define('Note', ['text']);
  store.transaction((change) => {
    if (what === 'add') change.create(note, { text: word });
    else change.erase(new ObjectId(word));
  });
}

const words = process.argv.slice(2);
if (words.length < 2 || (words[1] !== 'list' && words.length < 3)) {
  console.error('board FILE add TEXT | done NUMBER | list');
  process.exit(2);
}
try {
  main(words);
} catch (error) {
  if (!(error instanceof ObjectbaseError)) throw error;
  console.error(`board: ${error.message}`);
  process.exitCode = 2;
}
