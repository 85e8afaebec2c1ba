import { expect, onTestFinished, test } from 'vitest';
import { createReactorLoader } from '../../../src/cli/emulator/reactor-loader.js';

const GOOD = 'module.exports = async () => ({});';

/** Loads all codes at once, by file. */
async function problemsOf(codes: Record<string, string>) {
  const loader = createReactorLoader();
  onTestFinished(() => loader.close());
  const entries = Object.entries(codes).map(async ([file, code]) => [file, await loader.load(code, file)]);
  return Object.fromEntries((await Promise.all(entries)).filter(([, problem]) => problem));
}

const many = (code: string) =>
  Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`${index}.js`, code]));

test.each([
  ['CommonJS', GOOD],
  ['a default export of CommonJS', 'exports.default = async () => ({});'],
  ['an ES module', "import { createHash } from 'crypto';\nexport default async () => createHash;"],
  ['a script for a shell', `#!/usr/bin/env node\n${GOOD}`],
  ['names that others declare too', `const name = require('uuid');\nfunction load() {}\n${GOOD}`],
])('many reactors load at once: %s', async (_, code) => {
  expect(await problemsOf(many(code))).toEqual({});
});

test('of many reactors that load at once, each that cannot is named with its own line', async () => {
  const problems = await problemsOf({
    ...many(GOOD),
    'throws.js': `\nthrow new Error('not set up');`,
    'nothing.js': 'module.exports = null;',
    'open.js': `${GOOD}\nif (`,
    'spoils.js': `globalThis.Function = undefined;\n${GOOD}`,
    ...Object.fromEntries(Object.entries(many(GOOD)).map(([file, code]) => [`after-${file}`, code])),
  });
  expect(problems).toMatchObject({
    'throws.js': { line: 2, message: 'throws when it is loaded: not set up', isThrown: true },
    'nothing.js': { message: expect.stringContaining('exports no function'), isThrown: false },
    'open.js': { line: 2, message: expect.stringContaining('does not parse'), isThrown: false },
  });
  expect(Object.keys(problems)).toHaveLength(3);
});
