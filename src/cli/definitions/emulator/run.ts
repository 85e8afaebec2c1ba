import { EMULATOR_FLAGS, START_FLAGS } from '../../../contract/emulator-options.js';
import { type CommandRow, defineCommand } from '../../command.js';
import { EMULATOR_SHUTDOWN_MS } from '../../emulator/launch.js';
import { commands as controlCommands } from './controls.js';
import { commands as dataCommands } from './data.js';

/** Commands that start, stop and find an emulator, or run another command with one; and those of a running one and its data. */
export const commands: readonly CommandRow[] = [
  defineCommand('emulator start', {
    summary: 'Start the emulator; it runs until Ctrl-C',
    details:
      'Prints the base URL, dashboard, tenant and keys of the three seeded applications once it accepts requests; with --json, as one line. Data and keys are kept in --data-dir (.tokenctl by default), and commands in this directory or below find the emulator automatically. TOKENCTL_EMULATOR_MANAGEMENT_KEY, …_PRIVATE_KEY and …_PUBLIC_KEY set the keys of a new data directory.',
    flags: { ...START_FLAGS, ...EMULATOR_FLAGS },
    examples: {
      'Start on a free port, in memory.': 'tokenctl emulator start --port 0 --memory --json',
      'Start at a time in the future.': 'tokenctl emulator start --port 0 --clock 2031-01-01T00:00:00Z',
    },
    cleanUpMs: EMULATOR_SHUTDOWN_MS,
    load: async () => (await import('../../commands/emulator/start.js')).run,
  }),
  defineCommand('emulator stop', {
    summary: 'Stop the emulator of this directory after its current requests',
    examples: { 'Stop the emulator of another directory.': 'tokenctl emulator stop --data-dir ./other' },
    load: async () => (await import('../../commands/emulator/running.js')).stopEmulator,
  }),
  defineCommand('emulator status', {
    summary: 'Show whether an emulator is running for this directory; exits 1 if not',
    examples: { 'Print only the base URL.': 'tokenctl emulator status --jq .base_url' },
    load: async () => (await import('../../commands/emulator/running.js')).showStatus,
  }),
  defineCommand('emulator keys', {
    summary: 'Show tenant, keys and webhook secret of the emulator',
    examples: { 'Print one key.': 'tokenctl emulator keys --jq .keys.private' },
    load: async () => (await import('../../commands/emulator/running.js')).showKeys,
  }),
  defineCommand('emulator open', {
    summary: 'Open the dashboard in the browser',
    examples: { 'Open the dashboard of the emulator for this directory.': 'tokenctl emulator open' },
    load: async () => (await import('../../commands/emulator/running.js')).openDashboard,
  }),
  defineCommand('emulator exec', {
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
    load: async () => (await import('../../commands/emulator/exec.js')).run,
  }),
  defineCommand('emulator access record', {
    summary: 'Run a command with a temporary emulator and write the permissions that it needed',
    details:
      'Runs the command as `emulator exec` does, then writes a manifest with the applications that it used: permissions, or rules by container and transform if it used tokens. Without any one of them, a request that was answered would be refused. It is printed, and the output of the command goes to standard error, unless --out is given. Nothing is written if the command fails.',
    arguments: { command: { variadic: true, description: 'command and its arguments, after --' } },
    flags: {
      out: { value: 'FILE', suggest: 'file', description: 'write the manifest to this file' },
      verify: {
        description:
          'run the command again with the recorded access and once without each part of it, and take out what it passes without',
      },
      ...EMULATOR_FLAGS,
    },
    examples: {
      'Find out what a test suite needs.': 'tokenctl emulator access record --out access.yaml -- npm test',
      'Run it with nothing else.': 'tokenctl emulator exec --access access.yaml -- npm test',
    },
    cleanUpMs: EMULATOR_SHUTDOWN_MS,
    load: async () => (await import('../../commands/emulator/access/record.js')).run,
  }),
  ...controlCommands,
  ...dataCommands,
];
