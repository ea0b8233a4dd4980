import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const command = join(__dirname, "../bin/heddle-node");
const folder = mkdtempSync(join(tmpdir(), "heddle-cli-"));

/** On Node 20, which has no hooks for `require`, stacks of code at the top of a module show one frame of ours. */
function withoutLoader(text: string): string {
  return text.replace(/(\\n|\n) +at \S+ \(\S*?loader\/legacy\.js:\d+:\d+\)/g, "");
}

function run(program: string, words: string[], extra: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, HEDDLE_NODE: process.execPath, HEDDLE_CACHE: join(folder, "cache"), ...extra };
  return spawnSync(program, words, { encoding: "utf8", env, cwd: folder });
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const mirror = `
  const seen = { argv: process.argv, execArgv: process.execArgv, main: require.main === module, title: process.title,
    cache: Object.keys(require.cache), children: module.children.length, env: Object.keys(process.env).filter((name) =>
    /^HEDDLE_(?!NODE|CACHE)/.test(name)), preloaded: process._preload_modules, stack: new Error("here").stack,
    argv0: process.argv0, listeners: process.eventNames().map(String) };
  process.nextTick(() => console.log("tick"));
  Promise.resolve().then(() => console.log("microtask"));
  console.log(JSON.stringify(seen));
`;

test("a program sees its process as under plain node", () => {
  const program = file("mirror.js", mirror);
  const plain = run(process.execPath, [program, "--ship", "x"]);
  const ours = run(command, ["--workers", "2", "--ship=never", program, "--ship", "x"]);
  assert.equal(withoutLoader(ours.stdout).replace(/"argv0":"[^"]*"/, ""), plain.stdout.replace(/"argv0":"[^"]*"/, ""));
  assert.equal(ours.stderr, "");
});

test("a home that is not there stays so, and the program runs", () => {
  const home = join(folder, "no-home");
  const hot = `
    function work(n) { let sum = 0; for (let i = 0; i < n; i++) sum = (sum * 31 + i) % 1000003; return sum; }
    for (let i = 0; i < 5; i++) setTimeout(() => console.log(work(20000 + i)), i);
  `;
  for (const name of ["at-home.js", "at-home.mjs"]) {
    const program = file(name, hot);
    const plain = run(process.execPath, [program]);
    for (const HOME of [home, join(home, "below"), program]) {
      const ours = run(command, ["--ship=always", program], {
        HOME,
        HEDDLE_CACHE: undefined,
        XDG_CACHE_HOME: undefined,
      });
      assert.deepEqual([ours.stdout, ours.stderr, ours.status], [plain.stdout, "", 0]);
    }
  }
  assert.ok(!existsSync(home));
});

test("exit code, uncaught errors, syntax errors and missing files are node's own", () => {
  const programs = {
    "exit.js": "process.on('exit', (code) => console.log('bye', code)); process.exit(7)",
    "throw.js": "setTimeout(() => { null.x }, 1)",
    "reject.mjs": "await Promise.reject(new Error('no'))",
    "syntax.js": "let a = ;",
    "signal.js": "process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 10000)",
  };
  const paths = Object.entries(programs).map(([name, text]) => file(name, text));
  for (const path of [...paths, join(folder, "missing.js")]) {
    const plain = run(process.execPath, [path]);
    const ours = run(command, [path]);
    assert.deepEqual(
      [ours.status, ours.signal, ours.stdout, withoutLoader(ours.stderr)],
      [plain.status, plain.signal, plain.stdout, plain.stderr],
      path,
    );
  }
});

test("what the user preloads runs, all of it and in its order", () => {
  const words = ["a", "b", "c"].flatMap((name) => ["-r", file(`${name}.js`, `console.log(${JSON.stringify(name)})`)]);
  const program = file("preloaded.js", "console.log(process._preload_modules.length, process.execArgv.length)");
  for (const some of [words, words.slice(0, 2)]) {
    assert.equal(run(command, [...some, program]).stdout, run(process.execPath, [...some, program]).stdout);
  }
});

const busy = `function sum(n) { let s = 0; for (let i = 0; i < n; i++) s = (s + i) % 9973; return s; }
  let turns = 0;
  const turn = (n) => { sum(n); if (++turns === 20) process.kill(process.pid, "SIGTERM"); setTimeout(turn, 1, n + 1); };
  turn(1e5);`;

