import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDefinitions } from '../../../src/cli/definitions/index.js';
import { FIRST_STEPS } from '../../../src/cli/help.js';
import { cleanEnvironment, EXECUTABLE, type Ran, runProgram, scratchDir } from '../../support/executable.js';
import { useStub } from '../../support/http-server.js';
import { hasPostgres, newDatabase } from '../../support/postgres.js';
import { sampled, width } from '../../support/width.js';

const { commands: COMMANDS } = await loadDefinitions();

const CARD = { number: '4242424242424242', expiration_month: 12, expiration_year: 2031 };

/** The files that the examples read. */
const FILES: Record<string, string> = {
  'card.json': JSON.stringify(CARD),
  'cards.csv': 'type,data.number\ncard,4242424242424242\n',
  'tokens.ndjson': '{"type":"token","data":1}\n',
  'greet.js':
    'module.exports = async ({ args, configuration }) => ({ raw: [configuration.GREETING, args.name] });',
  'reactors/charge.ts':
    'export default async ({ args, configuration }) => ({ raw: { amount: args.amount, ...configuration } });',
  'reactors/charge.test.json': JSON.stringify({
    cases: [{ name: 'charges', args: { amount: 1 }, result: { raw: { amount: 1 } } }],
  }),
  'tokenctl.json': JSON.stringify({
    reactors: [{ name: 'charge', code: 'reactors/charge.ts' }],
    environments: { production: {} },
  }),
  'package.json': JSON.stringify({ scripts: { test: 'tokenctl usage', dev: 'tokenctl usage' } }),
  'seed.json': JSON.stringify({ tokens: [{ id: 'my-card', type: 'card', data: CARD }] }),
  'bin/xdg-open': '#!/bin/sh\n',
};

/** Examples that run until they are interrupted, with the output that shows that they work. */
const UNTIL_INTERRUPTED: Record<string, RegExp> = {
  'tokenctl emulator start': /http:\/\/127\.0\.0\.1:\d+/,
  'tokenctl emulator start --port 0 --memory --json': /"event":"ready"/,
  'tokenctl emulator start --port 0 --clock 2031-01-01T00:00:00Z': /http:\/\/127\.0\.0\.1:\d+/,
  'tokenctl webhook listen --forward-to http://127.0.0.1:3000/hooks': /Forwarding/,
  'tokenctl reactor test reactors/charge.ts --watch': /passed|"ok"/,
};

const TWO_VERSIONS =
  'for number in 1 2; do echo "export const version$RANDOM = 1;" >> reactors/charge.ts; tokenctl reactor deploy > /dev/null 2>&1; done';
/** A repository with a remote, as in a pipeline. */
const REPOSITORY =
  '[ -d .git ] || { git init -q --bare ../remote.git && git init -q -b main && git remote add origin ../remote.git && git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m a && git push -q -u origin main; }';
/** What has to run before an example, in the same shell. */
const PREPARATION: Record<string, string> = {
  'tokenctl emulator requests verify --operation tokens.create --body \'{"type":"token"}\'':
    'tokenctl token create --type token --data 1 > /dev/null 2>&1',
  // Another example stops the clock: what is created at one time is listed in the order of its random ids.
  'tokenctl verify --remote --profile staging -o table': 'tokenctl emulator clock resume > /dev/null 2>&1',
  'tokenctl emulator clock step':
    'tokenctl token create --type token --data 1 --expires-at 2099-01-01T00:00:00Z > /dev/null 2>&1',
  'tokenctl lock pull --environment production --branch main': REPOSITORY,
  'tokenctl lock push --environment production': REPOSITORY,
  'tokenctl reactor history charge': TWO_VERSIONS,
  'tokenctl reactor rollback charge': TWO_VERSIONS,
  'tokenctl reactor rollback charge --to 1': TWO_VERSIONS,
  'tokenctl emulator stop --data-dir ./other':
    'tokenctl emulator start --port 0 --data-dir ./other > /dev/null 2>&1 & until grep -qs base_url other/state.json; do sleep 0.02; done',
  'tokenctl emulator move --data-dir ./alone --to postgres://tokenctl@db.example/tokenctl --encrypt data.key':
    'tokenctl emulator exec --data-dir ./alone -- true > /dev/null 2>&1',
  // Asks on a terminal; without a change there is nothing to ask.
  'tokenctl apply': 'tokenctl apply --yes',
  // Works on the data of an emulator that does not run.
  'tokenctl emulator doctor --repair': 'export TOKENCTL_DATA_DIR=./other',
  'tokenctl reactor result greet "$REQUEST_ID" --jq .raw':
    'REQUEST_ID=$(tokenctl reactor react greet --async --quiet --jq .request_id); until tokenctl reactor result greet "$REQUEST_ID" > /dev/null 2>&1; do sleep 0.1; done',
  'tokenctl emulator exec --access access.yaml -- npm test':
    'tokenctl emulator access record --out access.yaml -- npm test > /dev/null 2>&1',
  'tokenctl auth explain --last': 'tokenctl token get no-such-token > /dev/null 2>&1',
  'tokenctl application key update support "$KEY_ID" --expires 1h':
    'KEY_ID=$(tokenctl application key create support --quiet --json id --jq .id 2> /dev/null)',
  'tokenctl application key delete support "$KEY_ID" --yes':
    'KEY_ID=$(tokenctl application key create support --quiet --json id --jq .id 2> /dev/null)',
};

