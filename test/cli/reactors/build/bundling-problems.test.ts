import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleReactor } from '../../../../src/cli/reactors/build/bundle.js';
import { ReactorCodeError } from '../../../../src/cli/reactors/build/bundling-problems.js';
import { projectDir } from '../../../support/executable.js';

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

test.each(['fs', 'node:fs', 'left-pad', '@scope/nothing'])(
  'a module that neither the service nor the project has is named with those of the service: %s',
  async (name) => {
    const { problems } = await failureOf({ 'a.ts': `const x = require('${name}');` });
    const provided = `"${name}" is neither provided by the service (assert, axios, buffer,`;
    expect(problems).toMatchObject([{ file: 'a.ts', line: 1, message: expect.stringContaining(provided) }]);
  },
);

test.each([
  ['an imported file that does not exist', `import './gone';\n`, 1, 'Could not resolve "./gone"'],
  ['a syntax error', 'module.exports = async () => {\n  return {;\n', 2, expect.stringContaining(';')],
  ['await outside of a function', 'export {};\nawait 1;\n', 2, expect.stringContaining('move it into')],
  ['a file of WebAssembly', `import './a.wasm';\n`, 1, expect.stringMatching(/^a\.wasm cannot be bundled/)],
])('%s is reported with its line, and without advice', async (_what, code, line, message) => {
  const { failure, problems } = await failureOf({ 'a.ts': code, 'a.wasm': '' });
  expect([failure.hint, problems]).toMatchObject([undefined, [{ file: 'a.ts', line, message }]]);
});
