import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CodeProblem } from '../../../../src/cli/lib/annotations.js';
import { type Bundle, bundleReactor } from '../../../../src/cli/reactors/build/bundle.js';
import { ReactorCodeError } from '../../../../src/cli/reactors/build/bundling-problems.js';
import { toReadableCode } from '../../../../src/cli/reactors/build/readable-code.js';
import { LIMITS } from '../../../../src/contract/limits.js';
import { projectDir } from '../../../support/executable.js';

async function bundle(
  files: Record<string, string>,
  entry: string,
  external: string[] = [],
): Promise<Bundle> {
  const cwd = await projectDir(files);
  return bundleReactor({ file: join(cwd, entry), cwd, external });
}

async function problemsOf(files: Record<string, string>, entry: string): Promise<readonly CodeProblem[]> {
  const error = await bundle(files, entry).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ReactorCodeError);
  return (error as ReactorCodeError).problems;
}

/** What the code exports, with a `require` that knows one module. */
function exported(code: string): unknown {
  const module = { exports: {} as unknown };
  runInNewContext(code, { module, exports: module.exports, require: (name: string) => ({ name }) });
  return module.exports;
}

test('a file without imports: any mixture of line ends results in the same code', async () => {
  const lines = fc.array(fc.constantFrom('', 'const a = 1;', '// note'), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(lines, fc.constantFrom('\n', '\r\n'), async (text, end) => {
      const unique = text.map((line, index) => line.replace('a', `a${index}`));
      const code = [...unique, 'module.exports = async () => ({});', ''];
      const result = await bundle({ 'x.js': code.join(end) }, 'x.js');
      expect(result.code).toBe(code.join('\n'));
    }),
    { numRuns: 10 },
  );
});

