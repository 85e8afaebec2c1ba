import { EVENT_KINDS } from '../../../contract/control/vocabulary.js';
import { type CommandRow, defineCommand, from } from '../../command.js';
import { EXPECTATION_FLAGS, FAULT_FLAGS, NEWEST_FLAG, TENANT_FLAG } from '../../flags/emulator-flags.js';

const storeModule = () => import('../../commands/emulator/store.js');
const controlsModule = () => import('../../commands/emulator/controls.js');
const requestsModule = () => import('../../commands/emulator/requests.js');
const topModule = () => import('../../commands/emulator/top.js');

const BACKGROUND_FLAG = {
  description: 'also requests that tokenctl made by itself, such as for names in a table',
} as const;

const FOLLOW_FLAG = {
  short: 'f',
  description: 'keep printing new events until Ctrl-C; --jq is applied to each event',
} as const;

export const commands: readonly CommandRow[] = [
  defineCommand('emulator reset', from(storeModule, 'resetData'), {
    summary: 'Delete all data; the tenant and its keys are kept',
    flags: { tenant: TENANT_FLAG },
    examples: { 'Reset between two test runs.': 'tokenctl emulator reset' },
  }),
  defineCommand('emulator seed', from(storeModule, 'seedData'), {
    summary: 'Create the items of a seed file that do not exist yet',
    arguments: {
      file: {
        suggest: 'file',
        description:
          'JSON or YAML file: { tokens, reactors, applications }, or a manifest (tokenctl.yaml), with made-up secrets',
      },
    },
    examples: { 'Safe to repeat; existing items are skipped.': 'tokenctl emulator seed seed.json' },
  }),
  defineCommand('emulator clock show', from(controlsModule, 'showClock'), {
    summary: "Show the emulator's time",
    flags: { tenant: TENANT_FLAG },
    examples: { 'Print only the time.': 'tokenctl emulator clock show --jq .now' },
  }),
  defineCommand('emulator clock set', from(controlsModule, 'setClock'), {
    summary: "Set the emulator's time; events that become due happen immediately",
    arguments: { time: { description: 'ISO 8601 time' } },
    flags: { tenant: TENANT_FLAG },
    examples: {
      'Set a time in the future. Moving the clock back undoes nothing.':
        'tokenctl emulator clock set 2031-01-01T00:00:00Z',
    },
  }),
  defineCommand('emulator clock advance', from(controlsModule, 'advanceClock'), {
    summary: "Advance the emulator's time; events that become due happen immediately",
    arguments: { duration: { description: '90m, 1h30m, 2d, or ISO 8601 (PT90M)' } },
    flags: { tenant: TENANT_FLAG },
    examples: {
      'Advance past the hour after which a CVC is deleted.': 'tokenctl emulator clock advance 61m',
    },
  }),
  defineCommand('emulator clock next', from(controlsModule, 'listDue'), {
    summary: 'List what is due next: expirations of tokens and keys, attempts of deliveries',
    flags: { tenant: TENANT_FLAG },
    examples: { 'Print the time of the next.': "tokenctl emulator clock next --jq '.data[0].at'" },
  }),
  defineCommand('emulator clock step', from(controlsModule, 'stepClock'), {
    summary: 'Advance the clock to the next thing that is due, which then happens',
    flags: { tenant: TENANT_FLAG },
    examples: { 'Let the next token expire, or the next delivery be made.': 'tokenctl emulator clock step' },
  }),
  defineCommand('emulator clock freeze', from(controlsModule, 'freezeClock'), {
    summary: "Stop the emulator's clock",
    flags: { tenant: TENANT_FLAG },
    examples: { 'Make all following timestamps equal.': 'tokenctl emulator clock freeze' },
  }),
  defineCommand('emulator clock resume', from(controlsModule, 'resumeClock'), {
    summary: 'Resume a stopped clock',
    flags: { tenant: TENANT_FLAG },
    examples: { 'Resume from the time at which the clock stopped.': 'tokenctl emulator clock resume' },
  }),
  defineCommand('emulator fault add', from(controlsModule, 'addFault'), {
    summary: 'Make requests fail, to test how clients handle errors',
    flags: FAULT_FLAGS,
    examples: {
      'Rate-limit the next list request.':
        'tokenctl emulator fault add --operation tokens.list --status 429 --retry-after 1 --times 1',
    },
  }),
  defineCommand('emulator fault list', from(controlsModule, 'listFaults'), {
    summary: 'List the injected faults',
    flags: { tenant: TENANT_FLAG },
    examples: { 'Print a table.': 'tokenctl emulator fault list -o table' },
  }),
  defineCommand('emulator fault clear', from(controlsModule, 'clearFaults'), {
    summary: 'Remove a fault, or all of them',
    arguments: { id: { optional: true, description: 'fault id; all faults by default' } },
    flags: { tenant: TENANT_FLAG },
    examples: { 'Remove all faults.': 'tokenctl emulator fault clear' },
  }),
  defineCommand('emulator origin allow', from(controlsModule, 'allowOrigin'), {
    summary: 'Allow pages of an origin to call the service until the emulator stops',
    arguments: { origin: { description: 'https://shop.example, http://localhost:* or http://127.0.0.1:*' } },
    examples: {
      'Allow the development server of a web page, whatever its port.':
        "tokenctl emulator origin allow 'http://localhost:*'",
    },
  }),
  defineCommand('emulator origin list', from(controlsModule, 'listOrigins'), {
    summary: 'List the origins whose pages may call the service',
    examples: { 'Print only the origins.': "tokenctl emulator origin list --jq '.data[].origin'" },
  }),
  defineCommand('emulator origin remove', from(controlsModule, 'removeOrigin'), {
    summary: 'Stop allowing pages of an origin to call the service',
    arguments: { origin: { description: 'an origin of `emulator origin list`' } },
    examples: {
      'Remove what was allowed before.':
        'tokenctl emulator origin allow https://shop.example && tokenctl emulator origin remove https://shop.example',
    },
  }),
  defineCommand('emulator logs', from(requestsModule, 'showLogs'), {
    summary: 'Show requests, reactor logs, callbacks and other events',
    prints: 'events',
    flags: {
      background: BACKGROUND_FLAG,
      follow: FOLLOW_FLAG,
      kind: { value: 'KIND', list: true, suggest: EVENT_KINDS, description: 'only events of this kind' },
      limit: NEWEST_FLAG,
      tenant: TENANT_FLAG,
    },
    examples: { 'Show recent requests.': 'tokenctl emulator logs --kind request' },
  }),
  defineCommand('emulator requests', from(requestsModule, 'listRequests'), {
    summary: 'List recent requests: who sent them, how data was shown, why one was refused',
    prints: 'events',
    flags: {
      application: {
        value: 'APPLICATION',
        description: 'only requests of this application, by ID or exact name',
      },
      background: BACKGROUND_FLAG,
      failed: { description: 'only requests with an error response' },
      follow: FOLLOW_FLAG,
      limit: NEWEST_FLAG,
      tenant: TENANT_FLAG,
    },
    examples: { 'See why requests were refused.': 'tokenctl emulator requests --failed' },
  }),
  defineCommand('emulator requests verify', from(requestsModule, 'verifyRequests'), {
    summary: 'Check that requests were sent as expected; exits 1 if not',
    details:
      'A request matches if it has everything that is given. Objects in the body may have other properties; arrays must have the same items. If nothing matches, the nearest request and its differences are shown; values stay masked.',
    flags: EXPECTATION_FLAGS,
    examples: {
      'Expect that a token of this type was created.': `tokenctl emulator requests verify --operation tokens.create --body '{"type":"token"}'`,
    },
  }),
  defineCommand('emulator top', from(topModule, 'run'), {
    summary: 'Watch requests, latency, errors, reactors and the store',
    details:
      'Prints a line per interval, with --json an object per line, until Ctrl-C. Latencies are estimates, exact to about a third.',
    flags: {
      interval: { value: 'DURATION', description: 'time between two samples, 1s by default' },
      count: { value: 'N', integer: true, minimum: 1, description: 'stop after this many samples' },
    },
    examples: { 'Measure the load of one second.': 'tokenctl emulator top --interval 1s --count 1 --json' },
  }),
];
