import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REACTOR_TYPES } from '../../../src/cli/scaffold/reactor-types.js';
import { TOKEN_TYPE_NAMES } from '../../../src/contract/token-types.js';
import { width } from '../../support/width.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
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

/** With an unknown argument, a service that may be missing, and an unknown token type. */
const WRONG = `export default async (req: ReactorRequest<{ amount: number }>) => ({
  raw: [req.args.amuont, req.svc.tokens, await req.svc?.tokens.create({ type: 'cards', data: 1 })],
});
`;

const types = TOKEN_TYPE_NAMES.map((name) => `'${name}'`).join(' | ');
const CONTRACT = `import type { OperationInput, Token as ContractToken } from 'tokenctl/contract';
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const sameTypes: Same<TokenType, ${types}> = true;
const names: Same<keyof Token, keyof ContractToken> = true;
const asShown: Pick<Token, 'id' | 'type' | 'containers'> = {} as Pick<ContractToken, 'id' | 'type' | 'containers'>;
const request: Exclude<keyof OperationInput<'tokens.create'>['body'], keyof CreateToken> extends never ? true : false = true;
export { asShown, names, request, sameTypes };
`;

const FILES = { 'charge.cjs': CHARGE, 'wrong.mts': WRONG, 'contract.mts': CONTRACT };

/** Compiles all files next to `reactor.d.ts`, and returns what the TypeScript compiler says. */
async function compile(folder: string): Promise<string[]> {
  for (const [name, text] of Object.entries({ 'reactor.d.ts': REACTOR_TYPES, ...FILES }))
    await writeFile(join(folder, name), text);
  const options = {
    allowJs: true,
    checkJs: true,
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    target: 'es2022',
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    paths: { 'tokenctl/contract': [join(ROOT, 'src/contract/index.ts')] },
    allowImportingTsExtensions: true,
  };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['reactor.d.ts', ...Object.keys(FILES)] }),
  );
  return new Promise((resolve) => {
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const args = [compiler, '--project', folder, '--pretty', 'false'];
    execFile(process.execPath, args, { cwd: folder }, (_error, stdout) =>
      resolve(stdout.split('\n').filter((line) => line !== '')),
    );
  });
}

describe.runIf(width(false, true))('reactor.d.ts', () => {
  let folder: string;
  let said: string[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'types-'));
    said = await compile(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('types a reactor in plain JavaScript, and knows the objects of the contract and every token type', () => {
    expect(said.filter((line) => !line.startsWith(' ') && !line.startsWith('wrong.mts'))).toEqual([]);
  });

  it('reports an unknown argument, a service that may be missing, and an unknown token type', () => {
    for (const message of [/amuont/, /possibly 'null'/, /"cards"/]) expect(said.join('\n')).toMatch(message);
  });
});