describe('a file that needs bundling', () => {
  test('is the same code wherever the command runs, and through a link', async () => {
    const cwd = await projectDir({
      'src/a.ts': `import { b } from '../lib/b';\nexport default async () => ({ raw: b });\n`,
      'lib/b.ts': 'export const b = 1;\n',
    });
    await symlink(join(cwd, 'src'), join(cwd, 'link'));
    const versionedCode = async (file: string, directory: string) =>
      (await bundleReactor({ file: join(cwd, file), cwd: join(cwd, directory), external: [] })).code;
    const code = await versionedCode('src/a.ts', '');
    expect(await versionedCode('src/a.ts', 'src')).toBe(code);
    expect(await versionedCode('link/a.ts', 'lib')).toBe(code);
  });

  test('an installed package is bundled, a module that the service provides is not', async () => {
    const files = {
      'a.js': `const { pad } = require('left');\nconst axios = require('axios');\nmodule.exports = async () => ({ raw: [pad, axios.name] });`,
      'node_modules/left/package.json': '{ "name": "left", "main": "index.js" }',
      'node_modules/left/index.js': `exports.pad = 'padded';`,
      'node_modules/axios/package.json': '{ "name": "axios", "main": "index.js" }',
      'node_modules/axios/index.js': `exports.name = 'from node_modules';`,
    };
    const { code, sources } = await bundle(files, 'a.js');
    expect(await (exported(code) as () => Promise<unknown>)()).toEqual({ raw: ['padded', 'axios'] });
    expect(sources).toHaveLength(1);
  });

  test('wherever a package manager puts a package, the code is the same and names it', async () => {
    const built = async (folder: string) => {
      const cwd = await projectDir({
        'src/a.js': `const { pad } = require('left');\nmodule.exports = async () => ({ raw: pad });`,
        [`${folder}/left/package.json`]: '{ "name": "left", "main": "lib/index.js" }',
        [`${folder}/left/lib/index.js`]: `exports.pad = 'padded';`,
      });
      if (folder.startsWith('.')) await symlink(join(cwd, folder), join(cwd, 'node_modules'));
      return (await bundleReactor({ file: join(cwd, 'src/a.js'), cwd, external: [] })).code;
    };
    const flat = await built('node_modules');
    expect(flat).toMatch(/^\/\/ package left: lib\/index\.js\n/m);
    expect(flat).not.toContain('node_modules');
    expect(await built('.store/left@1.0.0/node_modules')).toBe(flat);
    expect(await built('src/node_modules')).toBe(flat);
  });

  test('two versions of a package have names apart, and text of the code that looks like a name stays', async () => {
    const name = '// node_modules/left/index.js';
    const { code } = await bundle(
      {
        'a.js': `const text = \`\n${name}\n  "node_modules/left/index.js"(\n\`;\nmodule.exports = () => ({ raw: [text, require('left'), require('right')] });`,
        'node_modules/left/package.json': '{ "name": "left", "version": "2.0.0" }',
        'node_modules/left/index.js': 'module.exports = 2;',
        'node_modules/right/index.js': "module.exports = require('left');",
        'node_modules/right/node_modules/left/package.json': '{ "name": "left", "version": "1.0.0" }',
        'node_modules/right/node_modules/left/index.js': 'module.exports = 1;',
      },
      'a.js',
    );
    const names = [...code.matchAll(/^\/\/ package (\S+): index\.js\n/gm)].map(([, one]) => one);
    expect(names).toEqual(['left@2.0.0', 'left@1.0.0', 'right']);
    expect(code).toContain(`\n${name}\n  "node_modules/left/index.js"(\n`);
    expect(code).toContain('"package left@1.0.0: index.js"(');
  });

  test('a path inside a package can be external, and the rest of the package is bundled', async () => {
    const files = {
      'a.js': `module.exports = [require('pad/left'), require('pad/left/deep'), require('pad/leftish')];`,
      'node_modules/pad/leftish.js': `module.exports = 'bundled';`,
    };
    const { code } = await bundle(files, 'a.js', ['pad/left']);
    expect(code).toMatch(/require\(["']pad\/left["']\), require\(["']pad\/left\/deep["']\)/);
    expect(code).toContain('bundled');
  });

  test('a path that is external stays so where an ES module of another package imports it', async () => {
    const files = {
      'a.js': `import { charge } from 'pay';\nexport default async () => ({ raw: charge });`,
      'node_modules/pay/package.json': '{ "name": "pay", "type": "module", "exports": "./index.js" }',
      'node_modules/pay/index.js': `import left from 'pad/left';\nexport const charge = left.name;`,
      'node_modules/pad/left.js': `module.exports = { name: 'bundled' };`,
    };
    const { code } = await bundle(files, 'a.js', ['pad/left']);
    expect(code).not.toContain('bundled');
    expect(await (exported(code) as () => Promise<unknown>)()).toEqual({ raw: 'pad/left' });
  });

  test.each([
    ['an ES module imports them as Node.js does', 'a.mjs'],
    ['a file of a project with "type": "module" imports them as Node.js does', 'a.js'],
  ])('external packages of both kinds: %s', async (_title, entry) => {
    const files = {
      [entry]: `import esm, { named } from 'esm-only';
import * as all from 'esm-only';
import cjs, { other } from 'transpiled';
export default [esm, named, all.default, typeof cjs, cjs.default, other];`,
      'package.json': '{ "type": "module" }',
      'node_modules/esm-only/package.json': '{ "type": "module", "exports": "./index.js" }',
      'node_modules/esm-only/index.js': `export default 'default'; export const named = 'named';`,
      'node_modules/transpiled/index.js': `exports.__esModule = true; exports.default = 'inner'; exports.other = 'other';`,
    };
    const cwd = await projectDir(files);
    const file = join(cwd, entry);
    const { code } = await bundleReactor({ file, cwd, external: ['esm-only', 'transpiled'] });
    const module = { exports: {} as unknown };
    runInNewContext(code, { module, exports: module.exports, require: createRequire(file) });
    const script = `import(${JSON.stringify(pathToFileURL(file).href)}).then((m) => console.log(JSON.stringify(m.default)))`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
    expect(JSON.parse(JSON.stringify(module.exports))).toEqual(JSON.parse(stdout));
    expect(JSON.parse(stdout)).toEqual(['default', 'named', 'default', 'object', 'inner', 'other']);
  });
});

describe('the limit of 50,000 characters (spec, Limits)', () => {
  const padding = (length: number) => `// ${'x'.repeat(length)}\n`;
  const reactor = 'module.exports = async () => ({});\n';

  test('code of exactly the limit is uploaded as it is', async () => {
    const code = padding(LIMITS.reactorCodeCharacters - reactor.length - 4) + reactor;
    expect(code).toHaveLength(LIMITS.reactorCodeCharacters);
    expect(await bundle({ 'a.js': code }, 'a.js')).toMatchObject({ code, minified: false });
  });

  test('longer code is minified', async () => {
    const name = (index: number) => `aFunctionWithQuiteALongName${index}`;
    const functions = Array.from({ length: 700 }, (_, index) => index);
    const long = functions
      .map((index) => `function ${name(index)}(amount) {\n      return amount.${name(index)};\n}\n`)
      .join('');
    const used = `module.exports = async () => ({ raw: [${functions.map(name).join(', ')}].length });`;
    const { code, minified } = await bundle({ 'a.js': long + used }, 'a.js');
    expect(minified).toBe(true);
    expect(code.length).toBeLessThan(LIMITS.reactorCodeCharacters);
    expect(await (exported(code) as () => Promise<unknown>)()).toEqual({ raw: 700 });
  });

  test.each([
    ['big', 'node_modules/big'],
    ['@scope/name', 'node_modules/big/node_modules/@scope/name'],
  ])('code too long even when minified is rejected with its largest parts: %s', async (name, directory) => {
    const files = {
      'a.js': `const big = require('big');\nmodule.exports = async () => big;`,
      'node_modules/big/index.js': `module.exports = require('@scope/name');`,
      [`${directory}/index.js`]: `module.exports = '${'y'.repeat(70_000)}';`,
    };
    const problems = await problemsOf(files, 'a.js');
    expect(problems[0]?.message).toMatch(new RegExp(`^${name}: 70,\\d{3} bytes \\(100 %\\)$`));
    await expect(bundle(files, 'a.js')).rejects.toThrow(/has 70,\d{3} characters .* the limit is 50,000/);
  });
});

const CHARGE = `import pad from 'pad';
import { fee } from './fee';

export const version = 1;
export default async ({ args }: { args: { amount: number } }) => {
  return { raw: pad(fee(args.amount)) };
};
`;
const FEE = 'export const fee = (amount: number): number => {\n  return amount / 100;\n};\n';
const PACKAGE = {
  'node_modules/pad/package.json': '{ "name": "pad", "main": "index.js" }',
  'node_modules/pad/index.js': `module.exports = (text) => ' ' + text;\n`,
};

async function build(files: Record<string, string>): Promise<string> {
  const cwd = await projectDir(files);
  const { code } = await bundleReactor({ file: join(cwd, 'src/charge.ts'), cwd, external: [] });
  return code;
}

const project = { 'src/charge.ts': CHARGE, 'src/fee.ts': FEE, ...PACKAGE };

test('the readable part of a bundle has the modules of the project and a line for each package', async () => {
  expect(toReadableCode(await build(project)).split('\n')).toEqual([
    expect.stringMatching(/^\/\/ package pad: \d+ characters, [0-9a-f]{8}$/),
    '// fee.ts',
    'var fee = (amount) => {',
    '  return amount / 100;',
    '};',
    '// charge.ts',
    'var version = 1;',
    'var charge_default = async ({ args }) => {',
    '  return { raw: (0, import_pad.default)(fee(args.amount)) };',
    '};',
    '',
  ]);
});

test('the readable part of a bundle differs when only a package does', async () => {
  const other = { ...project, 'node_modules/pad/index.js': `module.exports = (text) => '_' + text;\n` };
  const [one, two] = [await build(project), await build(other)].map(toReadableCode);
  const differing = one?.split('\n').filter((line, index) => line !== two?.split('\n')[index]);
  expect(differing).toEqual([expect.stringMatching(/^\/\/ package pad/)]);
});

test('the readable part of a bundle of minified code is its length and a fingerprint', async () => {
  const rows = Array.from({ length: 3_000 }, (_, n) => `  'r ${n}':           ${n},`).join('\n');
  const fee = `const rows = {\n${rows}\n};\n${FEE.replace('amount /', 'Object.keys(rows).length + amount /')}`;
  expect(toReadableCode(await build({ ...project, 'src/fee.ts': fee }))).toMatch(
    /^\/\/ minified: [\d,]+ characters, [0-9a-f]{8}\n$/,
  );
});
