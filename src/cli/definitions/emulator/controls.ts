import { type CommandRow, defineCommand } from '../../command.js';
import { FAULT_FLAGS, TENANT_FLAG } from '../../flags/emulator-flags.js';

/** Commands that change a running emulator: its data at once, its time, its faults, its origins. */
export const commands: readonly CommandRow[] = [
  defineCommand({
    name: 'emulator reset',
    summary: 'Delete all data; the tenant and its keys are kept',
    flags: { tenant: TENANT_FLAG },
    examples: { 'Reset between two test runs.': 'tokenctl emulator reset' },
    load: async () => ({ run: (await import('../../commands/emulator/data.js')).resetData }),
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
    examples: { 'Safe to repeat; existing items are skipped.': 'tokenctl emulator seed seed.json' },
    load: async () => ({ run: (await import('../../commands/emulator/data.js')).seedData }),
  }),
  defineCommand({
    name: 'emulator clock show',
    summary: "Show the emulator's time",
    flags: { tenant: TENANT_FLAG },
    examples: { 'Print only the time.': 'tokenctl emulator clock show --jq .now' },
    load: async () => ({ run: (await import('../../commands/emulator/controls.js')).showClock }),
  }),
  defineCommand({
    name: 'emulator clock set',
    summary: "Set the emulator's time; events that become due happen immediately",
    arguments: { time: { description: 'ISO 8601 time' } },
    flags: { tenant: TENANT_FLAG },
    examples: {
      'Set a time in the future. Moving the clock back undoes nothing.':
        'tokenctl emulator clock set 2031-01-01T00:00:00Z',
    },
    load: async () => ({ run: (await import('../../commands/emulator/controls.js')).setClock }),
  }),
  defineCommand({
    name: 'emulator clock advance',
    summary: "Advance the emulator's time; events that become due happen immediately",
    arguments: { duration: { description: '90m, 1h30m, 2d, or ISO 8601 (PT90M)' } },
    flags: { tenant: TENANT_FLAG },
    examples: {
      'Advance past the hour after which a CVC is deleted.': 'tokenctl emulator clock advance 61m',
    },
    load: async () => ({ run: (await import('../../commands/emulator/controls.js')).advanceClock }),
  }),
  defineCommand({
    name: 'emulator clock freeze',
    summary: "Stop the emulator's clock",
    flags: { tenant: TENANT_FLAG },
    examples: { 'Make all following timestamps equal.': 'tokenctl emulator clock freeze' },
    load: async () => ({ run: (await import('../../commands/emulator/controls.js')).freezeClock }),
  }),
  defineCommand({
    name: 'emulator clock resume',
    summary: 'Resume a stopped clock',
    flags: { tenant: TENANT_FLAG },
    examples: { 'Resume from the time at which the clock stopped.': 'tokenctl emulator clock resume' },
    load: async () => ({ run: (await import('../../commands/emulator/controls.js')).resumeClock }),
  }),
  defineCommand({
    name: 'emulator fault add',
    summary: 'Make requests fail, to test how clients handle errors',
    flags: FAULT_FLAGS,
    examples: {
      'Rate-limit the next list request.':
        'tokenctl emulator fault add --operation tokens.list --status 429 --retry-after 1 --times 1',
    },
    load: async () => ({ run: (await import('../../commands/emulator/controls.js')).addFault }),
  }),
  defineCommand({
    name: 'emulator fault list',
    summary: 'List the injected faults',
    flags: { tenant: TENANT_FLAG },
    examples: { 'Print a table.': 'tokenctl emulator fault list -o table' },
    load: async () => ({ run: (await import('../../commands/emulator/controls.js')).listFaults }),
  }),
  defineCommand({
    name: 'emulator fault clear',
    summary: 'Remove a fault, or all of them',
    arguments: { id: { optional: true, description: 'fault id; all faults by default' } },
    flags: { tenant: TENANT_FLAG },
    examples: { 'Remove all faults.': 'tokenctl emulator fault clear' },
    load: async () => ({ run: (await import('../../commands/emulator/controls.js')).clearFaults }),
  }),
  defineCommand({
    name: 'emulator origin allow',
    summary: 'Allow pages of an origin to call the service until the emulator stops',
    arguments: { origin: { description: 'https://shop.example, http://localhost:* or http://127.0.0.1:*' } },
    examples: {
      'Allow the development server of a web page, whatever its port.':
        "tokenctl emulator origin allow 'http://localhost:*'",
    },
    load: async () => ({ run: (await import('../../commands/emulator/controls.js')).allowOrigin }),
  }),
  defineCommand({
    name: 'emulator origin list',
    summary: 'List the origins whose pages may call the service',
    examples: { 'Print only the origins.': "tokenctl emulator origin list --jq '.data[].origin'" },
    load: async () => ({ run: (await import('../../commands/emulator/controls.js')).listOrigins }),
  }),
  defineCommand({
    name: 'emulator origin remove',
    summary: 'Stop allowing pages of an origin to call the service',
    arguments: { origin: { description: 'an origin of `emulator origin list`' } },
    examples: {
      'Remove what was allowed before.':
        'tokenctl emulator origin allow https://shop.example && tokenctl emulator origin remove https://shop.example',
    },
    load: async () => ({ run: (await import('../../commands/emulator/controls.js')).removeOrigin }),
  }),
];
