const SYMBOL_KEY = "{ 'a-b': 1, [Symbol('k')]: 2 }";

/** Rows whose results differ from those of Node.js 20, which docs/reactor-runtime.md explains. */
export const DIFFERENCES: ReadonlySet<string> = new Set([
  'typeof URL.createObjectURL',
  "require('util').inspect(Promise.resolve())",
  "require('util').format('%s %d %j %o', typeof Promise.resolve() === 'symbol' ? 's' : Promise.resolve(), 1, 1, 2)",
  "require('util').inspect(new ArrayBuffer(1))",
  "require('util').format('%s %d %j %o', typeof new ArrayBuffer(1) === 'symbol' ? 's' : new ArrayBuffer(1), 1, 1, 2)",
  `require('util').inspect(${SYMBOL_KEY})`,
  `require('util').inspect(${SYMBOL_KEY}, { depth: 0 })`,
  `require('util').inspect(${SYMBOL_KEY}, { compact: false })`,
  `require('util').inspect(${SYMBOL_KEY}, { breakLength: Infinity, sorted: true })`,
]);