/** The service of the examples is the emulator of this test. */
const SUBSTITUTES: Record<string, string> = {
  'https://api.example.com': '$TOKENCTL_BASE_URL',
  'https://api.processor.example/v1': '$PROCESSOR_URL',
  'postgres://tokenctl@db.example/tokenctl': '$DATABASE_URL',
};

/** What runs after everything else: the further down an example matches, the later it runs. */
const LATER = [
  // Deletes what the examples of a resource use.
  / delete /,
  // Replaces all data of the emulator.
  /^tokenctl emulator/,
  /^tokenctl (auth|profile|verify)/,
  // Removes what the other examples use.
  /^tokenctl (profile remove|tenant delete)/,
  // It stops the emulator that the others use.
  /^tokenctl emulator stop --all$/,
];
const phase = (command: string): number => LATER.findLastIndex((pattern) => pattern.test(command));

/** Examples that make what others use. */
const CREATES = /^tokenctl (\w+ (create|add|deploy|login|plan|use)|emulator (snapshot save|tenant export))\b/;

const folder = scratchDir(
  Object.fromEntries(Object.entries(FILES).map(([name, text]) => [`project/${name}`, text])),
);
const cwd = join(folder, 'project');
let env: Record<string, string>;
const processor = useStub({ body: { status: 'captured' } });
let stopEmulator: () => Promise<unknown>;

type Outcome = Pick<Ran, 'code' | 'stderr'>;

/** Starts a program that runs until it is interrupted, and waits for its output. */
async function startUntil(command: string, directory: string, output: RegExp) {
  const child = spawn('bash', ['-c', `exec ${command}`], {
    cwd: directory,
    env: cleanEnvironment(directory, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  let text = '';
  await new Promise<void>((resolve) => {
    const add = (chunk: Buffer) => {
      text += chunk.toString();
      if (output.test(text)) resolve();
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    child.on('close', () => resolve());
  });
  return {
    text,
    async interrupt(): Promise<Outcome> {
      child.kill('SIGINT');
      const [code] = (await closed) as [number | null];
      return { code: output.test(text) && (code === 0 || code === 130) ? 0 : code, stderr: text };
    },
  };
}

beforeAll(async () => {
  await chmod(join(cwd, 'bin/xdg-open'), 0o755);
  await symlink(EXECUTABLE, join(cwd, 'bin/tokenctl'));
  env = { PATH: `${join(cwd, 'bin')}:${process.env.PATH}` };
  const emulator = await startUntil('tokenctl emulator start --port 0 --memory --json', cwd, /\n/);
  stopEmulator = emulator.interrupt;
  const { base_url, keys } = JSON.parse(emulator.text.split('\n')[0] ?? '');
  await writeFile(join(cwd, 'key.txt'), keys.private);
  const created = await runProgram(
    'bash',
    [
      '-ec',
      `tokenctl token create --type card --data @card.json --id customer-1042-card > /dev/null
       tokenctl token create --type bank --field routing_number=021000021 --field account_number=1 --id customer-1042-bank > /dev/null
       tokenctl application create --name x --type private --permission token:read --jq .id
       tokenctl token-intent create --type token --data 1 --jq .id
       tokenctl session create --jq .nonce
       tokenctl encryption-key create --jq .key_id`,
    ],
    { cwd, env },
  );
  const [application = '', intent = '', nonce = '', encryptionKey = ''] = created.stdout.split('\n');
  env = {
    ...env,
    TOKENCTL_BASE_URL: base_url,
    TOKENCTL_MANAGEMENT_KEY: keys.management,
    TOKENCTL_PRIVATE_KEY: keys.private,
    ...{ APPLICATION_ID: application, INTENT_ID: intent, NONCE: nonce, ENCRYPTION_KEY_ID: encryptionKey },
    PROCESSOR_URL: processor.url,
    ...(hasPostgres && { DATABASE_URL: await newDatabase() }),
  };
});
afterAll(() => stopEmulator?.());

async function runExample(command: string): Promise<Outcome> {
  const output = UNTIL_INTERRUPTED[command];
  if (output !== undefined) {
    const directory = command.includes('emulator start') ? await mkdtemp(join(folder, 'start-')) : cwd;
    return (await startUntil(command, directory, output)).interrupt();
  }
  const adapted = Object.entries(SUBSTITUTES).reduce((text, [from, to]) => text.replace(from, to), command);
  // Without the last line, bash replaces itself with the command, and nobody reaps what the preparation started.
  const script = [PREPARATION[command] ?? '', adapted, 'exit $?'].join('\n');
  return runProgram('bash', ['-c', script], { cwd, env });
}

/** Of each command, the first one, or all. */
const shown = COMMANDS.map(({ examples }) => Object.values(examples));
const examples = [
  ...Object.values(FIRST_STEPS),
  ...shown.flatMap((commands) => width(commands.slice(0, 1), commands)),
];
const inOrder = examples.toSorted((a, b) => phase(a) - phase(b));
const chosen = new Set([...sampled(inOrder, 6), ...inOrder.filter((command) => CREATES.test(command))]);
test.for(inOrder.filter((command) => chosen.has(command)))(
  'every example of the help texts works: %s',
  async (command, { skip }) => {
    skip(command.includes('postgres://') && !hasPostgres, 'PostgreSQL is not installed');
    const { code, stderr } = await runExample(command);
    expect(code, stderr).toBe(0);
  },
);
