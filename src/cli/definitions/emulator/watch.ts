import { EVENT_KINDS } from '../../../contract/control/vocabulary.js';
import { type CommandRow, defineCommand } from '../../command.js';
import { EXPECTATION_FLAGS, NEWEST_FLAG, TENANT_FLAG } from '../../flags/emulator-flags.js';

/** Commands that show what a running emulator does. */
export const commands: readonly CommandRow[] = [
  defineCommand({
    name: 'emulator logs',
    summary: 'Show requests, reactor logs, callbacks and other events',
    result: 'events',
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
      limit: NEWEST_FLAG,
      tenant: TENANT_FLAG,
    },
    examples: { 'Show recent requests.': 'tokenctl emulator logs --kind request' },
    load: () => import('../../commands/emulator/logs.js'),
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
      limit: NEWEST_FLAG,
      tenant: TENANT_FLAG,
    },
    examples: { 'See why requests were refused.': 'tokenctl emulator requests --failed' },
    load: async () => ({ run: (await import('../../commands/emulator/requests.js')).listRequests }),
  }),
  defineCommand({
    name: 'emulator requests verify',
    summary: 'Check that requests were sent as expected; exits 1 if not',
    details:
      'A request matches if it has everything that is given. Of an object in the body the given properties are compared, of an array all items. When nothing matches, the nearest request is named and where it differs; the values stay masked.',
    flags: EXPECTATION_FLAGS,
    examples: {
      'Expect that a token of this type was created.': `tokenctl emulator requests verify --operation tokens.create --body '{"type":"token"}'`,
    },
    load: async () => ({ run: (await import('../../commands/emulator/requests.js')).verifyRequests }),
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
    examples: { 'Measure the load of one second.': 'tokenctl emulator top --interval 1s --count 1 --json' },
    load: () => import('../../commands/emulator/top.js'),
  }),
];
