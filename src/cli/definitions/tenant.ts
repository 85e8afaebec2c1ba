import { type CommandRow, defineCommand } from '../command.js';

export const tenantCommands: readonly CommandRow[] = [
  defineCommand({
    name: 'tenant get',
    summary: 'Get the tenant of the key',
    operations: ['tenants.get'],
    examples: [{ does: 'Its name.', command: 'tokenctl tenant get --jq .name' }],
    load: () => import('../commands/tenant/get.js'),
  }),
  defineCommand({
    name: 'tenant update',
    summary: 'Update the name and settings of the tenant',
    operations: ['tenants.update', 'tenants.get'],
    flags: {
      name: { value: 'NAME', description: 'the new name; it stays when left out' },
      set: { value: 'KEY=VALUE', list: true, description: 'a setting, true or false; the others stay' },
    },
    examples: [
      {
        does: 'Return the token that is there instead of storing its data twice.',
        command: 'tokenctl tenant update --set deduplicate_tokens=true',
      },
    ],
    load: () => import('../commands/tenant/update.js'),
  }),
  defineCommand({
    name: 'tenant settings get',
    summary: 'Get the settings of the tenant',
    operations: ['tenants.get'],
    examples: [{ does: 'All of them.', command: 'tokenctl tenant settings get' }],
    load: () => import('../commands/tenant/settings/get.js'),
  }),
  defineCommand({
    name: 'tenant settings set',
    summary: 'Change settings of the tenant',
    operations: ['tenants.update', 'tenants.get'],
    arguments: {
      setting: {
        variadic: true,
        suggest: [
          'fingerprint_tokens=true',
          'fingerprint_tokens=false',
          'deduplicate_tokens=true',
          'deduplicate_tokens=false',
        ],
        description: 'key=value, the value true or false',
      },
    },
    examples: [
      {
        does: 'Fingerprint tokens only where a fingerprint expression asks for it.',
        command: 'tokenctl tenant settings set fingerprint_tokens=false',
      },
    ],
    load: () => import('../commands/tenant/settings/set.js'),
  }),
  defineCommand({
    name: 'tenant delete',
    summary: 'Delete the tenant with its applications, reactors and tokens',
    operations: ['tenants.delete', 'tenants.get'],
    flags: {
      confirm: { value: 'NAME', description: 'the name of the tenant; asked for when left out' },
    },
    examples: [{ does: 'Without being asked.', command: 'tokenctl tenant delete --confirm=Emulator' }],
    load: () => import('../commands/tenant/delete.js'),
  }),
  defineCommand({
    name: 'usage',
    summary: 'Show the usage report: tokens per type, and use of the plan',
    operations: ['tenants.usage'],
    examples: [
      { does: 'As a table with bars.', command: 'tokenctl usage --output table' },
      { does: 'One number.', command: 'tokenctl usage --jq .token_report.monthly_active_tokens' },
    ],
    load: () => import('../commands/usage.js'),
  }),
];
