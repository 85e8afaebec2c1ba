import { EVENT_KINDS } from '../../contract/control/event-kinds.js';
import { OPERATION_IDS } from '../../contract/operations.js';
import { type CommandRow, defineCommand } from '../command.js';
import { EMULATOR_SHUTDOWN_MS } from '../emulator/shutdown.js';
import type { Flags } from '../flags/flag.js';

/** Flags of `start` and `exec` that configure the emulator. */
const BEHAVIOUR_FLAGS = {
  memory: { description: 'keep data in memory only' },
  durability: {
    value: 'WHEN',
    choices: ['sync', 'os'],
    description:
      'when to acknowledge a write: once it is on disk (sync, the default) or once the operating system has it (os)',
  },
  encrypt: {
    value: 'KEY_FILE',
    optionalValue: true,
    suggest: 'file',
    description:
      'encrypt token data on disk with the key from this file, from TOKENCTL_DATA_KEY, or generated and kept in your user configuration',
  },
  seed: {
    value: 'FILE',
    suggest: 'file',
    description:
      'create the items in this file: { tokens, reactors, applications }, or a manifest (tokenctl.yaml), with made-up secrets',
  },
  rateLimit: { onByDefault: true, description: 'disable rate limits' },
  rateLimitScale: { value: 'N', description: 'multiply every rate limit' },
  clock: { value: 'ISO', description: 'start time of the clock, which then runs on' },
  allowNet: {
    value: 'HOST',
    list: true,
    optionalValue: true,
    description:
      'hosts that reactors can connect to; without a value, all but link-local and metadata addresses',
  },
  denyNet: { description: 'block all network access of reactors, including loopback' },
  allowOrigin: {
    value: 'ORIGIN',
    list: true,
    description:
      'allow pages of this origin to call the service; http://localhost:* and http://127.0.0.1:* allow every port',
  },
  lenient: {
    description:
      'accept what current clients send and the specification does not allow; docs/fidelity.md lists it',
  },
  includedMonthlyTokens: {
    value: 'N',
    integer: true,
    description: 'tokens included in the plan of the usage report, 50 by default',
  },
  reactorRuntime: {
    value: 'NAME',
    choices: ['quickjs', 'node'],
    description: 'runtime for reactors; node is for trusted code only',
  },
  reactorModules: {
    value: 'DIR',
    suggest: 'file',
    description: 'with the node runtime: directory of the packages that reactors can require',
  },
  envFile: {
    value: 'FILE',
    suggest: 'file',
    description: 'environment variables for the emulator, one NAME=value per line',
  },
} as const satisfies Flags;

const STORE_FLAG = {
  value: 'URL',
  description:
    'keep the data in a PostgreSQL database, postgres://user@host/database (TOKENCTL_STORE); needs a data key',
} as const;

