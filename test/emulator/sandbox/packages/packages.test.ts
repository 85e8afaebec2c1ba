import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { projectDir } from '../../../support/executable.js';
import { ownSandbox, returned, run } from '../../../support/sandbox.js';

const FILES = {
  'secret.json': '{ "secret": "outside" }',
  'node_modules/.hidden/index.js': "module.exports = 'hidden';",
  'node_modules/pay/package.json': '{ "main": "main.js" }',
  'node_modules/pay/main.js':
    "const fs = require('fs'); exports.sign = (text) => require('crypto').createHash('md5').update(text).digest('hex'); exports.read = () => fs.readFileSync('/etc/passwd'); exports.Socket = class extends require('net').Socket {};",
  'node_modules/pay/lib/fee.js': 'let calls = 0; module.exports = () => ++calls;',
  'node_modules/pay/.npmrc': 'token',
  'node_modules/only-esm/package.json': '{ "type": "module", "exports": { "import": "./index.js" } }',
  'node_modules/only-esm/index.js': "export default 'default'; export const named = 'named';",
  'node_modules/limit/package.json':
    '{ "imports": { "#hooks": { "node": "async_hooks", "default": "./none.js" } } }',
  'node_modules/limit/index.js': "module.exports = (run) => require('#hooks').AsyncResource.bind(run)();",
  'node_modules/lacking/index.js': "require('nowhere');",
  'node_modules/unfit/index.js': 'module.exports = Object.keys(undefined);',
  'node_modules/broken/index.js': 'const = ;',
  'node_modules/uuid/index.js': "module.exports = 'replaced';",
  'node_modules/loop/index.js': 'for (;;);',
  'node_modules/large/index.js': `module.exports = ${JSON.stringify('x'.repeat(5 * 1024 * 1024))};`,
};

