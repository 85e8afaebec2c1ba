import { EVENT_KINDS } from '../../contract/control/event-kinds.js';
import { OPERATION_IDS } from '../../contract/operations.js';
import { type CommandRow, defineCommand } from '../command.js';
import { EMULATOR_SHUTDOWN_MS } from '../emulator/shutdown.js';
import type { Flags } from '../flags/flag.js';

/** How an emulator behaves, on `start` and `exec`. */
const BEHAVIOUR_FLAGS = {
  memory: { description: 'keep the data in memory only' },
  durability: {
    value: 'WHEN',
    choices: ['sync', 'os'],
    description: 'answer a write when the disk has it (sync, the default) or leave that to the system (os)',
  },
  encrypt: {
    value: 'KEY_FILE',
    optionalValue: true,
    suggest: 'file',
    description:
      'encrypt token data on disk; the key is in the file, in TOKENCTL_DATA_KEY, or made and kept in your configuration',
  },
  seed: {
    value: 'FILE',
    suggest: 'file',
    description: 'create what this file holds: { tokens, reactors, applications }',
  },
  rateLimit: { onByDefault: true, description: 'no rate limits' },
  rateLimitScale: { value: 'N', description: 'multiply every rate limit' },
  clock: { value: 'ISO', description: 'the time to begin with; it runs on from there' },
  allowNet: {
    value: 'HOST',
    list: true,
    optionalValue: true,
    description: 'let reactors reach these hosts; without a value all but link-local and metadata addresses',
  },
  denyNet: { description: 'let reactors reach nothing, loopback included' },
  allowOrigin: { value: 'ORIGIN', list: true, description: 'let pages of this origin call the service' },
  includedMonthlyTokens: {
    value: 'N',
    integer: true,
    description: 'the plan of the usage report, 50 by default',
  },
  reactorRuntime: {
    value: 'NAME',
    choices: ['quickjs', 'node'],
    description: 'what runs reactors; node is for trusted code only',
  },
  reactorModules: {
    value: 'DIR',
    suggest: 'file',
    description: 'with the runtime node: the folder whose packages reactors may require',
  },
  envFile: {
    value: 'FILE',
    suggest: 'file',
    description: 'environment variables for the emulator, NAME=value per line',
  },
} as const satisfies Flags;

