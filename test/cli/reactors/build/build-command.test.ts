import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleEntry, bundleReactor } from '../../../../src/cli/reactors/build/bundle.js';
import { ReactorCodeError } from '../../../../src/cli/reactors/build/bundling-problems.js';
import { findNewerFeatures } from '../../../../src/cli/reactors/build/newer-features.js';
import { projectDir, tokenctl } from '../../../support/executable.js';

test('reactor build prints what deploy would send', async () => {
  const cwd = await projectDir({
    'plain.js': 'module.exports = async () => ({});\n',
    'typed.ts':
      "import { one } from './one.js';\nexport default async (): Promise<object> => ({ raw: one });\n",
    'one.ts': 'export const one: number = 1;\n',
    'tokenctl.json': JSON.stringify({
      reactors: ['plain.js', 'typed.ts'].map((code) => ({ name: code, code })),
    }),
  });
  const printed = async (command: string) => (await tokenctl(command, { cwd })).stdout;
  expect(await printed('reactor build plain.js')).toBe('module.exports = async () => ({});\n');
  const { reactors } = JSON.parse(await printed('reactor build --json'));
  expect(reactors).toMatchObject([
    { name: 'plain.js', file: 'plain.js', minified: false },
    {
      name: 'typed.ts',
      source_map: { version: 3, sources: expect.arrayContaining([`${cwd}/one.ts`, `${cwd}/typed.ts`]) },
    },
  ]);
  expect(await printed('reactor build')).toBe(
    reactors
      .map(({ name, code }: Record<string, string>) => `// ${name} (${name})\n${code?.trimEnd()}\n`)
      .join('\n'),
  );
  expect(await tokenctl('reactor build missing.ts', { cwd })).toMatchObject({ code: 2 });
});

test('--minify and the manifest minify code of any length, except what is uploaded as it is', async () => {
  const code = 'module.exports = async () => {\n  return { raw: 1 };\n};\n';
  const cwd = await projectDir({
    ...Object.fromEntries(['a.js', 'b.js', 'c.js'].map((name) => [name, code])),
    'tokenctl.yaml':
      'reactors:\n  - code: a.js\n  - { code: b.js, minify: true }\n  - { code: c.js, bundle: false }\n',
  });
  const minified = async (flags: string) =>
    (await tokenctl(`reactor build ${flags} --json`, { cwd })).json.reactors.map(
      (built: { code: string; minified: boolean }) => built.minified && built.code.length < code.length + 40,
    );
  expect(await minified('')).toEqual([false, true, false]);
  expect(await minified('--minify')).toEqual([true, true, false]);
});

test('modules that the runtime provides are named once, for all code or in an environment, and more by a reactor', async () => {
  const cwd = await projectDir({
    'a.js': `module.exports = [require('one'), require('two')];`,
    'b.js': `module.exports = require('one');`,
    'tokenctl.yaml': `external: [one]
environments: { test: { external: [two] } }
reactors:
  - { name: a, code: a.js, only: [test] }
  - { code: b.js }
  - { name: c, code: a.js, external: [two] }
`,
  });
  const builds = async (command: string) => (await tokenctl(`reactor build ${command}`, { cwd })).code;
  expect(await builds('')).toBe(0);
  expect(await builds('--environment test')).toBe(0);
  expect(await builds('b.js')).toBe(0);
  await rm(join(cwd, 'tokenctl.yaml'));
  expect(await builds('b.js')).toBe(2);
});

async function failureOf(files: Record<string, string>, entry = 'a.ts'): Promise<ReactorCodeError> {
  const cwd = await projectDir(files);
  const error = await bundleReactor({ file: join(cwd, entry), cwd, external: [] }).catch(
    (thrown: unknown) => thrown,
  );
  if (error instanceof ReactorCodeError) return error;
  throw error;
}

const packageOf = (name: string, code: string) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, main: 'index.js' }),
  [`node_modules/${name}/index.js`]: code,
});

test('a package that needs Node.js is reported once, with what to do', async () => {
  const { problems, failure } = await failureOf({
    'a.ts': `const one = 1;\nimport Pay from 'pay';\nexport default () => new Pay(one);\n`,
    ...packageOf('pay', `require('net'); require('tls'); module.exports = require('./lib');`),
    'node_modules/pay/lib.js': `module.exports = require('net').Socket;`,
  });
  expect(problems).toEqual([{ message: 'pay needs "net", "tls", which the service does not provide' }]);
  expect(failure.hint).toMatch(/--external pay .*--reactor-runtime node --reactor-modules \./);
});

test('a package that is not installed is reported where a file imports it, with the command that installs it', async () => {
  const { failure, problems } = await failureOf({
    'a.ts': `import { b } from './b';\nexport default b;\n`,
    'b.ts': `// Pads.\nimport pad from 'left-pad/lib';\nexport const b = pad;\n`,
  });
  expect(problems).toMatchObject([
    { file: 'b.ts', line: 2, message: expect.stringContaining('left-pad/lib') },
  ]);
  expect(failure.hint).toBe('Install with: npm install left-pad.');
});

test.each(['fs', 'node:fs', 'left-pad', '@scope/nothing'])('a module that nobody has: %s', async (name) => {
  const { problems } = await failureOf({ 'a.ts': `const x = require('${name}');` });
  const provided = `"${name}" is neither provided by the service (assert, axios, buffer,`;
  expect(problems).toMatchObject([{ file: 'a.ts', line: 1, message: expect.stringContaining(provided) }]);
});

test.each([
  ['an imported file that does not exist', `import './gone';\n`, 1, 'Could not resolve "./gone"'],
  ['a syntax error', 'module.exports = async () => {\n  return {;\n', 2, expect.stringContaining(';')],
  ['await outside of a function', 'export {};\nawait 1;\n', 2, expect.stringContaining('move it into')],
  ['a file of WebAssembly', `import './a.wasm';\n`, 1, expect.stringMatching(/^a\.wasm cannot be bundled/)],
])('%s is reported with its line, and without advice', async (_what, code, line, message) => {
  const { failure, problems } = await failureOf({ 'a.ts': code, 'a.wasm': '' });
  expect([failure.hint, problems]).toMatchObject([undefined, [{ file: 'a.ts', line, message }]]);
});

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
  const target = { TOKENCTL_BASE_URL: 'http://127.0.0.1:9', TOKENCTL_API_KEY: 'key_x' };
  for (const command of ['reactor run a.ts', 'reactor test', 'reactor build --minify', 'plan --json']) {
    const { stderr } = await tokenctl(command, { cwd, env: target });
    expect([command, stderr.match(warning)]).toEqual([command, [expect.anything()]]);
  }
  const env = { GITHUB_ACTIONS: 'true' };
  expect((await tokenctl('reactor build', { cwd, env })).stderr).toContain(
    '::warning file=one.ts,line=2,col=60,title=reactor code::Node.js 16',
  );
});
