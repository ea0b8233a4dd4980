// Methods that take callbacks; the comparator is pure, sometimes it throws.
function ranked(list) {
  const copy = list.slice();
  copy.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return copy.map((item, place) => `${place + 1}:${item.name}`).filter((text) => text.length > 2);
}
function badSort(list) {
  return list.slice().sort(() => {
    throw new RangeError('no order');
  });
}
const base = ['ann', 'bob', 'cid', 'dee', 'eve'];
for (let i = 0; i < 8; i++) {
  const list = base.map((name, k) => ({ name, score: (k * i) % 5 }));
  setImmediate(() => {
    console.log(ranked(list).join(' '));
    console.log(list.map((x) => x.name).join());
    try {
      badSort(list);
    } catch (error) {
      console.log(error.name, error.message, error instanceof RangeError);
    }
  });
}
