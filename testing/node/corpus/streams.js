// Streams: back pressure, object mode, flush, destroy with an error, order of events.
const { Readable, Writable, Transform, PassThrough, pipeline, finished } = require('stream');
function work(n) {
  let s = 0;
  for (let i = 0; i < 30; i++) s = (s * 7 + n) % 331;
  return s;
}
const log = [];
const source = Readable.from([1, 2, 3, 4, 5, 6], { highWaterMark: 2 });
const squares = new Transform({
  objectMode: true,
  transform(n, _, done) {
    log.push(`t${n}`);
    setImmediate(() => done(null, { n, work: work(n) }));
  },
  flush(done) {
    this.push('flushed');
    done();
  },
});
const sink = new Writable({
  objectMode: true,
  highWaterMark: 1,
  write(x, _, done) {
    log.push(`w${x.work ?? x}`);
    process.nextTick(done);
  },
});
pipeline(source, squares, sink, (error) => {
  console.log(error, log.join(' '));
  const broken = new PassThrough();
  finished(broken, (e) => console.log('finished', e.message));
  broken.on('close', () => console.log('close', broken.destroyed));
  broken.write('x');
  setImmediate(() => broken.destroy(new Error('broken ' + work(3))));
});
