import type { InvocationOutcome } from '../../../emulator/sandbox/outcome.js';

export interface Attack {
  name: string;
  /** A whole reactor, or (without `module.exports`) the body of an asynchronous one. */
  code: string;
  /** How it may end. */
  ends: InvocationOutcome['kind'][];
  /** What the code returned, when it returns. */
  returns?: unknown;
}

const attack = (
  name: string,
  ends: Attack['ends'] | Attack['ends'][number],
  code: string,
  returns?: unknown,
): Attack => ({
  name,
  code,
  ends: [ends].flat(),
  ...(returns !== undefined && { returns }),
});

const HUNGRY: Attack['ends'] = ['out-of-memory', 'timeout', 'threw'];

const loops: Attack[] = [
  attack('a plain loop', 'timeout', 'for (;;) {}'),
  attack('a loop at the top level', 'timeout', 'for (;;) {} module.exports = () => {}'),
  attack('a loop at the top level of an ES module', 'timeout', 'for (;;) {} export default () => {}'),
  attack(
    'awaiting for ever at the top level of an ES module',
    'timeout',
    'for (;;) await 1; export default () => {}',
  ),
  attack('a loop in a wrapper closed early', 'timeout', '}); for (;;) {} (function () {'),
  attack('a loop that catches its interruption', 'timeout', 'for (;;) { try { for (;;) {} } catch {} }'),
  attack('a loop in finally', 'timeout', 'try { for (;;) {} } finally { for (;;) {} }'),
  attack('endless awaiting', 'timeout', 'for (;;) await null'),
  attack(
    'endless microtasks',
    'timeout',
    'const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})',
  ),
  attack(
    'queueMicrotask for ever',
    'timeout',
    'const f = () => queueMicrotask(f); f(); await new Promise(() => {})',
  ),
  attack(
    'process.nextTick for ever',
    'timeout',
    'const f = () => process.nextTick(f); f(); await new Promise(() => {})',
  ),
  attack('a thenable that resolves to itself', 'timeout', 'const t = { then(done) { done(t) } }; await t'),
  attack(
    'an asynchronous generator without end',
    'timeout',
    'for await (const x of (async function* () { for (;;) yield 1 })());',
  ),
  attack('timers for ever', 'timeout', 'const f = () => setTimeout(f, 0); f(); await new Promise(() => {})'),
  attack('an interval for ever', 'timeout', 'setInterval(() => {}, 1); await new Promise(() => {})'),
  attack('sorting a huge length', HUNGRY, 'Array.prototype.sort.call({ length: 2 ** 32 - 1 })'),
  attack('indexOf over a huge length', HUNGRY, 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'),
  attack('reversing a huge length', HUNGRY, 'Array.prototype.reverse.call({ length: 2 ** 53 - 1 })'),
  attack(
    'copyWithin over a huge length',
    HUNGRY,
    'Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1)',
  ),
  attack('joining a huge array', HUNGRY, 'return { raw: Array(2 ** 32 - 1).join("x").length }'),
  attack('filling a huge array', HUNGRY, 'new Array(2 ** 31).fill(0)'),
  attack('flattening deeply', HUNGRY, 'let a = []; for (let i = 0; i < 1e6; i++) a = [a]; a.flat(Infinity)'),
  attack('a regular expression that backtracks', HUNGRY, '/^(a+)+$/.test("a".repeat(40) + "b")'),
  attack('replacing in a huge text', HUNGRY, '"x".repeat(2 ** 28).replace(/x/g, "yy")'),
  attack('a huge BigInt', HUNGRY, 'let n = 3n; for (;;) n *= n'),
  attack('BigInt to text', HUNGRY, 'String(2n ** 4_000_000n)'),
  attack(
    'nested JSON.stringify',
    HUNGRY,
    'const a = Array(5000).fill(0); const b = Array(5000).fill(a); for (;;) JSON.stringify(b)',
  ),
  attack('a spread without end', HUNGRY, '[...{ *[Symbol.iterator]() { for (;;) yield 1 } }]'),
  attack('a getter that loops in the result', 'timeout', 'return { get raw() { for (;;) {} } }'),
  attack('a toJSON that loops', 'timeout', 'return { raw: { toJSON() { for (;;) {} } } }'),
  attack(
    'a proxy that loops in the result',
    'timeout',
    'return new Proxy({}, { ownKeys() { for (;;) {} } })',
  ),
  attack('an error whose message loops', 'timeout', 'throw { get message() { for (;;) {} } }'),
  attack('an error whose toString loops', 'timeout', 'throw { toString() { for (;;) {} } }'),
  attack(
    'hashing for ever',
    'timeout',
    'const { createHash } = require("crypto"); for (;;) createHash("sha512").update("x".repeat(1e5)).digest()',
  ),
  attack('asking the host for ever', 'timeout', 'for (;;) crypto.randomUUID()'),
  attack('formatting a huge BigInt', ['threw', ...HUNGRY], '(10n ** 50_000n).toLocaleString()'),
  attack('comparing huge texts', 'threw', '"x".repeat(5e5).localeCompare("y".repeat(5e5))'),
  attack('listing a huge list', 'threw', 'new Intl.ListFormat("en").format(Array(1e5).fill("x"))'),
  attack('a host of combining marks', 'threw', 'new URL("http://a" + "\\u0301\\u0316".repeat(250_000))'),
  attack(
    'a host of combining marks through every URL operation',
    'returned',
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
    { raw: true },
  ),
  attack(
    'a host of combining marks as something other than a text',
    'returned',
    `const real = JSON.stringify; const marks = "http://a" + "\\u0301\\u0316".repeat(250_000);
     JSON.stringify = (value) => real(value).replace('"MARKS"', () => real([marks]));
     try { new URL("MARKS") } catch {}
     await fetch("http://127.0.0.1:1", { method: "MARKS" }).catch(() => {});
     return { raw: true };`,
    { raw: true },
  ),
  attack('comparing combining marks', 'threw', '("a" + "\\u0301\\u0316".repeat(24_000)).localeCompare("b")'),
  attack(
    'segmenting a long text',
    ['threw', 'returned'],
    '[...new Intl.Segmenter("en").segment("x".repeat(90_000))]',
  ),
  attack(
    'a locale of a thousand keywords',
    'threw',
    'new Intl.NumberFormat("en-u-" + Array.from({ length: 19_000 }, (_, i) => (i + 1e5).toString(36)).join("-"))',
  ),
  attack(
    'resolving a path of many segments',
    'threw',
    'require("url").resolve("http://a/" + "b/".repeat(1e6), "../".repeat(1e6))',
  ),
  attack('a huge URL', 'threw', 'new URL("http://a/" + "b".repeat(3e6))'),
  attack(
    'Intl for ever',
    'timeout',
    'for (let i = 0; ; i++) new Intl.NumberFormat("de", { minimumFractionDigits: i % 20 }).format(i)',
  ),
  attack('URLs for ever', 'timeout', 'for (;;) new URL("http://a/" + "b".repeat(1e4))'),
];

const memory: Attack[] = [
  attack('an array without end', HUNGRY, 'const a = []; for (;;) a.push({})'),
  attack('texts without end', HUNGRY, 'const a = []; for (let i = 0; ; i++) a.push("x".repeat(1000) + i)'),
  attack('a text that doubles', HUNGRY, 'let s = "x"; for (;;) s += s'),
  attack('byte arrays without end', HUNGRY, 'const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))'),
  attack('a Map without end', HUNGRY, 'const m = new Map(); for (let i = 0; ; i++) m.set(i, i)'),
  attack('one huge buffer', HUNGRY, 'new ArrayBuffer(2 ** 31)'),
  attack('a huge Buffer', HUNGRY, 'Buffer.alloc(2 ** 30)'),
  attack('a huge repeat', HUNGRY, '"x".repeat(2 ** 30 - 1).length'),
  attack('padding to a huge length', HUNGRY, '"x".padEnd(2 ** 29, "abc").length'),
  attack(
    'memory that catches its own failure',
    HUNGRY,
    'const a = []; for (;;) { try { a.push(new Array(1e5).fill(1)) } catch {} }',
  ),
  attack(
    'bytes as an option of Intl',
    'threw',
    'new Intl.NumberFormat("en", { currency: new Uint8Array(3e7) }).format(1)',
  ),
  attack(
    'bytes as an option of toLocaleString',
    'threw',
    '(1).toLocaleString("en", { x: new Uint8Array(3e7) })',
  ),
  attack('bytes as a query of a URL', 'threw', 'require("url").format({ query: new Uint8Array(3e7) })'),
  attack(
    'bytes in place of options of the host',
    'threw',
    'require("crypto").scryptSync("a", "b", 16, new Uint8Array(1e7))',
  ),
  attack(
    'millions of values for the host',
    'threw',
    'JSON.stringify = () => "[" + "0,".repeat(1e7) + "0]"; Buffer.from("x")',
  ),
  attack(
    'a decompression without a bound',
    'threw',
    'const z = require("zlib"); z.gunzipSync(Buffer.concat(Array(12).fill(z.gzipSync(Buffer.alloc(15e6)))), { maxOutputLength: NaN })',
  ),
  attack('too many random bytes', 'threw', 'require("crypto").randomBytes(2 ** 30)'),
  attack(
    'a length in place of a text for the host',
    'returned',
    'Object.prototype.toJSON = function () { return this[1] === "utf8" ? [{ length: 4e9 }, "utf8"] : this }; return { raw: Buffer.from("x".repeat(300)).length < 300 }',
    { raw: true },
  ),
  attack(
    'random bytes kept for ever',
    HUNGRY,
    'const a = []; for (;;) a.push(require("crypto").randomBytes(1e6))',
  ),
  attack('closures without end', HUNGRY, 'let f = () => 1; for (;;) { const g = f; f = () => g }'),
  attack('promises without end', HUNGRY, 'const a = []; for (;;) a.push(new Promise(() => {}))'),
  attack('symbols without end', HUNGRY, 'const a = []; for (let i = 0; ; i++) a.push(Symbol(i))'),
];

const stack: Attack[] = [
  attack('recursion without end', 'threw', 'const f = () => f() + 1; f()'),
  attack('recursion through getters', 'threw', 'const o = { get x() { return this.x } }; o.x'),
  attack('recursion through toString', 'threw', 'const o = { toString() { return "" + this } }; String(o)'),
  attack(
    'recursion through proxies',
    ['threw', 'returned'],
    'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x',
  ),
  attack(
    'a chain of bound functions',
    ['threw', 'returned', 'out-of-memory'],
    'let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(null); f()',
  ),
  attack('deep JSON to parse', 'threw', 'JSON.parse("[".repeat(1e6))'),
  attack(
    'a deep result',
    ['not-json', 'returned', 'timeout'],
    'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return { raw: a }',
  ),
  attack('a deep expression', 'load-error', `module.exports = ${'('.repeat(20_000)}1${')'.repeat(20_000)}`),
  attack('deep source through eval', 'threw', 'eval("[".repeat(1e5))'),
  attack(
    'a deep regular expression',
    ['threw', 'returned'],
    'new RegExp("(".repeat(1e5) + ")".repeat(1e5)).test("a")',
  ),
  attack(
    'a deep structuredClone',
    ['threw', 'returned'],
    'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; structuredClone(a)',
  ),
  attack('ten million arguments', HUNGRY, 'Math.max(...new Array(1e7))'),
];

const output: Attack[] = [
  attack('too much output', 'output-too-large', 'return { raw: "x".repeat(6e6) }'),
  attack('output that grows when written', 'output-too-large', 'return { raw: "\\u0001".repeat(1e6) }'),
  attack('a million lines of log', ['returned', 'timeout'], 'for (let i = 0; i < 1e6; i++) console.log(i)'),
  attack('one line of ten megabytes', ['returned', 'timeout'], 'console.log("x".repeat(1e7))'),
  attack(
    'a log of something that fights back',
    ['returned', 'timeout', 'threw'],
    'console.log(new Proxy({}, { get() { for (;;) {} }, ownKeys() { for (;;) {} } }))',
  ),
  attack(
    'requests with huge methods',
    'returned',
    'const all = await Promise.allSettled(Array.from({ length: 25 }, () => fetch("http://127.0.0.1:1", { method: "M".repeat(8e6) }))); return { raw: all.every((r) => /method is longer/.test(r.reason.message)) }',
    { raw: true },
  ),
  attack(
    'a deep result that can still be written',
    'not-json',
    'let a = []; for (let i = 0; i < 1000; i++) a = [a]; return { raw: a }',
  ),
  attack(
    'a result of very many values',
    'not-json',
    'return { raw: Array.from({ length: 100000 }, () => []) }',
  ),
  attack(
    'an error with deep properties',
    'not-json',
    'let a = []; for (let i = 0; i < 1000; i++) a = [a]; throw Object.assign(new Error("x"), { status: 400, errors: { a } })',
  ),
  attack('a huge error message', 'threw', 'throw new Error("x".repeat(1e7))'),
  attack(
    'a huge errors map',
    ['threw', 'output-too-large'],
    'throw Object.assign(new Error("x"), { status: 400, errors: { a: ["x".repeat(6e6)] } })',
  ),
];

const escapes: Attack[] = [
  attack(
    'process through a constructor',
    'returned',
    'return { raw: Object.keys([].constructor.constructor("return process")().env) }',
    { raw: [] },
  ),
  attack('process by name', 'threw', 'process.exit(1)'),
  attack('process bindings', 'threw', 'process.binding("fs")'),
  attack('the environment', 'returned', 'return { raw: process.env }', { raw: {} }),
  attack('the file system', 'threw', 'require("fs")'),
  attack('child processes', 'threw', 'require("node:child_process")'),
  attack('worker threads', 'threw', 'require("worker_threads")'),
  attack('a file by path', 'threw', 'require("../../../../etc/passwd")'),
  attack('a bundle by path', 'threw', 'require("../sandbox-worker")'),
  attack('a module named like a property', 'threw', 'require("__proto__")'),
  attack('import of the file system', 'threw', 'await import("fs")'),
  attack('import of a file', 'threw', 'await import("file:///etc/passwd")'),
  attack('WebAssembly', 'returned', 'return { raw: typeof WebAssembly }', { raw: 'undefined' }),
  attack(
    'shared memory',
    ['returned', 'threw', 'out-of-memory'],
    'return { raw: new SharedArrayBuffer(1e9).byteLength }',
  ),
  attack('the wrapper of the module', 'returned', 'return { raw: String(arguments.callee?.caller) }'),
  attack(
    'call sites',
    'returned',
    'Error.prepareStackTrace = (e, sites) => sites; const s = new Error().stack; Error.prepareStackTrace = undefined; return { raw: s.map((x) => typeof x.getThis) .every((t) => t === "undefined" || t === "function") }',
  ),
  attack(
    'metadata of the cloud',
    'returned',
    'return { raw: await fetch("http://169.254.169.254/").catch((e) => e.cause.code) }',
    { raw: 'ERR_NETWORK_POLICY' },
  ),
  attack(
    'a foreign host',
    'returned',
    'return { raw: await fetch("http://example.com/").catch((e) => e.cause.code) }',
    { raw: 'ERR_NETWORK_POLICY' },
  ),
  attack(
    'files through fetch',
    'returned',
    'return { raw: await fetch("file:///etc/passwd").catch((e) => e.cause.code) }',
    { raw: 'ERR_INVALID_PROTOCOL' },
  ),
  attack(
    'a header with a line break',
    'threw',
    'await fetch("http://127.0.0.1:1", { headers: { a: "b\\r\\nc: d" } })',
  ),
  attack(
    'too many requests',
    'returned',
    'const all = await Promise.allSettled(Array.from({ length: 1500 }, () => fetch("http://127.0.0.1:1"))); return { raw: all.some((r) => /More than/.test(r.reason.cause.message)) }',
    { raw: true },
  ),
  attack('too many timers', 'threw', 'for (;;) setTimeout(() => {}, 1e6)'),
  attack(
    'too many calls of svc',
    'threw',
    'await Promise.all(Array.from({ length: 5000 }, () => req.svc.tokens.get("x")))',
  ),
  attack('no promise that settles', 'stalled', 'await new Promise(() => {})'),
];

const tampering: Attack[] = [
  attack(
    'prototypes',
    'returned',
    'Object.prototype.polluted = 1; Array.prototype.map = null; return { raw: 1 }',
    { raw: 1 },
  ),
  attack('JSON', 'returned', 'JSON.stringify = () => "1"; JSON.parse = null; return { raw: 2 }', { raw: 2 }),
  attack(
    'promises',
    'returned',
    'Promise.prototype.then = () => {}; Promise.resolve = null; globalThis.Promise = null; await 1; return { raw: 3 }',
    { raw: 3 },
  ),
  attack(
    'every global',
    'returned',
    'for (const k of Object.getOwnPropertyNames(globalThis)) { try { delete globalThis[k] } catch {} } return { raw: 4 }',
    { raw: 4 },
  ),
  attack(
    '__proto__ in the result',
    'returned',
    'return JSON.parse(\'{"raw":{"__proto__":{"polluted":1}}}\')',
  ),
  attack(
    'a thenable result',
    'returned',
    'return { then(done) { done({ raw: 5 }); done({ raw: 6 }); throw 1 } }',
    { raw: 5 },
  ),
  attack(
    'a result that changes between looks',
    'returned',
    'let n = 0; return { get raw() { return ++n } }',
    { raw: 1 },
  ),
  attack('a thrown null', 'threw', 'throw null'),
  attack('a thrown symbol', 'threw', 'throw Symbol("x")'),
  attack(
    'a thrown proxy',
    'threw',
    'throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })',
  ),
  attack(
    'a thrown object whose getters throw',
    'threw',
    'throw { get message() { throw 1 }, get stack() { throw 2 }, get status() { throw 3 } }',
  ),
  attack(
    'a status that is none',
    'threw',
    'throw Object.assign(new Error("x"), { status: { valueOf: () => 400 } })',
  ),
  attack('work left behind', 'returned', '(async () => { for (;;) await 1 })(); return { raw: 7 }', {
    raw: 7,
  }),
  attack(
    'timers left behind',
    'returned',
    'setInterval(() => {}, 1); setTimeout(() => { for (;;) {} }, 5); return { raw: 8 }',
    { raw: 8 },
  ),
  attack(
    'requests left behind',
    'returned',
    'void fetch("http://127.0.0.1:1").catch(() => {}); return { raw: 9 }',
    { raw: 9 },
  ),
  attack(
    'memory of the host in new buffers',
    'returned',
    'const { randomBytes } = require("crypto"); return { raw: [randomBytes(10).buffer.byteLength, new TextEncoder().encode("x".repeat(300)).buffer.byteLength, Buffer.allocUnsafe(5000).some((b) => b !== 0)] }',
    { raw: [10, 300, false] },
  ),
  attack(
    'paths of the host in errors',
    'returned',
    'const stacks = []; for (const f of [() => new URL("x"), () => new Intl.NumberFormat("x-"), () => require("crypto").createHash("x"), () => new TextDecoder("x"), () => require("fs"), () => null.x]) { try { f() } catch (e) { stacks.push(e.stack) } } return { raw: /\\/|node:internal|dist/.test(stacks.join()) }',
    { raw: false },
  ),
];

export const ATTACKS: Attack[] = [...loops, ...memory, ...stack, ...output, ...escapes, ...tampering];

/** Milliseconds: short for what never ends, ample for what is to end by itself, on a busy machine too. */
export const deadlineOf = ({ ends }: Attack): number => (ends.includes('timeout') ? 300 : 60_000);