export const commands: readonly CommandRow[] = [
  defineCommand({
    name: 'emulator start',
    summary: 'Start the emulator; it runs until Ctrl-C',
    details:
      'Prints the base URL, dashboard, tenant and keys of the three seeded applications once it accepts requests; with --json, as one line. Data and keys are kept in --data-dir (.tokenctl by default), and commands in this directory or below find the emulator automatically. TOKENCTL_EMULATOR_MANAGEMENT_KEY, …_PRIVATE_KEY and …_PUBLIC_KEY set the keys of a new data directory.',
    flags: {
      port: { value: 'N', integer: true, description: 'port, 8787 by default; 0 picks a free one' },
      host: { value: 'ADDRESS', description: 'address to listen on, 127.0.0.1 by default' },
      store: STORE_FLAG,
      ...BEHAVIOUR_FLAGS,
    },
    examples: [
      {
        does: 'Start on a free port, in memory.',
        command: 'tokenctl emulator start --port 0 --memory --json',
      },
      {
        does: 'Start at a time in the future.',
        command: 'tokenctl emulator start --port 0 --clock 2031-01-01T00:00:00Z',
      },
    ],
    cleanUpMs: EMULATOR_SHUTDOWN_MS,
    load: () => import('../commands/emulator/start.js'),
  }),
  defineCommand({
    name: 'emulator migrate',
    summary: 'Bring the PostgreSQL database of a store to the schema of this version',
    details:
      'emulator start does the same. Run it beforehand as a user who may create tables, or with --dry-run to see what would be done. The password comes from PGPASSWORD or a password file, never from the URL.',
    flags: { store: STORE_FLAG, dryRun: { description: 'only list what would be done' } },
    examples: [
      {
        does: 'Show what an upgrade would change.',
        command: 'tokenctl emulator migrate --store postgres://tokenctl@db.example/tokenctl --dry-run',
      },
    ],
    load: () => import('../commands/emulator/migrate.js'),
  }),
  defineCommand({
    name: 'emulator stop',
    summary: 'Stop the emulator of this directory after its current requests',
    examples: [
      {
        does: 'Stop the emulator of another directory.',
        command: 'tokenctl emulator stop --data-dir ./other',
      },
    ],
    load: () => import('../commands/emulator/stop.js'),
  }),
  defineCommand({
    name: 'emulator status',
    summary: 'Show whether an emulator is running for this directory; exits 1 if not',
    examples: [{ does: 'Print only the base URL.', command: 'tokenctl emulator status --jq .base_url' }],
    load: () => import('../commands/emulator/status.js'),
  }),
  defineCommand({
    name: 'emulator keys',
    summary: 'Show tenant, keys and webhook secret of the emulator',
    examples: [{ does: 'Print one key.', command: 'tokenctl emulator keys --jq .keys.private' }],
    load: () => import('../commands/emulator/keys.js'),
  }),
  defineCommand({
    name: 'emulator exec',
    summary: 'Run a command with a temporary emulator',
    details:
      'Starts an emulator on a free port, runs the command with TOKENCTL_BASE_URL and the keys in its environment, stops the emulator and exits with the exit code of the command. The data is discarded unless --data-dir is given.',
    arguments: { command: { variadic: true, description: 'command and its arguments, after --' } },
    flags: BEHAVIOUR_FLAGS,
    examples: [
      { does: 'Run tests that need the service.', command: 'tokenctl emulator exec -- npm test' },
      {
        does: 'Run a command against seeded data.',
        command: 'tokenctl emulator exec --seed seed.json -- tokenctl usage',
      },
      {
        does: 'Run tests against the applications and reactors of the manifest.',
        command: 'tokenctl emulator exec --seed tokenctl.yaml -- npm test',
      },
    ],
    cleanUpMs: EMULATOR_SHUTDOWN_MS,
    load: () => import('../commands/emulator/exec.js'),
  }),
  defineCommand({
    name: 'emulator reset',
    summary: 'Delete all data; the tenant and its keys are kept',
    examples: [{ does: 'Reset between two test runs.', command: 'tokenctl emulator reset' }],
    load: () => import('../commands/emulator/reset.js'),
  }),
  defineCommand({
    name: 'emulator seed',
    summary: 'Create the items of a seed file that do not exist yet',
    arguments: {
      file: {
        suggest: 'file',
        description:
          'JSON or YAML file: { tokens, reactors, applications }, or a manifest (tokenctl.yaml), with made-up secrets',
      },
    },
    examples: [
      { does: 'Safe to repeat; existing items are skipped.', command: 'tokenctl emulator seed seed.json' },
    ],
    load: () => import('../commands/emulator/seed.js'),
  }),
  defineCommand({
    name: 'emulator snapshot save',
    summary: 'Save a copy of all data under a name',
    arguments: { name: { description: 'snapshot name: letters, digits, ".", "_" and "-"' } },
    examples: [{ does: 'Save before a test run.', command: 'tokenctl emulator snapshot save before' }],
    load: () => import('../commands/emulator/snapshot/save.js'),
  }),
  defineCommand({
    name: 'emulator snapshot restore',
    summary: 'Restore all data from a snapshot; the seeded keys stay valid',
    arguments: { name: { suggest: 'snapshot', description: 'snapshot name' } },
    examples: [{ does: 'Restore after the run.', command: 'tokenctl emulator snapshot restore before' }],
    load: () => import('../commands/emulator/snapshot/restore.js'),
  }),
  defineCommand({
    name: 'emulator snapshot list',
    summary: 'List the snapshots',
    examples: [{ does: 'Print only the names.', command: "tokenctl emulator snapshot list --jq '.[].name'" }],
    load: () => import('../commands/emulator/snapshot/list.js'),
  }),
  defineCommand({
    name: 'emulator tenant export',
    summary: 'Export a tenant to a JSON file, including token data and secrets',
    arguments: { file: { suggest: 'file', description: 'output file, or - for standard output' } },
    flags: { tenant: { value: 'ID', description: 'tenant id; the tenant of `emulator keys` by default' } },
    examples: [
      { does: 'Export a tenant as a test fixture.', command: 'tokenctl emulator tenant export tenant.json' },
    ],
    load: () => import('../commands/emulator/tenant/export.js'),
  }),
  defineCommand({
    name: 'emulator tenant import',
    summary: 'Import an exported tenant, replacing the tenant with the same id',
    arguments: { file: { suggest: 'file', description: 'file written by `emulator tenant export`' } },
    examples: [{ does: 'Import the fixture.', command: 'tokenctl emulator tenant import tenant.json' }],
    load: () => import('../commands/emulator/tenant/import.js'),
  }),
  defineCommand({
    name: 'emulator doctor',
    summary: 'Check the data directory of a stopped emulator for damage; exits 1 if there is any',
    flags: { repair: { description: 'keep everything readable and move damaged files to damaged/' } },
    examples: [{ does: 'Repair the data directory.', command: 'tokenctl emulator doctor --repair' }],
    load: () => import('../commands/emulator/doctor.js'),
  }),
  defineCommand({
    name: 'emulator clock show',
    summary: "Show the emulator's time",
    examples: [{ does: 'Print only the time.', command: 'tokenctl emulator clock show --jq .now' }],
    load: () => import('../commands/emulator/clock/show.js'),
  }),
  defineCommand({
    name: 'emulator clock set',
    summary: "Set the emulator's time; events that become due happen immediately",
    arguments: { time: { description: 'ISO 8601 time' } },
    examples: [
      {
        does: 'Set a time in the future. Moving the clock back undoes nothing.',
        command: 'tokenctl emulator clock set 2031-01-01T00:00:00Z',
      },
    ],
    load: () => import('../commands/emulator/clock/set.js'),
  }),
  defineCommand({
    name: 'emulator clock advance',
    summary: "Advance the emulator's time; events that become due happen immediately",
    arguments: { duration: { description: '90m, 1h30m, 2d, or ISO 8601 (PT90M)' } },
    examples: [
      {
        does: 'Advance past the hour after which a CVC is deleted.',
        command: 'tokenctl emulator clock advance 61m',
      },
    ],
    load: () => import('../commands/emulator/clock/advance.js'),
  }),
  defineCommand({
    name: 'emulator clock freeze',
    summary: "Stop the emulator's clock",
    examples: [{ does: 'Make all following timestamps equal.', command: 'tokenctl emulator clock freeze' }],
    load: () => import('../commands/emulator/clock/freeze.js'),
  }),
  defineCommand({
    name: 'emulator clock resume',
    summary: 'Resume a stopped clock',
    examples: [
      { does: 'Resume from the time at which the clock stopped.', command: 'tokenctl emulator clock resume' },
    ],
    load: () => import('../commands/emulator/clock/resume.js'),
  }),
  defineCommand({
    name: 'emulator fault add',
    summary: 'Make requests fail, to test how clients handle errors',
    flags: {
      operation: {
        value: 'ID',
        suggest: OPERATION_IDS,
        description: 'only requests for this operation, such as tokens.get',
      },
      method: {
        value: 'METHOD',
        suggest: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        description: 'only requests with this method',
      },
      path: { value: 'PREFIX', description: 'only requests whose path has this prefix' },
      status: { value: 'N', integer: true, description: 'respond with this status, 400 to 599' },
      latency: { value: 'DURATION', description: 'delay before the response, such as 500ms or 2s' },
      reset: { description: 'close the connection without a response' },
      retryAfter: {
        value: 'SECONDS',
        integer: true,
        description: 'with --status: value of the Retry-After header',
      },
      times: {
        value: 'N',
        integer: true,
        description: 'remove the fault after this many requests; unlimited by default',
      },
      rate: { value: 'SHARE', description: 'share of requests that fail, above 0 up to 1' },
    },
    examples: [
      {
        does: 'Rate-limit the next list request.',
        command: 'tokenctl emulator fault add --operation tokens.list --status 429 --retry-after 1 --times 1',
      },
    ],
    load: () => import('../commands/emulator/fault/add.js'),
  }),
  defineCommand({
    name: 'emulator fault list',
    summary: 'List the injected faults',
    examples: [{ does: 'Print a table.', command: 'tokenctl emulator fault list -o table' }],
    load: () => import('../commands/emulator/fault/list.js'),
  }),
  defineCommand({
    name: 'emulator fault clear',
    summary: 'Remove a fault, or all of them',
    arguments: { id: { optional: true, description: 'fault id; all faults by default' } },
    examples: [{ does: 'Remove all faults.', command: 'tokenctl emulator fault clear' }],
    load: () => import('../commands/emulator/fault/clear.js'),
  }),
  defineCommand({
    name: 'emulator origin allow',
    summary: 'Allow pages of an origin to call the service until the emulator stops',
    arguments: { origin: { description: 'https://shop.example, http://localhost:* or http://127.0.0.1:*' } },
    examples: [
      {
        does: 'Allow the development server of a web page, whatever its port.',
        command: "tokenctl emulator origin allow 'http://localhost:*'",
      },
    ],
    load: () => import('../commands/emulator/origin/allow.js'),
  }),
  defineCommand({
    name: 'emulator origin list',
    summary: 'List the origins whose pages may call the service',
    examples: [
      { does: 'Print only the origins.', command: "tokenctl emulator origin list --jq '.[].origin'" },
    ],
    load: () => import('../commands/emulator/origin/list.js'),
  }),
  defineCommand({
    name: 'emulator origin remove',
    summary: 'Stop allowing pages of an origin to call the service',
    arguments: { origin: { description: 'an origin of `emulator origin list`' } },
    examples: [
      {
        does: 'Remove what was allowed before.',
        command:
          'tokenctl emulator origin allow https://shop.example && tokenctl emulator origin remove https://shop.example',
      },
    ],
    load: () => import('../commands/emulator/origin/remove.js'),
  }),
  defineCommand({
    name: 'emulator logs',
    summary: 'Show requests, reactor logs, callbacks and other events',
    flags: {
      follow: {
        short: 'f',
        description: 'keep printing new events until Ctrl-C; --jq is applied to each event',
      },
      kind: {
        value: 'KIND',
        list: true,
        suggest: EVENT_KINDS,
        description: 'only events of this kind',
      },
    },
    examples: [{ does: 'Show recent requests.', command: 'tokenctl emulator logs --kind request' }],
    load: () => import('../commands/emulator/logs.js'),
  }),
  defineCommand({
    name: 'emulator requests',
    summary: 'List recent requests: who sent them, how data was shown, why one was refused',
    flags: {
      application: {
        value: 'APPLICATION',
        description: 'only requests of this application, by ID or exact name',
      },
      failed: { description: 'only requests with an error response' },
    },
    examples: [{ does: 'See why requests were refused.', command: 'tokenctl emulator requests --failed' }],
    load: () => import('../commands/emulator/requests.js'),
  }),
  defineCommand({
    name: 'emulator top',
    summary: 'Watch requests, latency, errors, reactors and the store',
    details:
      'On a terminal the figures are live, with charts; q or Ctrl-C ends it. Elsewhere it prints a line per interval, with --json an object per line. Latencies are estimates, exact to about a third.',
    flags: {
      interval: { value: 'DURATION', description: 'time between two samples, 1s by default' },
      count: { value: 'N', integer: true, description: 'stop after this many samples' },
    },
    examples: [
      {
        does: 'Measure the load of one second.',
        command: 'tokenctl emulator top --interval 1s --count 1 --json',
      },
    ],
    load: () => import('../commands/emulator/top.js'),
  }),
  defineCommand({
    name: 'emulator open',
    summary: 'Open the dashboard in the browser',
    examples: [
      { does: 'Open the dashboard of the emulator for this directory.', command: 'tokenctl emulator open' },
    ],
    load: () => import('../commands/emulator/open.js'),
  }),
];
