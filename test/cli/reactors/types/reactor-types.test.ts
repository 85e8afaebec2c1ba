import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { REACTOR_TYPES } from '../../../../src/cli/scaffold/reactor-types.js';
import { tokenctl } from '../../../support/executable.js';
import { projectDir } from '../../../support/project-dir.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

const TESTS = {
  configuration: { MODE: 'test' },
  tokens: [
    { id: 'card', type: 'card', data: { number: '4242424242424242' } },
    { id: 'customer', type: 'token', data: { email: 'a@example.com', tags: ['new'] } },
  ],
  cases: [
    {
      name: 'pays',
      args: {
        card: '{{ card }}',
        customer: '{{ customer }}',
        amount: 1,
        last4: "{{ card | json: '$.number' | last4 }}",
      },
      result: {
        raw: { status: 'paid', at: { $match: '^2' } },
        tokens: { receipt: { id: { $type: 'string' } } },
      },
    },
    {
      name: 'pays with a note',
      args: { card: '{{ card }}', customer: '{{ customer }}', amount: 2, note: 'Hi {{ card }}' },
      result: { raw: { status: 'paid' } },
    },
    { name: 'rejects', args: { amount: 'none' }, error: { status: 400 } },
  ],
};

const FILES = {
  'tokenctl.yaml':
    'reactors:\n  - name: pay\n    code: pay.ts\n    configuration: { CURRENCY: USD }\n    env_file: pay.env\n  - name: no-tests\n    code: other.js\n',
  'pay.env': 'PROCESSOR_KEY\n',
  'pay.test.json': JSON.stringify(TESTS),
  'pay.ts': `const pay: Reactor<'pay'> = async ({ args, configuration, svc }) => {
  const total: number = args.amount + args.customer.tags.length;
  const text: string = args.card.number + (args.card.cvc ?? '') + (args.note ?? '') + args.last4;
  console.log(configuration.CURRENCY, configuration.MODE, configuration.PROCESSOR_KEY, total, svc?.tokens);
  // @ts-expect-error A name that neither the manifest nor the tests have.
  configuration.CURENCY;
  // @ts-expect-error An argument that no case has.
  args.amuont;
  return { raw: { status: text, at: '2026', more: 1 }, tokenize: { receipt: text, extra: 2 } };
};
// @ts-expect-error The cases name a status.
const wrong: Reactor<'pay'> = async () => ({ raw: { at: '2026' } });
// @ts-expect-error The cases show a text as status.
const other: Reactor<'pay'> = async () => ({ raw: { status: 1 } });
const untested: Reactor<'no-tests'> = ({ args }) => ({ raw: args.anything });
const byArguments: Reactor<{ amount: number }> = ({ args }) => ({ raw: args.amount });
export { byArguments, other, pay as default, untested, wrong };
`,
  'other.js': 'module.exports = async () => ({});\n',
  'caller.ts': `const request: Reactors['pay']['request'] = { card: '{{ 1 }}', customer: '{{ 2 }}', amount: 1 };
const result = (await Promise.resolve({})) as Reactors['pay']['result'];
const status: string = result.raw.status;
// @ts-expect-error Callers send the expression of a token, not its data.
request.card.number;
// @ts-expect-error The result has no such property.
result.raw.stauts;
export { status };
`,
  'types/reactor.d.ts': REACTOR_TYPES,
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      noEmit: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'es2022',
      types: [],
      moduleDetection: 'force',
    },
    files: ['types/reactor.d.ts', 'types/reactors.d.ts', 'pay.ts', 'caller.ts'],
  }),
};

const compile = (cwd: string): Promise<string> =>
  new Promise((resolve) => {
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    execFile(process.execPath, [compiler, '--project', cwd, '--pretty', 'false'], (_error, stdout) =>
      resolve(stdout),
    );
  });

test('types a reactor and its callers, and the compiler reports every difference', async () => {
  const cwd = await projectDir(FILES);
  expect((await tokenctl('reactor types', { cwd })).code).toBe(0);
  expect(await compile(cwd)).toBe('');
});

test('--check fails while the file differs, and changes nothing', async () => {
  const cwd = await projectDir(FILES);
  expect(await tokenctl('reactor types --check', { cwd })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('tokenctl reactor types'),
  });
  await expect(readFile(join(cwd, 'types/reactors.d.ts'))).rejects.toThrow('ENOENT');
  expect(await tokenctl('reactor types --quiet --jq .changed', { cwd })).toMatchObject({
    code: 0,
    stdout: 'true\n',
  });
  expect(await tokenctl('reactor types --check --jq .changed', { cwd })).toMatchObject({
    code: 0,
    stdout: 'false\n',
  });
});

test('needs neither the values of an env file nor the file itself', async () => {
  const cwd = await projectDir({
    ...FILES,
    'tokenctl.yaml': FILES['tokenctl.yaml'].replace('pay.env', 'gone.env'),
  });
  expect((await tokenctl('reactor types --out all.d.ts', { cwd })).code).toBe(0);
  expect(await readFile(join(cwd, 'all.d.ts'), 'utf8')).toContain('CURRENCY: string;');
});