test("a program that a signal ends leaves the report that was asked for, and dies of the signal", () => {
  const ours = run(command, ["--report", file("ended.js", busy)]);
  assert.equal(ours.signal, "SIGTERM");
  assert.match(ours.stderr, /^heddle: .* were done ahead/);
  const document = join(folder, "ended.json");
  assert.equal(run(command, [`--run-file=${document}`, file("ended.js", busy)]).signal, "SIGTERM");
  assert.ok(readFileSync(document, "utf8").includes('"handlers"'));
});

test("of that nothing shows, and a listener of the program's own comes first", () => {
  const listens = `console.log(process.listenerCount("SIGTERM"), process.listeners("SIGINT").length);
    process.once("SIGTERM", () => { console.log("once", process.listenerCount("SIGTERM")); process.exitCode = 3; });`;
  const end = "process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 300);";
  const program = file("listens.js", `${listens} setImmediate(function twice(n) { return 2 * n; }, 1); ${end}`);
  const plain = run(process.execPath, [program]);
  const ours = run(command, ["--report", program]);
  assert.deepEqual([ours.status, ours.signal, ours.stdout], [plain.status, plain.signal, plain.stdout]);
  assert.match(ours.stderr, /^heddle: /);
});

test("where threads have no room a program runs as under node, and the report says why", () => {
  const limited = (program: string, words: string[], extra: NodeJS.ProcessEnv = {}) =>
    run("sh", ["-c", 'ulimit -v 1700000 && exec "$0" "$@"', program, ...words], extra);
  const program = file("limited.js", sum);
  const plain = limited(process.execPath, [program]);
  assert.equal(plain.status, 0);
  const ours = limited(command, ["--ship=always", "--report", program], { HEDDLE_TEST_WAIT: "1" });
  assert.deepEqual([ours.status, ours.signal, ours.stdout], [0, null, plain.stdout]);
  assert.match(ours.stderr, /no room: address space is limited to 1660 MB/);
});

test("on one core a program is plain node's, and a report says why", () => {
  const program = file("one-core.js", `${sum} console.log(typeof heddleHome)`);
  const onOne = (words: string[]) => run("taskset", ["-c", "0", ...words]);
  const plain = onOne([process.execPath, program]);
  assert.match(plain.stdout, /^undefined\n/);
  assert.equal(onOne([command, program]).stdout, plain.stdout);
  assert.equal(onOne([command, "--workers=1", program]).stdout, plain.stdout.replace("undefined", "object"));
  assert.match(
    onOne([command, "--report", file("reported.js", busy)]).stderr,
    /nothing was done ahead: there is one core/,
  );
});

test("where somebody has frozen what the language has before, a program is plain node's", () => {
  const frozen = file("frozen.js", "Object.freeze(Function.prototype);");
  const program = file("after-frozen.js", `${sum} console.log(typeof heddleHome);`);
  const ours = run(command, ["--ship=always", program], { NODE_OPTIONS: `--require ${frozen}` });
  assert.match(ours.stdout, /^undefined\n/);
  assert.equal(ours.stderr, "");
});

test("options of node's pass through, and HEDDLE=off is plain node", () => {
  assert.equal(run(command, ["-p", "process.execArgv.join()"]).stdout, "-p,process.execArgv.join()\n");
  assert.equal(run(command, ["--max-old-space-size=64", "-e", "console.log(1)"]).stdout, "1\n");
  const off = run(command, [file("off.js", "console.log(typeof heddleHome)")], {
    HEDDLE: "off",
  });
  assert.equal(off.stdout, "undefined\n");
});

test("a wrong option is refused in one line that names the help", () => {
  for (const words of [["--ship", "maybe", "x.js"], ["--workers", "none", "x.js"], ["--ship"]]) {
    const ours = run(command, words);
    assert.equal(ours.status, 2);
    assert.match(ours.stderr, /^heddle: .*heddle-node --help\n$/);
  }
  const asked = run(command, ["--help"]);
  assert.equal(asked.status, 0);
  assert.match(asked.stdout, /Example: heddle-node/);
});

