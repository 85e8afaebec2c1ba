import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleReactor } from '../../../../src/cli/reactors/build/bundle.js';
import { ReactorCodeError } from '../../../../src/cli/reactors/build/bundling-problems.js';
import { projectDir } from '../../../support/project-dir.js';

async function failureOf(files: Record<string, string>): Promise<ReactorCodeError> {
  const cwd = await projectDir(files);
  const error = await bundleReactor({ file: join(cwd, 'a.ts'), cwd, external: [] }).catch(
    (thrown: unknown) => thrown,
  );
  if (error instanceof ReactorCodeError) return error;
  throw error;
}

const packageOf = (name: string, code: string) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, main: 'index.js' }),
  [`node_modules/${name}/index.js`]: code,
});

test('a package that needs Node.js is reported once, at its import, with what to do', async () => {
  const { problems, failure } = await failureOf({
    'a.ts': `const one = 1;\nimport Pay from 'pay';\nexport default () => new Pay(one);\n`,
    ...packageOf('pay', `require('net'); require('tls'); module.exports = require('./lib');`),
    'node_modules/pay/lib.js': `module.exports = require('net').Socket;`,
  });
  expect(problems).toEqual([
    {
      file: 'a.ts',
      line: 2,
      column: 17,
      message: 'pay needs "net", "tls", which the service does not provide',
    },
  ]);
  expect(failure.hint).toMatch(/--external pay .*--reactor-runtime node --reactor-modules \./);
});

test('a package inside a package is reported at the import of the outer one', async () => {
  const { problems } = await failureOf({
    'a.ts': `import outer from 'outer';\nexport default outer;\n`,
    ...packageOf('outer', `module.exports = require('@scope/inner');`),
    ...packageOf('@scope/inner', `module.exports = require('net');`),
  });
  expect(problems).toEqual([
    expect.objectContaining({
      file: 'a.ts',
      line: 1,
      message: '@scope/inner (imported by outer) needs "net", which the service does not provide',
    }),
  ]);
});

test('a package that is not installed comes with the command that installs it', async () => {
  const { failure } = await failureOf({ 'a.ts': `import pad from 'left-pad/lib';\nexport default pad;\n` });
  expect(failure.hint).toBe('Install with: npm install left-pad.');
});

test('other errors need no advice', async () => {
  const { failure, problems } = await failureOf({ 'a.ts': `import './gone';\n` });
  expect([failure.hint, problems[0]?.line]).toEqual([undefined, 1]);
});
