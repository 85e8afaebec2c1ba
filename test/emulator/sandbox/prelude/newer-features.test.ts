import { expect, test } from 'vitest';
import { returned, testSandbox } from '../../../support/sandbox.js';

const sandbox = testSandbox();

const typesOf = (expressions: readonly string[]) =>
  returned(
    sandbox,
    `module.exports = async () => ({ raw: { ${expressions.map((one) => `${JSON.stringify(one)}: typeof ${one}`)} } });`,
  );

/** Each is a function in Node.js 20 to 24. */
const NEWER = [
  ...['[].findLast', '[].toSorted', '[].toSpliced', '[].toReversed', '[].with', 'Array.fromAsync'],
  ...['new Uint8Array().toSorted', 'Buffer.alloc(1).with', 'Object.groupBy', 'Map.groupBy'],
  ...['Promise.withResolvers', 'Promise.try', "'a'.isWellFormed", 'new Set().union', '[].values().map'],
  ...['globalThis.Iterator', 'new ArrayBuffer(1).transfer', 'RegExp.escape', 'Error.isError'],
];

test('reactor code has no feature of the language that Node.js 16 lacks', async () => {
  expect(await typesOf(NEWER)).toEqual({ raw: Object.fromEntries(NEWER.map((one) => [one, 'undefined'])) });
});

const KEPT = [
  ...['[].at', '[].flat', "'a'.at", "'a'.replaceAll", 'Object.hasOwn', 'Object.fromEntries', 'Promise.any'],
  ...['AggregateError', 'WeakRef', 'FinalizationRegistry', 'structuredClone', '[].values().next'],
];

test('reactor code has those of Node.js 16, and structuredClone', async () => {
  expect(await typesOf(KEPT)).toEqual({ raw: Object.fromEntries(KEPT.map((one) => [one, 'function'])) });
});
