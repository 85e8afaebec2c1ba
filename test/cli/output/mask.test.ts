import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadDefinitions } from '../../../src/cli/definitions/index.js';
import { OUTPUT_MODES } from '../../../src/cli/flags/globals.js';
import { scratchDir, tokenctl } from '../../support/executable.js';
import { useSharedEmulator } from '../../support/shared-emulator.js';
import { width } from '../../support/width.js';

const { commands: COMMANDS } = await loadDefinitions();

const CARD = '4242424242424242';
const ACCOUNT = '000123456789';
const NOTE = 'a very secret note';
const CONFIG = 'configuration-value-9431';
const CVC = '7373';
const PLAINTEXT = [CARD, ACCOUNT, NOTE, CONFIG, `"${CVC}"`];

const CODE = `module.exports = async ({ args, configuration }) => {
  if (args.fail) throw Object.assign(new Error('refused'), { status: 400 });
  return { raw: { ok: typeof configuration.SECRET }, tokenize: { note: args.note ?? 1 } };
};
`;

/** The files that the commands read. */
const FILES: Record<string, string> = {
  'card.json': JSON.stringify({ number: CARD, expiration_month: 12, cvc: CVC }),
  'note.json': JSON.stringify({ note: NOTE }),
  'notes.json': JSON.stringify({ note: '{{ note-1 }}', card: '{{ card-1 }}' }),
  'keep.js': CODE,
  'secret.txt': CONFIG,
  'tokenctl.json': JSON.stringify({
    tenant: { settings: { fingerprint_tokens: true } },
    reactors: [{ code: 'keep.js', configuration: { SECRET: `\${file:secret.txt}` } }],
  }),
  'keep.test.json': JSON.stringify([
    { name: 'works', args: { note: NOTE }, configuration: { SECRET: CONFIG }, expected: {} },
  ]),
  'seed.json': JSON.stringify({ tokens: [{ id: 'seeded', type: 'token', data: NOTE }] }),
  'rows.ndjson': `${JSON.stringify({ type: 'card', data: { number: CARD } })}\n${JSON.stringify({ type: 'card', data: { number: '4242424242424241' } })}\n`,
};

/** The calls in the order in which they work, with several for commands whose errors print input. */
const CALLS = [
  'token create --type card --data @card.json --id card-1',
  `token create --type bank --field routing_number=021000021 --field account_number=${ACCOUNT}`,
  `token create --type token --data '"${NOTE}"' --id note-1`,
  `token create --type card --field number=${CARD}1`,
  `token create --type token --data '{"broken": ${NOTE}}'`,
  'token get card-1',
  'token get note-1 card-1 missing',
  'token list',
  'token list --all',
  'token search type:card',
  `token update note-1 --data '"${NOTE}"' --metadata a=b`,
  `token update card-1 --field number=${CARD}7`,
  `token-intent create --type token --data '"${NOTE}"'`,
  'session create',
  'encryption-key create',
  'webhook signing-key',
  'token verify-account card-1',
  'tokenize note.json',
  'detokenize notes.json',
  'token import rows.ndjson',
  'token export',
  `reactor create --name keeper --code @keep.js --config SECRET=${CONFIG}`,
  'reactor get keeper',
  'reactor list',
  "reactor react keeper --arg 'note={{ note-1 }}' --trace",
  "reactor react keeper --arg 'note={{ note-1 }}' --arg fail=true",
  "reactor react keeper --arg 'note={{ note-1 }}' --async",
  'reactor result keeper unknown',
  'reactor logs keeper',
  `reactor update keeper --config OTHER=${CONFIG}`,
  `reactor replace keeper --name keeper --code @keep.js --config SECRET=${CONFIG}`,
  `reactor diff keep.js --config SECRET=${CONFIG}`,
  `reactor plan keep.js --config SECRET=${CONFIG} --out plan.json`,
  `reactor apply plan.json --config SECRET=${CONFIG}`,
  `reactor deploy keep.js --config SECRET=${CONFIG}2`,
  'diff',
  'adopt',
  'manifest show',
  'lock pull',
  'lock push',
  'plan --out plan.json',
  'apply plan.json',
  'apply --yes',
  'reactor deploy --config OTHER=1',
  'reactor history keep',
  'reactor rollback keep',
  'pull pulled --force',
  `reactor run keep.js --config SECRET=${CONFIG} --args '{"amount":1}'`,
  'reactor test keep.js',
  'reactor delete keeper --yes',
  'tenant get',
  'tenant update --set fingerprint_tokens=true',
  'application list',
  'application who-can token:read --token-type card',
  'application templates',
  'log list',
  'api GET /tokens',
  'api GET /reactors',
  `api POST /detokenize --data '{"a":"{{ note-1 }}"}'`,
  `api POST /applications --data '{"name":"x","type":"public","permissions":["token:create"]}'`,
  'auth status',
  'auth can-i token:read',
  'auth login --key-file private.key --profile p',
  'profile list',
  'profile show p',
  'doctor',
  "__complete zsh -- token get ''",
  'emulator status',
  'emulator seed seed.json',
  'emulator logs',
  'emulator requests',
  'emulator requests verify',
  'emulator top --interval 100ms --count 1',
  `proxy create --name pay --destination-url http://127.0.0.1:9/ --config SECRET=${CONFIG}`,
  'proxy list',
  'proxy get pay',
  `proxy send pay /charges --data '{"note":"{{ note-1 }}"}'`,
  `proxy update pay --config OTHER=${CONFIG}`,
  `proxy replace pay --name pay --destination-url http://127.0.0.1:9/ --config S=${CONFIG}`,
  'api GET /proxies',
  'proxy delete pay --yes',
  'webhook create --name shop --url http://127.0.0.1:9/ --event token.*',
  'webhook list',
  'webhook get shop',
  'webhook update shop --name store',
  'webhook ping store',
  'event trigger token.created --set token.type=card',
  'event list',
  'event resend --times 2',
  'webhook delete store --yes',
  'emulator list',
  'emulator exec -- true',
  'token delete card-1 --yes',
  'tenant delete --confirm=wrong',
];

