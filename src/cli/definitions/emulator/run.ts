import { EMULATOR_FLAGS, START_FLAGS } from '../../../contract/emulator-options.js';
import { type CommandRow, defineCommand, from } from '../../command.js';
import { EMULATOR_SHUTDOWN_MS } from '../../emulator/launch.js';
import { TENANT_FLAG } from '../../flags/emulator-flags.js';
import { commands as controlCommands } from './controls.js';

const controlsModule = () => import('../../commands/emulator/controls.js');
const storeModule = () => import('../../commands/emulator/store.js');
const runningModule = () => import('../../commands/emulator/running.js');
const accessRecordModule = () => import('../../commands/emulator/access-record.js');
const startModule = () => import('../../commands/emulator/start.js');
const devModule = () => import('../../commands/dev.js');
const execModule = () => import('../../commands/emulator/exec.js');

const dataCommands: readonly CommandRow[] = [
  defineCommand('emulator snapshot save', from(controlsModule, 'saveSnapshot'), {
    summary: 'Save a copy of all data under a name',
    arguments: { name: { description: 'snapshot name: letters, digits, ".", "_" and "-"' } },
    flags: { tenant: TENANT_FLAG },
    examples: { 'Save before a test run.': 'tokenctl emulator snapshot save before' },
  }),
  defineCommand('emulator snapshot restore', from(controlsModule, 'restoreSnapshot'), {
    summary: 'Restore all data from a snapshot; the seeded keys stay valid',
    arguments: { name: { suggest: 'snapshot', description: 'snapshot name' } },
    flags: { tenant: TENANT_FLAG },
    examples: { 'Restore after the run.': 'tokenctl emulator snapshot restore before' },
  }),
  defineCommand('emulator snapshot list', from(controlsModule, 'listSnapshots'), {
    summary: 'List the snapshots',
    flags: { tenant: TENANT_FLAG },
    examples: { 'Print only the names.': "tokenctl emulator snapshot list --jq '.data[].name'" },
  }),
  defineCommand('emulator tenant export', from(storeModule, 'exportTenant'), {
    summary: 'Export a tenant to a JSON file, including token data and secrets',
    arguments: { file: { suggest: 'file', description: 'output file, or - for standard output' } },
    flags: { tenant: { value: 'ID', description: 'tenant id; the tenant of `emulator keys` by default' } },
    examples: { 'Export a tenant as a test fixture.': 'tokenctl emulator tenant export tenant.json' },
  }),
  defineCommand('emulator tenant import', from(storeModule, 'importTenant'), {
    summary: 'Import an exported tenant, replacing the tenant with the same id',
    arguments: { file: { suggest: 'file', description: 'file written by `emulator tenant export`' } },
    examples: { 'Import the fixture.': 'tokenctl emulator tenant import tenant.json' },
  }),
  defineCommand('emulator move', from(storeModule, 'moveStore'), {
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
  }),
  defineCommand('emulator migrate', from(storeModule, 'migrateStore'), {
    summary: 'Bring the PostgreSQL database of a store to the schema of this version',
    details:
      'emulator start does the same. Run it beforehand as a user who may create tables, or with --dry-run to see what would be done. The password comes from PGPASSWORD or a password file, never from the URL.',
    flags: { store: START_FLAGS.store, dryRun: { description: 'only list what would be done' } },
    examples: {
      'Show what an upgrade would change.':
        'tokenctl emulator migrate --store postgres://tokenctl@db.example/tokenctl --dry-run',
    },
  }),
  defineCommand('emulator doctor', from(storeModule, 'checkStore'), {
    summary: 'Check the data directory of a stopped emulator for damage; exits 1 if there is any',
    flags: { repair: { description: 'keep everything readable and move damaged files to damaged/' } },
    examples: { 'Repair the data directory.': 'tokenctl emulator doctor --repair' },
  }),
];