describe('QuickJS with a directory of packages', () => {
  const open = async () => ownSandbox({ modulesDir: await projectDir(FILES) });

  // A pipe that nobody writes to: its package is never read to its end.
  test.skipIf(process.platform === 'win32')('bundling ends with the time of the invocation', async () => {
    const modulesDir = await projectDir({ 'node_modules/stuck/package.json': '{}' });
    const pipe = join(modulesDir, 'node_modules/stuck/index.js');
    execFileSync('mkfifo', [pipe]);
    onTestFinished(() => void execFileSync('sh', ['-c', ': > "$0"', pipe]));
    const sandbox = ownSandbox({ modulesDir });
    const code = "module.exports = async () => ({ raw: typeof require('stuck') });";
    expect(await run(sandbox, code, { timeoutMs: 1_000 })).toMatchObject({
      kind: 'timeout',
      message: 'The reactor did not finish within 1000 ms.',
    });
    expect(await returned(sandbox, 'module.exports = async () => ({ raw: 1 });')).toEqual({ raw: 1 });
  });

  test('a reactor requires a package and a file of it, each loaded once', async () => {
    const code = `const { sign } = require('pay'); const fee = require('pay/lib/fee');
      module.exports = async () => ({ raw: [sign(''), fee(), require('pay/lib/fee')()] });`;
    expect(await returned(await open(), code)).toEqual({ raw: ['d41d8cd98f00b204e9800998ecf8427e', 1, 2] });
  });

  test("a package's own name for a module of Node.js stands for that module", async () => {
    const code = "module.exports = async () => ({ raw: require('limit')(() => 1) });";
    expect(await returned(await open(), code)).toEqual({ raw: 1 });
  });

  test('an error of a package that does not load here names the package and the line that requires it', async () => {
    const code = "\nmodule.exports = async () => ({ raw: require('unfit') });";
    const message = "The package 'unfit' cannot be loaded in this runtime: TypeError: ";
    expect(await run(await open(), code)).toMatchObject({
      error: { message: expect.stringContaining(message), position: { line: 2 } },
    });
  });

  test('import works as require, and so does a package that is an ES module only', async () => {
    const sandbox = await open();
    const imported = `import { sign } from 'pay'; import esm, { named } from 'only-esm';
      export default async () => ({ raw: [typeof sign, esm, named] });`;
    expect(await returned(sandbox, imported)).toEqual({ raw: ['function', 'default', 'named'] });
    const required = "module.exports = async () => ({ raw: require('only-esm').named });";
    expect(await returned(sandbox, required)).toEqual({ raw: 'named' });
  });

  test('a package runs inside the engine: modules that a reactor cannot have refuse to work', async () => {
    const code = `const pay = require('pay');
      module.exports = async () => {
        const refused = [];
        for (const use of [() => pay.read(), () => new pay.Socket()]) try { use(); } catch (error) { refused.push(error.message); }
        return { raw: refused };
      };`;
    expect(await returned(await open(), code)).toEqual({
      raw: ['fs.readFileSync is not available in a reactor.', 'net.Socket is not available in a reactor.'],
    });
  });

  test.each([
    ['a path out of the package', 'pay/../../secret.json'],
    ['a path out of node_modules', '../secret.json'],
    ['a relative path', './secret.json'],
    ['an absolute path', '/etc/hostname'],
    ['a URL of a file', 'file:///etc/hostname'],
    ['a hidden file of a package', 'pay/.npmrc'],
    ['a hidden directory', '.hidden'],
    ['a package that is not installed', 'absent'],
    ['a package that does not parse', 'broken'],
    ['a package that is too long', 'large'],
    ['a module of Node.js', 'fs'],
  ])('%s cannot be required', async (_title, name) => {
    const code = `module.exports = async () => { const name = require(${JSON.stringify(name)}); return { raw: name }; };`;
    const outcome = await run(await open(), code);
    expect(outcome).toMatchObject({
      kind: 'threw',
      error: { message: expect.stringContaining(`Cannot find module '${name}'`) },
    });
    expect(JSON.stringify(outcome)).not.toMatch(/outside|token'/);
  });

  test.each([
    ['is not installed', "'absent'", 'it was not installed when the reactor was loaded.'],
    [
      'does not parse',
      "'broken'",
      'it is installed, but cannot be bundled for this runtime (Expected identifier',
    ],
    ['lacks a dependency', "'lacking'", '(Could not resolve "nowhere")'],
    ['is too long', "'large'", '(it is longer than 4194304 characters)'],
    ['has a computed name', "'p' + ['a', 'y'].join('')", 'the code computes its name.'],
  ])('the message says that a package %s', async (_title, name, reason) => {
    const code = `module.exports = async () => ({ raw: require(${name}) });`;
    const outcome = await run(await open(), code);
    expect(outcome).toMatchObject({ kind: 'threw', error: { message: expect.stringContaining(reason) } });
  });

  test('a package that is installed later is there for the next version of a reactor', async () => {
    const modulesDir = await projectDir({ 'node_modules/pay/index.js': '' });
    const sandbox = ownSandbox({ modulesDir });
    const code = "module.exports = async () => ({ raw: require('late') });";
    expect(await run(sandbox, code)).toMatchObject({ kind: 'threw' });
    await mkdir(join(modulesDir, 'node_modules/late'));
    await writeFile(join(modulesDir, 'node_modules/late/index.js'), 'module.exports = 1;');
    expect(await returned(sandbox, `${code}\n`)).toEqual({ raw: 1 });
  });

  test('a package does not replace what the runtime provides', async () => {
    const code = "module.exports = async () => ({ raw: typeof require('uuid').v4 });";
    expect(await returned(await open(), code)).toEqual({ raw: 'function' });
  });

  test('a package that never ends is stopped at the deadline', async () => {
    const code = "require('loop'); module.exports = async () => ({});";
    expect(await run(await open(), code, { timeoutMs: 2_000 })).toMatchObject({ kind: 'timeout' });
  });
});
