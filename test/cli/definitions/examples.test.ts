import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMANDS } from '../../../src/cli/definitions/index.js';
import { EXECUTABLE, runProgram, tokenctl } from '../../support/executable.js';
import { type SharedEmulator, startSharedEmulator, type TestTarget } from '../../support/shared-emulator.js';

/** What the examples take for granted. */
const FILES: Record<string, string> = {
  'card.json': '{ "number": "4242424242424242", "expiration_month": 12, "expiration_year": 2031 }',
  'greet.js':
    'module.exports = async ({ args, configuration }) => ({ raw: [configuration.GREETING, args.name] });',
  'seed.json': '{ "tokens": [{ "id": "seeded", "type": "token", "data": 1 }] }',
};

/** Examples that run for good, want a program that is not here, or are run in a scenario with what they need. */
const NOT_RUN = [
  /^tokenctl (emulator (start|stop|open|reset|doctor|tenant|snapshot|clock|seed)|profile|reactor (deploy|diff|plan|apply|run|test)|token (import|export)|init|verify)\b/,
  /-- npm test$/,
  /^source /,
];

let cwd: string;
let emulator: SharedEmulator;
let dataDir: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'tokenctl-examples-'));
  dataDir = await mkdtemp(join(tmpdir(), 'tokenctl-examples-data-'));
  emulator = await startSharedEmulator({ dataDir, memory: true });
  await symlink(EXECUTABLE, join(cwd, 'tokenctl'));
});
afterAll(async () => {
  await emulator.close();
  await rm(cwd, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
});

/** Gives the examples their start: a card, a bank account and an application; they make the reactor themselves. */
async function prepare({ env, keys }: TestTarget): Promise<Record<string, string>> {
  for (const [name, text] of Object.entries({ ...FILES, 'key.txt': keys.private }))
    await writeFile(join(cwd, name), text);
  const bank = '{"routing_number":"021000021","account_number":"1"}';
  for (const args of [
    ['token', 'create', '--type', 'card', '--data', '@card.json', '--id', 'customer-1042-card'],
    ['token', 'create', '--type', 'bank', '--data', bank, '--id', 'customer-1042-bank'],
  ])
    expect(await tokenctl(args, { cwd, env })).toMatchObject({ code: 0 });
  const create = ['application', 'create', '--name', 'x', '--type', 'private', '--permission', 'token:read'];
  const { stdout } = await tokenctl([...create, '--jq', '.id'], { cwd, env });
  return {
    ...env,
    APPLICATION_ID: stdout.trim(),
    TOKENCTL_DATA_DIR: dataDir,
    PATH: `${cwd}:${process.env.PATH}`,
  };
}

const isRun = (command: string): boolean => !NOT_RUN.some((pattern) => pattern.test(command));

/** What is deleted is deleted after all else, the tenant last. */
function lateness(name: string): number {
  if (name === 'tenant delete') return 2;
  return name.endsWith(' delete') ? 1 : 0;
}

test('the examples of the help texts work, one after the other', { timeout: 180_000 }, async () => {
  const target = await emulator.tenant();
  const env = await prepare(target);
  const rows = [...COMMANDS].sort((a, b) => lateness(a.name) - lateness(b.name));
  const failed: string[] = [];
  for (const { examples } of rows)
    for (const { command } of examples.filter((example) => isRun(example.command))) {
      const named = command.replace('--confirm=Emulator', '--confirm="$(tokenctl tenant get --jq .name)"');
      const { code, stderr } = await runProgram('bash', ['-c', named], { cwd, env });
      if (code !== 0) failed.push(`${command}: ${code} ${stderr}`);
    }
  expect(failed).toEqual([]);
});