export const commands: readonly CommandRow[] = [
  defineCommand('emulator start', from(startModule, 'run'), {
    summary: 'Start the emulator; it runs until Ctrl-C',
    details:
      'Prints the base URL, dashboard, tenant and keys of the three seeded applications once it accepts requests; with --json, as one line. Data and keys are kept in --data-dir (.tokenctl by default), and commands in this directory or below find the emulator automatically. TOKENCTL_EMULATOR_MANAGEMENT_KEY, …_PRIVATE_KEY and …_PUBLIC_KEY set the keys of a new data directory.',
    flags: {
      ...START_FLAGS,
      ...EMULATOR_FLAGS,
      ensure: {
        description:
          'if an emulator with the same options runs for this directory, print it and exit; with others, exit 2',
      },
    },
    examples: {
      'Start on a free port, in memory.': 'tokenctl emulator start --port 0 --memory --json',
      'Start at a time in the future.': 'tokenctl emulator start --port 0 --clock 2031-01-01T00:00:00Z',
    },
    cleanUpMs: EMULATOR_SHUTDOWN_MS,
  }),
  defineCommand('dev', from(devModule, 'run'), {
    details:
      'Uses the emulator of this directory, or starts it, and runs the command with TOKENCTL_BASE_URL and the keys in its environment. The manifest is applied first, and again when one of its files changes. Prints requests, applies, events and what the command prints as one log. Ctrl-C ends all of it, as the end of the command does, whose exit code is passed on.',
    arguments: { command: { variadic: true, description: 'command and its arguments, after --' } },
    flags: {
      forwardTo: { value: 'URL', description: 'endpoint of the application that receives events' },
      ...START_FLAGS,
      ...EMULATOR_FLAGS,
    },
    examples: {
      'Run an application that receives events.':
        'tokenctl dev --forward-to http://127.0.0.1:3000/hooks -- npm run dev',
    },
    cleanUpMs: EMULATOR_SHUTDOWN_MS,
  }),
  defineCommand('emulator stop', from(runningModule, 'stopEmulator'), {
    summary: 'Stop the emulator of this directory after its current requests',
    flags: { all: { description: 'stop every emulator of this user' } },
    examples: {
      'Stop all of them.': 'tokenctl emulator stop --all',
      'Stop the emulator of another directory.': 'tokenctl emulator stop --data-dir ./other',
    },
  }),
  defineCommand('emulator list', from(runningModule, 'listEmulators'), {
    summary: 'List the emulators of this user that run, wherever their data is',
    examples: { 'Print only their URLs.': "tokenctl emulator list --jq '.data[].base_url'" },
  }),
  defineCommand('emulator status', from(runningModule, 'showStatus'), {
    summary: 'Show whether an emulator is running for this directory; exits 1 if not',
    examples: { 'Print only the base URL.': 'tokenctl emulator status --jq .base_url' },
  }),
  defineCommand('emulator keys', from(runningModule, 'showKeys'), {
    summary: 'Show tenant, keys and webhook secret of the emulator',
    flags: {
      format: {
        value: 'FORMAT',
        choices: ['dotenv'],
        description: 'dotenv: the variables of `emulator exec`, for an application that reads a .env file',
      },
    },
    examples: {
      'Print one key.': 'tokenctl emulator keys --jq .keys.private',
      'Write a .env file.': 'tokenctl emulator keys --format dotenv > .env',
    },
  }),
  defineCommand('emulator open', from(runningModule, 'openDashboard'), {
    summary: 'Open the dashboard in the browser',
    examples: { 'Open the dashboard of the emulator for this directory.': 'tokenctl emulator open' },
  }),
  defineCommand('emulator exec', from(execModule, 'run'), {
    summary: 'Run a command with a temporary emulator',
    details:
      'Starts an emulator on a free port, runs the command with TOKENCTL_BASE_URL and the keys in its environment, stops the emulator and exits with the exit code of the command. The data is discarded unless --data-dir is given.',
    arguments: { command: { variadic: true, description: 'command and its arguments, after --' } },
    flags: {
      access: {
        value: 'FILE',
        suggest: 'file',
        description:
          'manifest whose permissions or rules the applications of the same name get, also the seeded ones: private, public and management',
      },
      failOnLeak: {
        description:
          'exit 1 if token data appears outside of the service: in output, URLs, headers, names, metadata, results and requests of reactors, webhooks, files',
      },
      watchDir: {
        value: 'DIR',
        list: true,
        suggest: 'file',
        description: 'with --fail-on-leak: look into files that the command writes below this directory',
      },
      dataHost: {
        value: 'HOST',
        list: true,
        description: 'with --fail-on-leak: host that reactors may send token data to, except in URLs',
      },
      ignore: {
        value: 'PATTERN',
        list: true,
        description:
          'with --fail-on-leak: value, property path or place that is no leak; * stands for any text: data.status',
      },
      ...EMULATOR_FLAGS,
    },
    examples: {
      'Run tests that need the service.': 'tokenctl emulator exec -- npm test',
      'Run a command against seeded data.': 'tokenctl emulator exec --seed seed.json -- tokenctl usage',
      'Fail if card data reaches a log.':
        'tokenctl emulator exec --fail-on-leak --watch-dir . --data-host 127.0.0.1 -- npm test',
      'Run tests against the applications and reactors of the manifest.':
        'tokenctl emulator exec --seed tokenctl.yaml -- npm test',
    },
    cleanUpMs: EMULATOR_SHUTDOWN_MS,
  }),
  defineCommand('emulator access record', from(accessRecordModule, 'run'), {
    summary: 'Run a command with a temporary emulator and write the permissions that it needed',
    details:
      'Runs the command as `emulator exec` does, then writes a manifest with the applications that it used: permissions, or rules by container and transform if it used tokens. Each is needed: without it, a request would have been refused. It is printed, and the output of the command goes to standard error, unless --out is given. Nothing is written if the command fails.',
    arguments: { command: { variadic: true, description: 'command and its arguments, after --' } },
    flags: {
      out: { value: 'FILE', suggest: 'file', description: 'write the manifest to this file' },
      ...EMULATOR_FLAGS,
    },
    examples: {
      'Find out what a test suite needs.': 'tokenctl emulator access record --out access.yaml -- npm test',
      'Run it with nothing else.': 'tokenctl emulator exec --access access.yaml -- npm test',
    },
    cleanUpMs: EMULATOR_SHUTDOWN_MS,
  }),
  ...controlCommands,
  ...dataCommands,
];
