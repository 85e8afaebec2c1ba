import { join } from 'node:path';
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { bundleReactor } from '../../../../src/cli/reactors/build/bundle.js';
import {
  findPositions,
  locateMessage,
  replacePositions,
} from '../../../../src/cli/reactors/build/source-positions.js';
import { projectDir } from '../../../support/executable.js';

const FILES = {
  'src/charge.ts': `import { parse } from 'parser';
import { fee } from './fee';

interface Args { amount: number; text: string }

export default function charge({ args }: { args: Args }) {
  if (args.text) parse(args.text);
  return fee(args.amount);
}
`,
  'src/fee.ts': `export type Fee = number;

export const fee = (amount: number): Fee => {
  throw new Error(\`no fee for \${amount}\`);
};
`,
  'node_modules/parser/package.json': '{ "name": "parser", "main": "index.js" }',
  'node_modules/parser/index.js': `exports.parse = () => {
  throw new Error('cannot parse');
};
`,
};

async function build(files: Record<string, string>, file: string) {
  const cwd = await projectDir(files);
  return bundleReactor({ file: join(cwd, file), cwd, external: [] });
}

/** The stack of the error that the reactor throws, as the sandbox reports it. */
function stackOf(code: string, args: object): string[] {
  const module = { exports: {} as unknown };
  const load = new Script(`(function (module, exports) {${code}\n})`, {
    filename: 'reactor.js',
  }).runInThisContext();
  load(module, module.exports);
  try {
    (module.exports as (request: object) => unknown)({ args });
  } catch (error) {
    const frames = (error as Error).stack?.split('\n').filter((line) => line.includes('reactor.js:'));
    return (frames ?? []).map((line) => line.trim());
  }
  throw new Error('The reactor threw nothing.');
}

test('positions of a bundle are those of the sources when the bundle is minified', async () => {
  const rows = Array.from({ length: 3_000 }, (_, index) => `          'r ${index}':          ${index},`);
  const fee = FILES['src/fee.ts'].replace('no fee', `no fee in $\{Object.keys(rows)[0]}`);
  const files = { ...FILES, 'src/fee.ts': `export const rows = {\n${rows.join('\n')}\n};\n${fee}` };
  const { code, positions, minified } = await build(files, 'src/charge.ts');
  expect(minified).toBe(true);
  const [thrown] = findPositions(stackOf(code, { amount: 1 }).join('\n'), positions);
  expect(thrown).toMatchObject({ file: 'src/fee.ts', line: 3_006 });
});

test('positions of a bundle: an error in a package names the place in the project that called it', async () => {
  const { code, positions } = await build(FILES, 'src/charge.ts');
  const stack = stackOf(code, { text: 'x' });
  const message = `Error: cannot parse (${/reactor\.js:\d+:\d+/.exec(stack[0] ?? '')?.[0]})`;
  expect(locateMessage(message, stack, positions)).toBe(
    'Error: cannot parse (node_modules/parser/index.js:2:9, called from src/charge.ts:7:18)',
  );
});

test('positions of a bundle: code that the bundler added has none, and stays as it is', async () => {
  const { positions } = await build(FILES, 'src/charge.ts');
  expect(positions.find(1, 1)).toBeUndefined();
  expect(replacePositions('Error (reactor.js:1:1)', positions)).toBe('Error (reactor.js:1:1)');
});