test("where node or V8 prints what happens, nothing of Heddle is there, also where the environment says so", () => {
  const program = file("prints.js", "console.log(typeof heddleHome)");
  const shown = (words: string[], extra: NodeJS.ProcessEnv = {}) => run(command, [...words, program], extra).stdout;
  assert.equal(shown([]), "object\n");
  assert.equal(shown(["--trace-warnings"]), "object\n");
  for (const option of ["--trace-exit", "--trace_uncaught", "--abort-on-uncaught-exception", "--trace-gc-verbose"]) {
    assert.match(shown([option]), /^undefined\n/m, option);
  }
  assert.equal(shown([], { NODE_OPTIONS: "--no-warnings --trace-uncaught" }), "undefined\n");
  const registered = (option: string) =>
    run(process.execPath, ["--import", join(__dirname, "register.js"), option, program]).stdout;
  assert.equal(registered("--trace-warnings"), "object\n");
  for (const option of ["--trace-exit", "--trace_uncaught"]) assert.equal(registered(option), "undefined\n");
});

test(
  "what --run starts finds nothing of the launcher's in its environment",
  { skip: Number.parseInt(process.versions.node) < 22 },
  () => {
    const scripts = { show: `${process.execPath} -p "process.env.HEDDLE_FLAGS"` };
    file("package.json", JSON.stringify({ scripts }));
    assert.match(run(command, ["--ship=always", "--run", "show"]).stdout, /^undefined$/m);
  },
);

test("node --import heddle/register runs a program as any other --import does", () => {
  const register = join(__dirname, "register.js");
  const program = file(
    "imported.js",
    `console.log(process.env.HEDDLE_FLAGS, require.main === module);
    function work(n) { let s = 0; for (let i = 0; i < n; i++) s += i; return s; }
    for (let i = 0; i < 5; i++) setImmediate(() => console.log(work(1000 + i)));`,
  );
  const plain = run(process.execPath, ["--import", "data:text/javascript,", program]);
  const report = join(folder, "imported.json");
  const extra = { HEDDLE_SHIP: "always", HEDDLE_TEST_WAIT: "1", HEDDLE_REPORT: report };
  const ours = run(process.execPath, ["--import", register, program], extra);
  assert.deepEqual([ours.stdout, ours.stderr, ours.status], [plain.stdout, plain.stderr, plain.status]);
  const { sites } = JSON.parse(readFileSync(report, "utf8")) as { sites: { matched: number }[] };
  assert.equal(sites[0]?.matched, 5);
  const shown = run(command, ["report", report]);
  assert.match(shown.stdout, /5 taken from workers/);
  assert.equal(run(command, ["report", program]).status, 2);
});

test("what was compiled and then damaged on disk is compiled anew", () => {
  const program = file("damaged.js", "function twice(n) { return 2 * n; } setImmediate(() => console.log(twice(21)));");
  const own = { HEDDLE_CACHE: join(folder, "damaged") };
  const kept = join(own.HEDDLE_CACHE, "code");
  const said = () => {
    const { status, stdout, stderr } = run(command, [program], own);
    return { status, stdout, stderr };
  };
  const good = { status: 0, stdout: "42\n", stderr: "" };
  assert.deepEqual(said(), good);
  const files = readdirSync(kept).map((name) => join(kept, name));
  assert.ok(files.length > 0);
  const damages = [
    (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1),
    (bytes: Buffer) => bytes.subarray(0, 0),
    (bytes: Buffer) => bytes.map((byte, at) => (at > 200 && at % 97 === 0 ? byte ^ 255 : byte)),
    (bytes: Buffer) => bytes.map((byte, at) => (at > bytes.length >> 1 && at % 89 === 0 ? byte ^ 1 : byte)),
    (bytes: Buffer) => bytes.fill(0),
  ];
  for (const damage of damages) {
    for (const path of files) writeFileSync(path, damage(readFileSync(path)));
    assert.deepEqual(said(), good);
    for (const path of files) assert.ok(readFileSync(path).length > 1000, "it was kept anew");
  }
});

test('the key "heddle" of package.json sets options, the environment comes first', () => {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ heddle: { ship: "never", report: true } }));
  const program = file("configured.js", "setImmediate(function f(n) { for (let i = 0; i < 9; i++) n += i; }, 1)");
  assert.match(run(command, [program]).stderr, /^heddle: /);
  assert.equal(run(command, [program], { HEDDLE_REPORT: "0" }).stderr, "");
  assert.match(
    run(command, [program], { HEDDLE_WORKERS: "some", HEDDLE_REPORT: "0" }).stderr,
    /number or auto, not 'some'/,
  );
  rmSync(join(folder, "package.json"));
});

