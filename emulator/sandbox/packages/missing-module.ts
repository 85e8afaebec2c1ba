/** Substitutes for modules of Node.js that are not provided but that packages use. */
const REPLACED: Readonly<Record<string, string>> = {
  os: `module.exports = {
    EOL: '\\n', arch: () => 'x64', platform: () => 'linux', type: () => 'Linux', release: () => '', endianness: () => 'LE',
    hostname: () => 'reactor', homedir: () => '/', tmpdir: () => '/tmp', cpus: () => [], networkInterfaces: () => ({}),
    uptime: () => 0, totalmem: () => 0, freemem: () => 0, loadavg: () => [0, 0, 0], constants: { signals: {}, errno: {} },
  };`,
  constants: 'module.exports = {};',
  diagnostics_channel: `const channel = () => ({
    hasSubscribers: false, subscribe() {}, unsubscribe() {}, publish() {}, runStores: (context, run, self, ...args) => run.apply(self, args),
  });
  const traced = ['traceSync', 'tracePromise'].map((name) => [name, (run, context, self, ...args) => run.apply(self, args)]);
  module.exports = {
    channel, hasSubscribers: () => false, subscribe() {}, unsubscribe() {},
    tracingChannel: () => ({ ...Object.fromEntries(traced), start: channel(), end: channel(), error: channel(), asyncStart: channel(), asyncEnd: channel() }),
  };`,
  perf_hooks: 'module.exports = { performance };',
  process: 'module.exports = process;',
  tty: 'module.exports = { isatty: () => false };',
  'stream/promises': `const { promises } = require('stream'); module.exports = promises;`,
  'stream/web': 'module.exports = { ReadableStream, WritableStream, TransformStream };',
  'timers/promises': `module.exports = {
    setTimeout: (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value)),
    setImmediate: (value) => new Promise((resolve) => setImmediate(resolve, value)),
  };`,
  'util/types': `module.exports = require('util').types;`,
};

/**
 * Returns the code that stands in for a module of Node.js. Many packages import modules, such as `fs`, for functions that
 * reactors never call, so importing one succeeds and only a call throws.
 */
export const missingModule = (name: string): string =>
  REPLACED[name] ??
  `const create = (path) =>
    new Proxy(function () {}, {
      get: (target, key) => {
        if (key === 'prototype') return target.prototype;
        if (Object.hasOwn(Object.prototype, key)) return target[key];
        if (typeof key === 'symbol' || key === '__esModule' || key === 'then') return undefined;
        return create(path + '.' + key);
      },
      apply: () => refuse(path),
      construct: () => refuse(path),
    });
  const refuse = (path) => { throw new Error(path + ' is not available in a reactor.'); };
  module.exports = create(${JSON.stringify(name)});`;
