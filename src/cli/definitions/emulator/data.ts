import { START_FLAGS } from '../../../contract/emulator-options.js';
import { type CommandRow, defineCommand } from '../../command.js';
import { EMULATOR_SHUTDOWN_MS } from '../../emulator/launch.js';
import { TENANT_FLAG } from '../../flags/emulator-flags.js';

/** Commands that keep, move, migrate and check the data of an emulator. */
export const commands: readonly CommandRow[] = [
  defineCommand('emulator snapshot save', {
    summary: 'Save a copy of all data under a name',
    arguments: { name: { description: 'snapshot name: letters, digits, ".", "_" and "-"' } },
    flags: { tenant: TENANT_FLAG },
    examples: { 'Save before a test run.': 'tokenctl emulator snapshot save before' },
    load: async () => (await import('../../commands/emulator/controls.js')).saveSnapshot,
  }),
  defineCommand('emulator snapshot restore', {
    summary: 'Restore all data from a snapshot; the seeded keys stay valid',
    arguments: { name: { suggest: 'snapshot', description: 'snapshot name' } },
    flags: { tenant: TENANT_FLAG },
    examples: { 'Restore after the run.': 'tokenctl emulator snapshot restore before' },
    load: async () => (await import('../../commands/emulator/controls.js')).restoreSnapshot,
  }),
  defineCommand('emulator snapshot list', {
    summary: 'List the snapshots',
    flags: { tenant: TENANT_FLAG },
    examples: { 'Print only the names.': "tokenctl emulator snapshot list --jq '.data[].name'" },
    load: async () => (await import('../../commands/emulator/controls.js')).listSnapshots,
  }),
  defineCommand('emulator tenant export', {
    summary: 'Export a tenant to a JSON file, including token data and secrets',
    arguments: { file: { suggest: 'file', description: 'output file, or - for standard output' } },
    flags: { tenant: { value: 'ID', description: 'tenant id; the tenant of `emulator keys` by default' } },
    examples: { 'Export a tenant as a test fixture.': 'tokenctl emulator tenant export tenant.json' },
    load: async () => (await import('../../commands/emulator/store.js')).exportTenant,
  }),
  defineCommand('emulator tenant import', {
    summary: 'Import an exported tenant, replacing the tenant with the same id',
    arguments: { file: { suggest: 'file', description: 'file written by `emulator tenant export`' } },
    examples: { 'Import the fixture.': 'tokenctl emulator tenant import tenant.json' },
    load: async () => (await import('../../commands/emulator/store.js')).importTenant,
  }),
  defineCommand('emulator move', {
    summary: 'Move everything in the data directory to a PostgreSQL database, or back',
    details:
      'Moves tokens, applications, reactors, logs, snapshots and keys while no emulator runs on either. Every record of the copy is compared with the original; then the original is removed. The target must be empty. After Ctrl-C or a crash, the source still has everything: run the command again. The key of the database comes from --encrypt or TOKENCTL_DATA_KEY; a new data directory gets the same one.',
    flags: {
      to: {
        value: 'URL',
        description: 'move the data directory to this database, postgres://user@host/database',
      },
      from: { value: 'URL', description: 'move this database to the data directory' },
      encrypt: {
        value: 'KEY_FILE',
        suggest: 'file',
        description: 'file with the key of the database; created for a new one',
      },
    },
    examples: {
      'Move what one emulator had to a database that a team shares.':
        'tokenctl emulator move --data-dir ./alone --to postgres://tokenctl@db.example/tokenctl --encrypt data.key',
    },
    cleanUpMs: EMULATOR_SHUTDOWN_MS,
    load: async () => (await import('../../commands/emulator/store.js')).moveStore,
  }),
  defineCommand('emulator migrate', {
    summary: 'Bring the PostgreSQL database of a store to the schema of this version',
    details:
      'emulator start does the same. Run it beforehand as a user who may create tables, or with --dry-run to see what would be done. The password comes from PGPASSWORD or a password file, never from the URL.',
    flags: { store: START_FLAGS.store, dryRun: { description: 'only list what would be done' } },
    examples: {
      'Show what an upgrade would change.':
        'tokenctl emulator migrate --store postgres://tokenctl@db.example/tokenctl --dry-run',
    },
    load: async () => (await import('../../commands/emulator/store.js')).migrateStore,
  }),
  defineCommand('emulator doctor', {
    summary: 'Check the data directory of a stopped emulator for damage; exits 1 if there is any',
    flags: { repair: { description: 'keep everything readable and move damaged files to damaged/' } },
    examples: { 'Repair the data directory.': 'tokenctl emulator doctor --repair' },
    load: async () => (await import('../../commands/emulator/store.js')).checkStore,
  }),
];
