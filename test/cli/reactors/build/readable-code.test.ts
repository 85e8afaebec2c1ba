import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundleReactor } from '../../../../src/cli/reactors/build/bundle.js';
import { toReadableCode } from '../../../../src/cli/reactors/build/readable-code.js';
import { projectDir } from '../../../support/executable.js';

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

describe('the readable part of a bundle', () => {
  test('has the modules of the project and a line for each package', async () => {
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

  test('differs when only a package does', async () => {
    const other = { ...project, 'node_modules/pad/index.js': `module.exports = (text) => '_' + text;\n` };
    const [one, two] = [await build(project), await build(other)].map(toReadableCode);
    const differing = one?.split('\n').filter((line, index) => line !== two?.split('\n')[index]);
    expect(differing).toEqual([expect.stringMatching(/^\/\/ package pad/)]);
  });

  test('of minified code is its length and a fingerprint', async () => {
    const rows = Array.from({ length: 3_000 }, (_, n) => `  'r ${n}':           ${n},`).join('\n');
    const fee = `const rows = {\n${rows}\n};\n${FEE.replace('amount /', 'Object.keys(rows).length + amount /')}`;
    expect(toReadableCode(await build({ ...project, 'src/fee.ts': fee }))).toMatch(
      /^\/\/ minified: [\d,]+ characters, [0-9a-f]{8}\n$/,
    );
  });
});