/** Calls that get nothing which is secret, and on which no other one depends. */
const WITHOUT_SECRETS = [
  'token-intent get 00000000-0000-4000-8000-000000000000',
  'token-intent delete 00000000-0000-4000-8000-000000000000 --yes',
  'encryption-key get 00000000-0000-4000-8000-000000000000',
  'encryption-key delete 00000000-0000-4000-8000-000000000000 --yes',
  'encryption-key list',
  'session authorize unknown --permission token:read',
  'token card-details 424242',
  'tenant settings get',
  'tenant settings set deduplicate_tokens=false',
  'usage',
  'permission list',
  'log entity-types',
  'profile add q --base-url http://127.0.0.1:9',
  'profile set q --protected',
  'profile use q',
  'profile remove q --yes',
  'completion bash',
  'docs',
  'init starter',
  'emulator snapshot list',
  'emulator clock show',
  'emulator clock next',
  'emulator fault add --path /nowhere --status 500',
  'emulator fault list',
  'emulator fault clear',
  'webhook event-types',
  'emulator origin allow https://shop.example',
  'emulator origin list',
];

/** Commands that are not called here, with the reason. */
const NOT_CALLED: Record<string, string> = {
  'emulator start': 'the ready line shows its keys (cli.md); scenario emulator',
  'emulator keys': 'shows the keys (cli.md)',
  'auth explain':
    'shows ids, containers and rules of the endpoint that test/emulator/access/explain.test.ts checks; needs a state file',
  'emulator access record': 'writes names, containers and permissions; scenario access-record',
  'emulator stop': 'would stop the emulator of this test; scenario emulator',
  'emulator reset': 'would empty it for the other modes; scenario emulator',
  'emulator open': 'opens a browser',
  'webhook listen': 'runs until Ctrl-C; scenario webhooks',
  dev: 'prints what apply, emulator logs and webhook listen print; scenario dev',
  'emulator doctor': 'needs a stopped emulator',
  'reactor build': 'prints code of the project; test/cli/reactors/build',
  'reactor types': 'writes types, never values; test/cli/reactors/types',
  'emulator move': 'prints numbers of records; needs a database',
  'emulator migrate': 'prints numbers and names of migrations; needs a database',
  'emulator origin remove': 'prints nothing, and would change the list of the other modes',
  'emulator snapshot save': 'prints a name; its data goes to a file',
  'emulator snapshot restore': 'would replace the data of the other modes',
  'emulator clock set': 'prints what clock show prints, and would change the time of the other modes',
  'emulator clock advance': 'the same',
  'emulator clock step': 'the same, and ids',
  'emulator clock freeze': 'the same',
  'emulator clock resume': 'the same',
  'emulator tenant export': 'writes a whole tenant to a file, plaintext included, on purpose',
  'emulator tenant import': 'prints an id',
  'application create': 'shows a new key once (cli.md); scenario applications',
  'application regenerate-key': 'the same',
  'application get': 'prints what application list prints',
  'application update': 'the same',
  'application delete': 'prints an id',
  'auth logout': 'prints types of keys; scenario profiles',
  'application key list': 'prints ids and times; scenario applications',
  'application key create': 'shows a new key once (cli.md); scenario applications',
  'application key rotate': 'the same',
  'application key update': 'prints ids and times',
  'application key delete': 'prints an id',
  mcp: 'answers over the Model Context Protocol; test/cli/mcp/answers',
  verify: 'scenario verify',
};

