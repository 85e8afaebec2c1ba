import { type CommandRow, defineCommand, from } from '../command.js';
import { LOG_FLAGS } from '../flags/log-flags.js';

const tenantModule = () => import('../commands/tenant.js');
const logModule = () => import('../commands/log.js');

export const commands: readonly CommandRow[] = [
  defineCommand('tenant get', from(tenantModule, 'getTenant'), {
    summary: 'Get the tenant of the key',
    prints: 'tenants.get',
    examples: { 'Print only the name.': 'tokenctl tenant get --jq .name' },
  }),
  defineCommand('tenant update', from(tenantModule, 'updateTenant'), {
    prints: 'tenants.update',
    operations: ['tenants.get'],
    flags: {
      name: { value: 'NAME', description: 'new name; unchanged by default' },
      set: {
        value: 'KEY=VALUE',
        list: true,
        description: 'a setting, true or false; other settings are unchanged',
      },
    },
    examples: {
      'Return the existing token instead of storing the same data twice.':
        'tokenctl tenant update --set deduplicate_tokens=true',
    },
  }),
  defineCommand('tenant settings get', from(tenantModule, 'getSettings'), {
    summary: 'Get the settings of the tenant',
    operations: ['tenants.get'],
    examples: { 'Print all settings.': 'tokenctl tenant settings get' },
  }),
  defineCommand('tenant settings set', from(tenantModule, 'changeSettings'), {
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
        description: 'key=value, where the value is true or false',
      },
    },
    examples: {
      'Fingerprint only tokens that have a fingerprint expression.':
        'tokenctl tenant settings set fingerprint_tokens=false',
    },
  }),
  defineCommand('tenant delete', from(tenantModule, 'deleteTenant'), {
    operations: ['tenants.delete', 'tenants.get'],
    flags: {
      confirm: { value: 'NAME', description: 'name of the tenant, as confirmation; prompted for if missing' },
    },
    examples: { 'Delete without a prompt.': 'tokenctl tenant delete --confirm=Emulator' },
  }),
  defineCommand('usage', from(tenantModule, 'showUsage'), {
    prints: 'tenants.usage',
    examples: {
      'Print a table with bars.': 'tokenctl usage --output table',
      'Print one number.': 'tokenctl usage --jq .token_report.monthly_active_tokens',
    },
  }),
  defineCommand('log entity-types', from(logModule, 'listEntityTypes'), {
    prints: 'logs.entityTypes',
    examples: { 'As text.': "tokenctl log entity-types --jq '.data[].value'" },
  }),
  defineCommand('log list', from(logModule, 'listLog'), {
    summary: 'List the entries of the audit log',
    prints: 'logs.list',
    flags: LOG_FLAGS,
    examples: {
      'Show who revealed token data yesterday. Days begin at midnight UTC.':
        'tokenctl log list --transform reveal --since yesterday --until today',
      'Show who did what with a token.':
        'tokenctl log list --entity-type token --entity-id customer-1042-card',
      'Show who read tokens within a day, and how their data was shown.':
        'tokenctl log list --entity-type token --operation read --since 24h',
    },
  }),
];
