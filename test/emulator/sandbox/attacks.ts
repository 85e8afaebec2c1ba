import type { InvocationOutcome } from '../../../emulator/sandbox/outcome.js';

type Ends = InvocationOutcome['kind'][];

export interface Attack {
  name: string;
  /** A whole reactor, or (without `module.exports`) the body of an asynchronous one. */
  code: string;
  ends: Ends;
  /** What the code returned, when it returns. */
  returns?: unknown;
}

/** Attacks by name, which end in one of these ways. */
const attacks = (ends: Ends[number] | Ends, codes: Record<string, string>): Attack[] =>
  Object.entries(codes).map(([name, code]) => ({ name, code, ends: [ends].flat() }));

/** Attacks by name, with the `raw` that they return. */
const returning = (codes: Record<string, [raw: unknown, code: string]>): Attack[] =>
  Object.entries(codes).map(([name, [raw, code]]) => ({ name, code, ends: ['returned'], returns: { raw } }));

const HUNGRY: Ends = ['out-of-memory', 'timeout', 'threw'];

export const ATTACKS: Attack[] = [
  ...attacks('timeout', {
    'a plain loop': 'for (;;) {}',
    'a loop at the top level': 'for (;;) {} module.exports = () => {}',
    'a loop at the top level of an ES module': 'for (;;) {} export default () => {}',
    'awaiting for ever at the top level of an ES module': 'for (;;) await 1; export default () => {}',
    'a loop in a wrapper closed early': '}); for (;;) {} (function () {',
    'a loop that catches its interruption': 'for (;;) { try { for (;;) {} } catch {} }',
    'a loop in finally': 'try { for (;;) {} } finally { for (;;) {} }',
    'endless awaiting': 'for (;;) await null',
    'endless microtasks': 'const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})',
    'queueMicrotask for ever': 'const f = () => queueMicrotask(f); f(); await new Promise(() => {})',
    'process.nextTick for ever': 'const f = () => process.nextTick(f); f(); await new Promise(() => {})',
    'a thenable that resolves to itself': 'const t = { then(done) { done(t) } }; await t',
    'an asynchronous generator without end':
      'for await (const x of (async function* () { for (;;) yield 1 })());',
    'timers for ever': 'const f = () => setTimeout(f, 0); f(); await new Promise(() => {})',
    'an interval for ever': 'setInterval(() => {}, 1); await new Promise(() => {})',
    'a getter that loops in the result': 'return { get raw() { for (;;) {} } }',
    'a toJSON that loops': 'return { raw: { toJSON() { for (;;) {} } } }',
    'a proxy that loops in the result': 'return new Proxy({}, { ownKeys() { for (;;) {} } })',
    'an error whose message loops': 'throw { get message() { for (;;) {} } }',
    'an error whose toString loops': 'throw { toString() { for (;;) {} } }',
    'hashing for ever':
      'const { createHash } = require("crypto"); for (;;) createHash("sha512").update("x".repeat(1e5)).digest()',
    'asking the host for ever': 'for (;;) crypto.randomUUID()',
    'Intl for ever':
      'for (let i = 0; ; i++) new Intl.NumberFormat("de", { minimumFractionDigits: i % 20 }).format(i)',
    'URLs for ever': 'for (;;) new URL("http://a/" + "b".repeat(1e4))',
  }),
  ...attacks(HUNGRY, {
    'sorting a huge length': 'Array.prototype.sort.call({ length: 2 ** 32 - 1 })',
    'indexOf over a huge length': 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
    'reversing a huge length': 'Array.prototype.reverse.call({ length: 2 ** 53 - 1 })',
    'copyWithin over a huge length': 'Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1)',
    'joining a huge array': 'return { raw: Array(2 ** 32 - 1).join("x").length }',
    'filling a huge array': 'new Array(2 ** 31).fill(0)',
    'flattening deeply': 'let a = []; for (let i = 0; i < 1e6; i++) a = [a]; a.flat(Infinity)',
    'a regular expression that backtracks': '/^(a+)+$/.test("a".repeat(40) + "b")',
    'replacing in a huge text': '"x".repeat(2 ** 28).replace(/x/g, "yy")',
    'a huge BigInt': 'let n = 3n; for (;;) n *= n',
    'BigInt to text': 'String(2n ** 4_000_000n)',
    'nested JSON.stringify':
      'const a = Array(5000).fill(0); const b = Array(5000).fill(a); for (;;) JSON.stringify(b)',
    'a spread without end': '[...{ *[Symbol.iterator]() { for (;;) yield 1 } }]',
    'an array without end': 'const a = []; for (;;) a.push({})',
    'texts without end': 'const a = []; for (let i = 0; ; i++) a.push("x".repeat(1000) + i)',
    'a text that doubles': 'let s = "x"; for (;;) s += s',
    'byte arrays without end': 'const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))',
    'a Map without end': 'const m = new Map(); for (let i = 0; ; i++) m.set(i, i)',
    'one huge buffer': 'new ArrayBuffer(2 ** 31)',
    'a huge Buffer': 'Buffer.alloc(2 ** 30)',
    'a huge repeat': '"x".repeat(2 ** 30 - 1).length',
    'padding to a huge length': '"x".padEnd(2 ** 29, "abc").length',
    'memory that catches its own failure':
      'const a = []; for (;;) { try { a.push(new Array(1e5).fill(1)) } catch {} }',
    'random bytes kept for ever': 'const a = []; for (;;) a.push(require("crypto").randomBytes(1e6))',
    'closures without end': 'let f = () => 1; for (;;) { const g = f; f = () => g }',
    'promises without end': 'const a = []; for (;;) a.push(new Promise(() => {}))',
    'symbols without end': 'const a = []; for (let i = 0; ; i++) a.push(Symbol(i))',
    'ten million arguments': 'Math.max(...new Array(1e7))',
  }),
  ...attacks(['threw', 'out-of-memory', 'timeout', 'threw'], {
    'formatting a huge BigInt': '(10n ** 50_000n).toLocaleString()',
  }),
  ...attacks('threw', {
    'comparing huge texts': '"x".repeat(5e5).localeCompare("y".repeat(5e5))',
    'listing a huge list': 'new Intl.ListFormat("en").format(Array(1e5).fill("x"))',
    'a host of combining marks': 'new URL("http://a" + "\\u0301\\u0316".repeat(250_000))',
    'comparing combining marks': '("a" + "\\u0301\\u0316".repeat(24_000)).localeCompare("b")',
    'a locale of a thousand keywords':
      'new Intl.NumberFormat("en-u-" + Array.from({ length: 19_000 }, (_, i) => (i + 1e5).toString(36)).join("-"))',
    'resolving a path of many segments':
      'require("url").resolve("http://a/" + "b/".repeat(1e6), "../".repeat(1e6))',
    'a huge URL': 'new URL("http://a/" + "b".repeat(3e6))',
    'bytes as an option of Intl': 'new Intl.NumberFormat("en", { currency: new Uint8Array(3e7) }).format(1)',
    'bytes as an option of toLocaleString': '(1).toLocaleString("en", { x: new Uint8Array(3e7) })',
    'bytes as a query of a URL': 'require("url").format({ query: new Uint8Array(3e7) })',
    'bytes in place of options of the host':
      'require("crypto").scryptSync("a", "b", 16, new Uint8Array(1e7))',
    'millions of values for the host':
      'JSON.stringify = () => "[" + "0,".repeat(1e7) + "0]"; Buffer.from("x")',
    'a decompression without a bound':
      'const z = require("zlib"); z.gunzipSync(Buffer.concat(Array(12).fill(z.gzipSync(Buffer.alloc(15e6)))), { maxOutputLength: NaN })',
    'too many random bytes': 'require("crypto").randomBytes(2 ** 30)',
    'recursion without end': 'const f = () => f() + 1; f()',
    'recursion through getters': 'const o = { get x() { return this.x } }; o.x',
    'recursion through toString': 'const o = { toString() { return "" + this } }; String(o)',
    'deep JSON to parse': 'JSON.parse("[".repeat(1e6))',
    'deep source through eval': 'eval("[".repeat(1e5))',
    'a huge error message': 'throw new Error("x".repeat(1e7))',
    'process by name': 'process.exit(1)',
    'process bindings': 'process.binding("fs")',
    'the file system': 'require("fs")',
    'child processes': 'require("node:child_process")',
    'worker threads': 'require("worker_threads")',
    'a file by path': 'require("../../../../etc/passwd")',
    'a bundle by path': 'require("../sandbox-worker")',
    'a module named like a property': 'require("__proto__")',
    'import of the file system': 'await import("fs")',
    'import of a file': 'await import("file:///etc/passwd")',
    'a header with a line break': 'await fetch("http://127.0.0.1:1", { headers: { a: "b\\r\\nc: d" } })',
    'too many timers': 'for (;;) setTimeout(() => {}, 1e6)',
    'too many calls of svc': 'await Promise.all(Array.from({ length: 5000 }, () => req.svc.tokens.get("x")))',
    'a thrown null': 'throw null',
    'a thrown symbol': 'throw Symbol("x")',
    'a thrown proxy': 'throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })',
    'a thrown object whose getters throw':
      'throw { get message() { throw 1 }, get stack() { throw 2 }, get status() { throw 3 } }',
    'a status that is none': 'throw Object.assign(new Error("x"), { status: { valueOf: () => 400 } })',
  }),
  ...returning({
    'a host of combining marks through every URL operation': [
      true,
      `const marks = "a" + "\\u0301\\u0316".repeat(250_000); const url = require("url");
     const hosts = [marks, "user@" + marks, "\\t\\n//" + marks, encodeURI(marks.slice(0, 1e5))];
     const operations = hosts.flatMap((host) => [
       () => new URL("http://" + host), () => new URL("http:" + host), () => new URL("HTTPS:\\\\\\\\" + host),
       () => new URL("//" + host, "http://a"), () => new URL("/", "http://" + host), () => new URL(" \\0http://" + host),
       () => new URL("ht\\ntp://" + host), () => new URL("blob:http://" + host).origin, () => URL.canParse("ws://" + host),
       () => { new URL("http://a").host = host; }, () => { new URL("http://a").hostname = host; },
       () => { new URL("http://a").href = "http://" + host; }, () => url.domainToASCII(host), () => url.domainToUnicode(host),
       () => url.parse("http://" + host), () => url.format("http://" + host), () => url.resolve("http://a", "//" + host),
       () => url.format({ protocol: "http", hostname: host }), () => new Request("http://" + host),
     ]);
     for (const operation of operations) { try { operation() } catch {} }
     await Promise.allSettled(hosts.map((host) => fetch("http://" + host)));
     return { raw: true };`,
    ],
    'a host of combining marks as something other than a text': [
      true,
      `const real = JSON.stringify; const marks = "http://a" + "\\u0301\\u0316".repeat(250_000);
     JSON.stringify = (value) => real(value).replace('"MARKS"', () => real([marks]));
     try { new URL("MARKS") } catch {}
     await fetch("http://127.0.0.1:1", { method: "MARKS" }).catch(() => {});
     return { raw: true };`,
    ],
    'a length in place of a text for the host': [
      true,
      'Object.prototype.toJSON = function () { return this[1] === "utf8" ? [{ length: 4e9 }, "utf8"] : this }; return { raw: Buffer.from("x".repeat(300)).length < 300 }',
    ],
    'process through a constructor': [
      [],
      'return { raw: Object.keys([].constructor.constructor("return process")().env) }',
    ],
    'the environment': [{}, 'return { raw: process.env }'],
    WebAssembly: ['undefined', 'return { raw: typeof WebAssembly }'],
    'metadata of the cloud': [
      'ERR_NETWORK_POLICY',
      'return { raw: await fetch("http://169.254.169.254/").catch((e) => e.cause.code) }',
    ],
    'a foreign host': [
      'ERR_NETWORK_POLICY',
      'return { raw: await fetch("http://example.com/").catch((e) => e.cause.code) }',
    ],
    'files through fetch': [
      'ERR_INVALID_PROTOCOL',
      'return { raw: await fetch("file:///etc/passwd").catch((e) => e.cause.code) }',
    ],
    'too many requests': [
      true,
      'const all = await Promise.allSettled(Array.from({ length: 1500 }, () => fetch("http://127.0.0.1:1"))); return { raw: all.some((r) => /More than/.test(r.reason.cause.message)) }',
    ],
    prototypes: [1, 'Object.prototype.polluted = 1; Array.prototype.map = null; return { raw: 1 }'],
    JSON: [2, 'JSON.stringify = () => "1"; JSON.parse = null; return { raw: 2 }'],
    promises: [
      3,
      'Promise.prototype.then = () => {}; Promise.resolve = null; globalThis.Promise = null; await 1; return { raw: 3 }',
    ],
    'every global': [
      4,
      'for (const k of Object.getOwnPropertyNames(globalThis)) { try { delete globalThis[k] } catch {} } return { raw: 4 }',
    ],
    'a thenable result': [5, 'return { then(done) { done({ raw: 5 }); done({ raw: 6 }); throw 1 } }'],
    'a result that changes between looks': [1, 'let n = 0; return { get raw() { return ++n } }'],
    'work left behind': [7, '(async () => { for (;;) await 1 })(); return { raw: 7 }'],
    'timers left behind': [
      8,
      'setInterval(() => {}, 1); setTimeout(() => { for (;;) {} }, 5); return { raw: 8 }',
    ],
    'requests left behind': [9, 'void fetch("http://127.0.0.1:1").catch(() => {}); return { raw: 9 }'],
    'memory of the host in new buffers': [
      [10, 300, false],
      'const { randomBytes } = require("crypto"); return { raw: [randomBytes(10).buffer.byteLength, new TextEncoder().encode("x".repeat(300)).buffer.byteLength, Buffer.allocUnsafe(5000).some((b) => b !== 0)] }',
    ],
    'paths of the host in errors': [
      false,
      'const stacks = []; for (const f of [() => new URL("x"), () => new Intl.NumberFormat("x-"), () => require("crypto").createHash("x"), () => new TextDecoder("x"), () => require("fs"), () => null.x]) { try { f() } catch (e) { stacks.push(e.stack) } } return { raw: /\\/|node:internal|dist/.test(stacks.join()) }',
    ],
  }),
  ...attacks(['threw', 'returned'], {
    'segmenting a long text': '[...new Intl.Segmenter("en").segment("x".repeat(90_000))]',
    'recursion through proxies': 'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x',
    'a deep regular expression': 'new RegExp("(".repeat(1e5) + ")".repeat(1e5)).test("a")',
    'a deep structuredClone': 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; structuredClone(a)',
  }),
  ...attacks(['threw', 'returned', 'out-of-memory'], {
    'a chain of bound functions': 'let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(null); f()',
  }),
  ...attacks(['not-json', 'returned', 'timeout'], {
    'a deep result': 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return { raw: a }',
  }),
  ...attacks('load-error', {
    'a deep expression': `module.exports = ${'('.repeat(20000)}1${')'.repeat(20000)}`,
  }),
  ...attacks('output-too-large', {
    'too much output': 'return { raw: "x".repeat(6e6) }',
    'output that grows when written': 'return { raw: "\\u0001".repeat(1e6) }',
  }),
  ...attacks(['returned', 'timeout'], {
    'a million lines of log': 'for (let i = 0; i < 1e6; i++) console.log(i)',
    'one line of ten megabytes': 'console.log("x".repeat(1e7))',
  }),
  ...attacks(['returned', 'timeout', 'threw'], {
    'a log of something that fights back':
      'console.log(new Proxy({}, { get() { for (;;) {} }, ownKeys() { for (;;) {} } }))',
  }),
  ...attacks('not-json', {
    'a deep result that can still be written':
      'let a = []; for (let i = 0; i < 1000; i++) a = [a]; return { raw: a }',
    'a result of very many values': 'return { raw: Array.from({ length: 100000 }, () => []) }',
    'an error with deep properties':
      'let a = []; for (let i = 0; i < 1000; i++) a = [a]; throw Object.assign(new Error("x"), { status: 400, errors: { a } })',
  }),
  ...attacks(['threw', 'output-too-large'], {
    'a huge errors map':
      'throw Object.assign(new Error("x"), { status: 400, errors: { a: ["x".repeat(6e6)] } })',
  }),
  ...attacks(['returned', 'threw', 'out-of-memory'], {
    'shared memory': 'return { raw: new SharedArrayBuffer(1e9).byteLength }',
  }),
  ...attacks('returned', {
    'the wrapper of the module': 'return { raw: String(arguments.callee?.caller) }',
    'call sites':
      'Error.prepareStackTrace = (e, sites) => sites; const s = new Error().stack; Error.prepareStackTrace = undefined; return { raw: s.map((x) => typeof x.getThis) .every((t) => t === "undefined" || t === "function") }',
    '__proto__ in the result': `return JSON.parse('{"raw":{"__proto__":{"polluted":1}}}')`,
  }),
  ...attacks(['out-of-memory', 'timeout'], {
    'promises that fill the memory':
      'for (let i = 0; ; i++) { (async () => { await null; return Array(1000).fill(i) })(); if (i % 100 === 0) await null }',
  }),
  ...attacks('stalled', { 'no promise that settles': 'await new Promise(() => {})' }),
];

/** Milliseconds: short for what never ends, ample for what is to end by itself, on a busy machine too. */
export const deadlineOf = ({ ends }: Attack): number => (ends.includes('timeout') ? 300 : 60_000);