/** The calls that are expected to fail, with their exit codes. */
const FAILING = [
  `2 token create --type card --field number=${CARD}1`,
  `2 token create --type token --data '{"broken": ${NOTE}}'`,
  '1 token get note-1 card-1 missing',
  `2 token update card-1 --field number=${CARD}7`,
  '5 token-intent get 00000000-0000-4000-8000-000000000000',
  '5 token-intent delete 00000000-0000-4000-8000-000000000000 --yes',
  '5 encryption-key get 00000000-0000-4000-8000-000000000000',
  '5 encryption-key delete 00000000-0000-4000-8000-000000000000 --yes',
  '5 session authorize unknown --permission token:read',
  '2 token verify-account card-1',
  '1 token import rows.ndjson',
  "2 reactor react keeper --arg 'note={{ note-1 }}' --arg fail=true",
  '5 reactor result keeper unknown',
  '1 lock pull',
  '1 lock push',
  '1 reactor test keep.js',
  `1 proxy send pay /charges --data '{"note":"{{ note-1 }}"}'`,
  '2 tenant delete --confirm=wrong',
];

/** Every call in every output mode, or in one of them in turn. */
const SWEEPS = width(
  [{ name: OUTPUT_MODES.join(', '), modes: [...OUTPUT_MODES] }],
  OUTPUT_MODES.map((mode) => ({ name: mode, modes: [mode] })),
);

const dataDir = scratchDir();
const emulator = useSharedEmulator({ dataDir, memory: true });

test('every command is called here or listed with a reason', () => {
  const isCalled = (name: string) =>
    [...CALLS, ...WITHOUT_SECRETS].some((line) => `${line} `.startsWith(`${name} `));
  const names = COMMANDS.map(({ name }) => name);
  expect(names.filter((name) => !(name in NOT_CALLED) && !isCalled(name))).toEqual([]);
});

/** Nothing depends on a read: of these, each commit calls others. */
const READS = CALLS.filter((line) => / (get|list|show|status|history|logs|diff|can-i|who-can)\b/.test(line));
const skipped = width(
  READS.filter((_, index) => (index + Number(process.env.FUZZ_SEED)) % 3 !== 0),
  [],
);
const called = [...CALLS.filter((line) => !skipped.includes(line)), ...width([], WITHOUT_SECRETS)];

describe.concurrent('no command prints plaintext or keys (cli.md, Output)', () => {
  test.each(SWEEPS)('--output $name --debug', async ({ modes }) => {
    const { env, keys, tenantId } = await emulator.tenant();
    const cwd = await mkdtemp(join(tmpdir(), 'tokenctl-masking-'));
    try {
      const files = { ...FILES, 'private.key': keys.private };
      for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
      const failed: string[] = [];
      const secrets = [...PLAINTEXT, ...Object.values(keys), emulator.controlToken];
      for (const [index, line] of called.entries()) {
        const flags = `--output ${modes[index % modes.length] ?? 'json'} --debug`;
        const command = line.includes(' -- ') ? line.replace(' -- ', ` ${flags} -- `) : `${line} ${flags}`;
        const { stdout, stderr, code } = await tokenctl(command, {
          cwd,
          env: { ...env, TOKENCTL_DATA_DIR: dataDir, TOKENCTL_TENANT_ID: tenantId },
        });
        const printed = stdout + stderr;
        const leaked = secrets.filter((secret) => printed.includes(secret));
        expect({ command, leaked }, printed).toEqual({ command, leaked: [] });
        if (code !== 0) failed.push(`${code} ${line}`);
        expect(printed, command).not.toContain('Unexpected Error');
      }
      // All other calls succeeded.
      expect(failed.sort()).toEqual(FAILING.filter((one) => called.includes(one.slice(2))).sort());
    } finally {
      await rm(cwd, { recursive: true, force: true });
    }
  });
});
