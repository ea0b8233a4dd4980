// A program in TypeScript; it is compiled, not run. What must not compile is marked.
import { Double, ObjectId, ObjectbaseError, Store, type Changes, type Value, type Watch } from 'objectbase';

const store: Store = Store.create('/dev/shm/store', { limit: 2 ** 20, mode: 0o600 });
const note = store.define('Note', ['text', 'stars']);
const first: ObjectId = store.transaction((change) => change.create(note, { text: 'a', stars: new Double(3) }));
const text: Value | undefined = store.read(first, (version) => version.get('text'));
for (const version of store.snapshot()) console.log(version.id.number, version.view('text')?.length);
const watch: Watch = store.watch(note, (changes: Changes) => console.log(changes.objects.length));
watch.unref().close();
const kept: Promise<boolean> = store.waitUntilKept(store.commit, 10);
try {
  store.close();
} catch (error) {
  if (error instanceof ObjectbaseError) console.log(error.message, text, kept);
}
// @ts-expect-error an object is named by its ObjectId
store.read(7);
// @ts-expect-error a slot holds no list
store.transaction((change) => change.set(first, 'text', [1]));