test("the inspector and --cpu-prof see the program", () => {
  const program = file(
    "profiled.js",
    "function work(n) { let s = 0; for (let i = 0; i < n; i++) s += i; return s; } work(3e7)",
  );
  const ours = run(command, ["--cpu-prof", "--cpu-prof-name=out.cpuprofile", program]);
  assert.equal(ours.status, 0);
  assert.match(readFileSync(join(folder, "out.cpuprofile"), "utf8"), /"functionName":"work"/);
  const inspected = run(command, [
    "--inspect=0",
    file("inspected.js", "console.log(require('inspector').url() !== undefined)"),
  ]);
  assert.equal(inspected.stdout, "true\n");
});

const sum = `function sum(n) { let s = 0; for (let i = 0; i < n; i++) s += i; return "good" + s; }
  for (let i = 0; i < 3; i++) setImmediate(() => console.log(sum(10 + i)));`;
const somebodyElse = 12345;
const isRoot = process.getuid?.() === 0;

test("a folder of kept files that is not this user's alone is not used, and that is said once", () => {
  const program = file("kept.js", `${sum} process.exitCode = 3;`);
  const plain = run(process.execPath, [program]);
  const foreign: Record<string, (path: string) => void> = {
    "writable by its group": (path) => {
      mkdirSync(path);
      chmodSync(path, 0o770);
    },
    "writable by all": (path) => {
      mkdirSync(path);
      chmodSync(path, 0o777);
    },
    "a link to one's own": (path) => {
      mkdirSync(`${path} itself`);
      symlinkSync(`${path} itself`, path);
    },
    "a file": (path) => writeFileSync(path, ""),
  };
  if (isRoot) {
    foreign["somebody else's"] = (path) => {
      mkdirSync(path);
      chownSync(path, somebodyElse, somebodyElse);
    };
  }
  for (const [name, make] of Object.entries(foreign)) {
    const path = join(folder, `kept, ${name}`);
    make(path);
    for (const extra of [{}, { HEDDLE_SHIP: "always", HEDDLE_TEST_WAIT: "1" }]) {
      const ours = run(command, [program], { HEDDLE_CACHE: path, ...extra });
      assert.deepEqual([ours.status, ours.stdout], [plain.status, plain.stdout], name);
      const said = `heddle: ${path} is not a folder of yours alone: nothing is kept there (HEDDLE_CACHE names another)\n`;
      assert.equal(ours.stderr, said, name);
    }
    if (name !== "a file") assert.deepEqual(readdirSync(path), [], name);
  }
});

test("a kept file that is not this user's alone is not used, and made anew", () => {
  const program = file("entries.js", sum);
  const plain = run(process.execPath, [program]);
  const cache = join(folder, "entries");
  const own = { HEDDLE_CACHE: cache };
  assert.equal(run(command, [program], own).stdout, plain.stdout);
  const kept = readdirSync(cache, { recursive: true, encoding: "utf8" })
    .map((name) => join(cache, name))
    .filter((path) => statSync(path).isFile());
  const [entry, ...others] = kept.filter((path) => readFileSync(path, "utf8").startsWith('{"key":'));
  assert.ok(entry !== undefined && others.length === 0 && kept.length > 1);
  const good = readFileSync(entry, "utf8");
  const written = good.indexOf('"good"') + 6; // the text as it is written comes first
  const evil = good.slice(0, written) + good.slice(written).replaceAll('"good"', '"evil"');
  writeFileSync(entry, evil);
  assert.match(run(command, [program], own).stdout, /evil/, "of this user's alone it would be taken");
  const foreign: ((path: string) => void)[] = [
    (path) => chmodSync(path, 0o620),
    (path) => chmodSync(path, 0o602),
    (path) => {
      renameSync(path, `${path}.itself`);
      symlinkSync(`${path}.itself`, path);
    },
    ...(isRoot ? [(path: string) => chownSync(path, somebodyElse, somebodyElse)] : []),
  ];
  for (const make of foreign) {
    writeFileSync(entry, evil);
    for (const path of kept) make(path);
    const ours = run(command, [program], own);
    const said = `heddle: files below ${cache} are not yours alone: they are not used\n`;
    assert.deepEqual([ours.status, ours.stdout, ours.stderr], [0, plain.stdout, said]);
    assert.deepEqual(run(command, [program], own).stderr, "", "they were made anew");
    assert.equal(readFileSync(entry, "utf8"), good);
    assert.ok(lstatSync(entry).isFile());
  }
});