export const emulatorCommands: readonly CommandRow[] = [
  defineCommand({
    name: 'emulator start',
    summary: 'Start the emulator; it runs until Ctrl-C',
    details:
      'Prints base URL, dashboard, tenant and the keys of its three seeded applications when it accepts requests; with --json as one line. Data and keys stay in --data-dir (.tokenctl), and commands in this directory or below it find the emulator by themselves. TOKENCTL_EMULATOR_MANAGEMENT_KEY, …_PRIVATE_KEY and …_PUBLIC_KEY fix the keys of a fresh data directory.',
    flags: {
      port: { value: 'N', integer: true, description: 'the port, 8787 by default; 0 picks a free one' },
      host: { value: 'ADDRESS', description: 'the address to listen on, 127.0.0.1 by default' },
      ...BEHAVIOUR_FLAGS,
    },
    examples: [
      { does: 'On a free port, in memory.', command: 'tokenctl emulator start --port 0 --memory --json' },
      { does: 'Years later.', command: 'tokenctl emulator start --port 0 --clock 2031-01-01T00:00:00Z' },
    ],
    cleanUpMs: EMULATOR_SHUTDOWN_MS,
    load: () => import('../commands/emulator/start.js'),
  }),
  defineCommand({
    name: 'emulator stop',
    summary: 'Stop the emulator of this directory, after what it is doing',
    examples: [
      { does: 'The one on another directory.', command: 'tokenctl emulator stop --data-dir ./other' },
    ],
    load: () => import('../commands/emulator/stop.js'),
  }),
  defineCommand({
    name: 'emulator status',
    summary: 'Tell whether an emulator runs for this directory; exit code 1 when none does',
    examples: [{ does: 'Its base URL.', command: 'tokenctl emulator status --jq .base_url' }],
    load: () => import('../commands/emulator/status.js'),
  }),
  defineCommand({
    name: 'emulator keys',
    summary: 'Show tenant, keys and webhook secret of the emulator',
    examples: [{ does: 'One key.', command: 'tokenctl emulator keys --jq .keys.private' }],
    load: () => import('../commands/emulator/keys.js'),
  }),
  defineCommand({
    name: 'emulator exec',
    summary: 'Run a command with an emulator of its own',
    details:
      'Starts an emulator on a free port, runs the command with TOKENCTL_BASE_URL and the keys set, stops it and passes the exit code on. What it stored is gone then, unless --data-dir is given.',
    arguments: { command: { variadic: true, description: 'the command and its arguments, after --' } },
    flags: BEHAVIOUR_FLAGS,
    examples: [
      { does: 'Tests that need the service.', command: 'tokenctl emulator exec -- npm test' },
      { does: 'With data in it.', command: 'tokenctl emulator exec --seed seed.json -- tokenctl usage' },
    ],
    cleanUpMs: EMULATOR_SHUTDOWN_MS,
    load: () => import('../commands/emulator/exec.js'),
  }),
  defineCommand({
    name: 'emulator reset',
    summary: 'Put the emulator back to a fresh start; tenant and keys stay',
    examples: [{ does: 'Between two test runs.', command: 'tokenctl emulator reset' }],
    load: () => import('../commands/emulator/reset.js'),
  }),
  defineCommand({
    name: 'emulator seed',
    summary: 'Create what a seed file holds and is not there yet',
    arguments: { file: { suggest: 'file', description: '{ tokens, reactors, applications }, JSON or YAML' } },
    examples: [
      { does: 'Again and again: nothing comes twice.', command: 'tokenctl emulator seed seed.json' },
    ],
    load: () => import('../commands/emulator/seed.js'),
  }),
  defineCommand({
    name: 'emulator snapshot save',
    summary: 'Keep a copy of everything under a name',
    arguments: { name: { description: 'letters, digits, . _ -' } },
    examples: [{ does: 'Before a test run.', command: 'tokenctl emulator snapshot save before' }],
    load: () => import('../commands/emulator/snapshot/save.js'),
  }),
  defineCommand({
    name: 'emulator snapshot restore',
    summary: 'Put everything back to a snapshot; the printed keys stay',
    arguments: { name: { suggest: 'snapshot', description: 'its name' } },
    examples: [{ does: 'After the run.', command: 'tokenctl emulator snapshot restore before' }],
    load: () => import('../commands/emulator/snapshot/restore.js'),
  }),
  defineCommand({
    name: 'emulator snapshot list',
    summary: 'List the snapshots',
    examples: [{ does: 'Their names.', command: "tokenctl emulator snapshot list --jq '.[].name'" }],
    load: () => import('../commands/emulator/snapshot/list.js'),
  }),
  defineCommand({
    name: 'emulator tenant export',
    summary: 'Write a whole tenant to one JSON file, token data and secrets included',
    arguments: { file: { suggest: 'file', description: 'the file; - writes to standard output' } },
    flags: { tenant: { value: 'ID', description: 'the tenant; the one of `emulator keys` by default' } },
    examples: [{ does: 'As a fixture.', command: 'tokenctl emulator tenant export tenant.json' }],
    load: () => import('../commands/emulator/tenant/export.js'),
  }),
  defineCommand({
    name: 'emulator tenant import',
    summary: 'Put an exported tenant in, in place of the tenant with its id',
    arguments: { file: { suggest: 'file', description: 'what `emulator tenant export` wrote' } },
    examples: [{ does: 'From the fixture.', command: 'tokenctl emulator tenant import tenant.json' }],
    load: () => import('../commands/emulator/tenant/import.js'),
  }),
  defineCommand({
    name: 'emulator doctor',
    summary: 'Look for damage in the data directory of a stopped emulator; exit code 1 when there is some',
    flags: { repair: { description: 'keep what can be read and put the rest aside, in damaged/' } },
    examples: [{ does: 'Then mend it.', command: 'tokenctl emulator doctor --repair' }],
    load: () => import('../commands/emulator/doctor.js'),
  }),
  defineCommand({
    name: 'emulator clock show',
    summary: "Show the emulator's time",
    examples: [{ does: 'The time alone.', command: 'tokenctl emulator clock show --jq .now' }],
    load: () => import('../commands/emulator/clock/show.js'),
  }),
  defineCommand({
    name: 'emulator clock set',
    summary: "Set the emulator's time; what is due then happens at once",
    arguments: { time: { description: 'ISO 8601' } },
    examples: [{ does: 'A new year.', command: 'tokenctl emulator clock set 2031-01-01T00:00:00Z' }],
    load: () => import('../commands/emulator/clock/set.js'),
  }),
  defineCommand({
    name: 'emulator clock advance',
    summary: "Move the emulator's time; what is due then happens at once",
    arguments: { duration: { description: '90m, 1h30m, 2d, or ISO 8601 (PT90M)' } },
    examples: [
      { does: 'Past the hour after which a cvc is deleted.', command: 'tokenctl emulator clock advance 61m' },
    ],
    load: () => import('../commands/emulator/clock/advance.js'),
  }),
  defineCommand({
    name: 'emulator clock freeze',
    summary: "Stop the emulator's clock",
    examples: [
      { does: 'Every time stamp is the same from here on.', command: 'tokenctl emulator clock freeze' },
    ],
    load: () => import('../commands/emulator/clock/freeze.js'),
  }),
  defineCommand({
    name: 'emulator clock resume',
    summary: 'Let a stopped clock run on',
    examples: [{ does: 'From the time at which it stopped.', command: 'tokenctl emulator clock resume' }],
    load: () => import('../commands/emulator/clock/resume.js'),
  }),
  defineCommand({
    name: 'emulator fault add',
    summary: 'Make requests fail on order, to see how clients take it',
    flags: {
      operation: {
        value: 'ID',
        suggest: OPERATION_IDS,
        description: 'only this operation, such as tokens.get',
      },
      method: {
        value: 'METHOD',
        suggest: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        description: 'only this method',
      },
      path: { value: 'PREFIX', description: 'only paths that begin like this' },
      status: { value: 'N', integer: true, description: 'answer with this status, 400 to 599' },
      latency: { value: 'DURATION', description: 'wait first: 500ms, 2s' },
      reset: { description: 'close the connection without an answer' },
      retryAfter: { value: 'SECONDS', integer: true, description: 'with --status: send Retry-After' },
      times: { value: 'N', integer: true, description: 'how often, then it is gone; without end by default' },
      rate: { value: 'SHARE', description: 'the share of requests it strikes, up to 1' },
    },
    examples: [
      {
        does: 'One rate limit on the next list.',
        command: 'tokenctl emulator fault add --operation tokens.list --status 429 --retry-after 1 --times 1',
      },
    ],
    load: () => import('../commands/emulator/fault/add.js'),
  }),
  defineCommand({
    name: 'emulator fault list',
    summary: 'List the faults on order',
    examples: [{ does: 'As a table.', command: 'tokenctl emulator fault list -o table' }],
    load: () => import('../commands/emulator/fault/list.js'),
  }),
  defineCommand({
    name: 'emulator fault clear',
    summary: 'Remove a fault, or all of them',
    arguments: { id: { optional: true, description: 'the id of one; all when left out' } },
    examples: [{ does: 'All of them.', command: 'tokenctl emulator fault clear' }],
    load: () => import('../commands/emulator/fault/clear.js'),
  }),
  defineCommand({
    name: 'emulator logs',
    summary: 'Show what the emulator did: requests, reactor logs, callbacks',
    flags: {
      follow: {
        short: 'f',
        description: 'go on with what comes, until Ctrl-C; --jq gets each event by itself',
      },
      kind: {
        value: 'KIND',
        list: true,
        suggest: EVENT_KINDS,
        description: 'only events of this kind',
      },
    },
    examples: [{ does: 'The requests so far.', command: 'tokenctl emulator logs --kind request' }],
    load: () => import('../commands/emulator/logs.js'),
  }),
  defineCommand({
    name: 'emulator open',
    summary: 'Open the dashboard in the browser',
    examples: [{ does: 'Of the emulator of this directory.', command: 'tokenctl emulator open' }],
    load: () => import('../commands/emulator/open.js'),
  }),
];
