import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readScaffold } from '../../../../src/cli/scaffold/files.js';
import { TOKEN_TYPE_NAMES } from '../../../../src/contract/token-types.js';
import { projectDir, tokenctl } from '../../../support/executable.js';
import { ROOT } from '../../../support/packed-package.js';
import { compile, NODE_TYPES } from '../../../support/typescript.js';
import { width } from '../../../support/width.js';

const scaffold = await readScaffold({ tokenctl: '', ci: 'github', environments: [] });
const REACTOR_TYPES = scaffold.find(({ path }) => path === 'types/reactor.d.ts')?.text ?? '';

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
  'pay.ts': `import { createHash } from 'node:crypto';
const pay: Reactor<'pay'> = async ({ args, configuration, svc }) => {
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
// @ts-expect-error The manifest has no such reactor.
const misspelled: Reactor<'pya'> = ({ args }) => ({ raw: args });
const byArguments: Reactor<{ amount: number }> = ({ args }) => ({ raw: args.amount });
const request: RequestTransform = async ({ args }) => ({ query: args.query + '&a=b', headers: { ...args.headers } });
const response: ResponseTransform = ({ args }) => ({ body: [args.status, args.body] });
// @ts-expect-error The status of a response stays.
const status: ResponseTransform = () => ({ status: 200 });
const read = async () => (await fetch('http://a', { body: Buffer.from(createHash('sha256').digest()) })).status;
export { byArguments, misspelled, other, pay as default, read, request, response, status, untested, wrong };
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

test('types a reactor and its callers, and the compiler reports every difference', async () => {
  const cwd = await projectDir(FILES);
  expect((await tokenctl('reactor types', { cwd })).code).toBe(0);
  expect(await compile(cwd, ['--project', cwd, ...NODE_TYPES])).toBe('');
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

/** In plain JavaScript. */
const CHARGE = `const { BadRequestError, CustomHttpResponseError } = require('svc-reactor-errors');

/** @type {Reactor<{ card: Card, amount: number }>} */
module.exports = async ({ args, configuration, svc }) => {
  if (args.amount <= 0) throw new BadRequestError({ amount: ['must be positive'] });
  if (!configuration.KEY) throw new CustomHttpResponseError({ status: 501, body: { missing: 'KEY' } });
  const token = await svc?.tokens.create({ type: 'card', data: args.card, searchIndexes: ['{{ data.number }}'] });
  const found = await svc?.tokens.list({ metadata: { a: 'b' }, size: 5 });
  return { raw: { id: token?.id, last4: args.card.number.slice(-4), total: found?.pagination.total_items } };
};
`;

const WRONG = `export const wrong = async (req: ReactorRequest<{ amount: number }>) => [
  // @ts-expect-error An argument that the reactor does not have.
  req.args.amuont,
  // @ts-expect-error Without an application there is no service.
  req.svc.tokens,
  // @ts-expect-error An unknown token type.
  await req.svc?.tokens.create({ type: 'cards', data: 1 }),
];
`;

const types = TOKEN_TYPE_NAMES.map((name) => `'${name}'`).join(' | ');
const CONTRACT = `import type { Token as ContractToken, OperationInput } from 'tokenctl/contract';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const sameTypes: Same<TokenType, ${types}> = true;
const names: Same<keyof Token, keyof ContractToken> = true;
const asShown: Pick<Token, 'id' | 'type' | 'containers'> = {} as Pick<ContractToken, 'id' | 'type' | 'containers'>;
const request: Exclude<keyof OperationInput<'tokens.create'>['body'], keyof CreateToken> extends never ? true : false = true;

export { asShown, names, request, sameTypes };

`;

test.runIf(width(false, true))('types a reactor in JavaScript, with every type of the contract', async () => {
  const files = {
    'reactor.d.ts': REACTOR_TYPES,
    'charge.cjs': CHARGE,
    'wrong.mts': WRONG,
    'contract.mts': CONTRACT,
  };
  const compilerOptions = {
    ...{ allowJs: true, checkJs: true, noEmit: true, strict: true, exactOptionalPropertyTypes: true },
    ...{ module: 'nodenext', target: 'es2022', types: ['node'], allowImportingTsExtensions: true },
    typeRoots: [join(ROOT, 'node_modules/@types')],
    paths: { 'tokenctl/contract': [join(ROOT, 'src/contract/index.ts')] },
  };
  const project = JSON.stringify({ compilerOptions, files: Object.keys(files) });
  const cwd = await projectDir({ ...files, 'tsconfig.json': project });
  expect(await compile(cwd, ['--project', cwd, ...NODE_TYPES])).toBe('');
});
