import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleEntry } from '../../../../src/cli/reactors/build/bundle.js';
import { findNewerFeatures } from '../../../../src/cli/reactors/build/newer-features.js';
import { projectDir, tokenctl } from '../../../support/executable.js';

/** What is found in a file, as `line:column feature`. */
async function found(code: string, file = 'a.js', bundle = true): Promise<string[]> {
  const cwd = await projectDir({ [file]: code });
  const entry = { name: 'a', code: join(cwd, file), external: [], bundle };
  const problems = await findNewerFeatures(await bundleEntry(entry, { cwd }));
  return problems.map(({ line, column, message }) => `${line}:${column} ${message.replace(/^.*lacks /, '')}`);
}

test.each([
  ['[2, 1].toSorted();', '1:8 Array.prototype.toSorted'],
  ['const a = [];\na?.findLast(Boolean);', '2:4 Array.prototype.findLast'],
  ['Object.groupBy([], String);', '1:8 Object.groupBy'],
  ['new Float16Array(1);', '1:5 Float16Array'],
  ['Iterator.from([]);', '1:1 Iterator'],
  ["new RegExp('a', 'iv');", '1:5 the flag v of RegExp'],
])('a function that Node.js 16 lacks has its position: %s', async (code, problem) => {
  expect(await found(code)).toEqual([problem]);
});

test.each([
  'if (Array.prototype.toSorted) [].toSorted();',
  'Object.groupBy ? Object.groupBy([], String) : null;',
  'class List { toSorted() {} }\nnew List().toSorted();',
  'class Iterator {}\nnew Iterator();',
  'structuredClone([].at(0)); fetch; Object.hasOwn({}, "a"); new Set().union; "".replaceAll("a", "b");',
  'async () => { for await (let a of []) a ||= /a/d; }\nclass A { #a; static { this.b = 1; } }',
  '#!/usr/bin/env node\nmodule.exports = 1;',
])('what code tests for or defines itself, and what Node.js 16 has, is not reported: %s', async (code) => {
  expect(await found(code)).toEqual([]);
  expect(await found(code, 'a.js', false)).toEqual([]);
});

test('syntax that Node.js 16 lacks is reported where esbuild does not rewrite it', async () => {
  const code = 'export default async () => {\n  using a = open();\n  return /[a--b]/v;\n};\n';
  expect(await found(code, 'a.js', false)).toEqual([expect.stringMatching(/^2:9 .*cannot parse this: /)]);
  expect(await found(code)).toEqual(['3:10 the flag v of RegExp']);
});

test('run, test, build and deploy name the line of the source, unless the reactor runs on a newer Node.js', async () => {
  const code = 'import { one } from "./one";\nexport default async () => ({ raw: one([2, 1]) });\n';
  const cwd = await projectDir({
    'a.ts': code,
    'b.ts': code,
    'one.ts': '// Sorts.\nexport const one = (list: any) => [list.length, () => list.toSorted()];\n',
    'a.test.json': '{ "cases": [{ "name": "sorts", "args": {} }] }',
    'tokenctl.yaml': 'reactors:\n  - code: a.ts\n  - { code: b.ts, runtime: { image: node22 } }\n',
  });
  const warning = /warning: one\.ts:2:60: Node\.js 16, .* lacks Array\.prototype\.toSorted\.\n/g;
  for (const command of ['reactor run a.ts', 'reactor test', 'reactor build --minify', 'plan --json']) {
    const { stderr } = await tokenctl(command, { cwd });
    expect([command, stderr.match(warning)]).toEqual([command, [expect.anything()]]);
  }
  const env = { GITHUB_ACTIONS: 'true' };
  expect((await tokenctl('reactor build', { cwd, env })).stderr).toContain(
    '::warning file=one.ts,line=2,col=60,title=reactor code::Node.js 16',
  );
});
