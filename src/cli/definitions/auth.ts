import { APPLICATION_TYPES } from '../../contract/application-types.js';
import { type CommandRow, defineCommand, from } from '../command.js';

const loginModule = () => import('../commands/auth/login.js');
const statusModule = () => import('../commands/auth/status.js');
const profileModule = () => import('../commands/profile.js');
const explainModule = () => import('../commands/auth/explain.js');

const PROFILE_ARGUMENT = { suggest: 'profile', description: 'profile name' } as const;

const KEY_COMMAND = {
  value: 'COMMAND',
  description: 'shell command that prints the key, so that no file holds it',
} as const;

export const commands: readonly CommandRow[] = [
  defineCommand('auth login', from(loginModule, 'logIn'), {
    summary: 'Verify an API key and store it in a profile',
    details:
      'The key is read from a hidden prompt, from --key-file, or from standard input; no flag takes it. It is stored in the profile given by --profile or in the current profile; with --base-url, a new profile can be created.',
    operations: ['applications.key'],
    flags: {
      type: {
        value: 'TYPE',
        choices: APPLICATION_TYPES,
        description: 'key type, if the service does not report it',
      },
    },
    examples: {
      'Read the key from a file.':
        'tokenctl auth login --profile dev --base-url "$TOKENCTL_BASE_URL" < key.txt',
    },
  }),
  defineCommand('auth logout', from(loginModule, 'logOut'), {
    summary: 'Remove API keys from a profile',
    details: 'The service still accepts the keys: delete them with `tokenctl application key delete`.',
    flags: { type: { value: 'TYPE', choices: APPLICATION_TYPES, description: 'only the key of this type' } },
    examples: { 'Remove all keys of a profile.': 'tokenctl auth logout --profile dev' },
  }),
  defineCommand('auth status', from(statusModule, 'showStatus'), {
    summary: 'Show the target service and tenant, and the application and permissions of each key',
    operations: ['applications.key', 'tenants.get'],
    examples: { 'Show the current target.': 'tokenctl auth status' },
  }),
  defineCommand('auth can-i', from(statusModule, 'checkPermissions'), {
    summary: 'Check whether the keys have permissions; exits 1 if one is missing',
    operations: ['applications.key'],
    arguments: {
      permission: { variadic: true, suggest: 'permission', description: 'one or more permissions' },
    },
    examples: {
      'Check permissions before a pipeline deploys.': 'tokenctl auth can-i reactor:create reactor:update',
    },
  }),
  defineCommand('auth explain', from(explainModule, 'run'), {
    summary: 'Explain why an emulator refused a request, or what it was shown, rule by rule',
    details:
      'Shows which permission was needed on which containers, which rules were tried in order of priority, which one decided, with which transform, and which tokens a list left out. Every response has a trace ID, and errors print it; `tokenctl emulator requests` lists the recent ones. Only an emulator records this.',
    arguments: { traceId: { optional: true, description: 'trace ID of the request' } },
    flags: {
      last: { description: 'explain the last request that was refused; if none was, the last request' },
    },
    examples: { 'Explain the last request that was refused.': 'tokenctl auth explain --last' },
  }),
  defineCommand('profile add', from(profileModule, 'addProfile'), {
    summary: 'Add a profile, a named connection to a service',
    details:
      'The first profile is the current one, others become it with --use. Commands that write with a protected profile ask for confirmation, and need --yes when prompts are disabled.',
    arguments: { name: { description: 'profile name' } },
    globals: ['baseUrl'],
    flags: {
      keyCommand: KEY_COMMAND,
      protected: { description: 'ask before every command that writes' },
      use: { description: 'make it the current profile' },
    },
    examples: {
      'Add a profile without a prompt.': 'tokenctl profile add staging --base-url https://api.example.com',
      'Take the key from a password manager.': `tokenctl profile add shared --base-url https://api.example.com --key-command 'op read op://team/tokens/key'`,
      'Guard production against commands meant for another service.':
        'tokenctl profile add production --base-url https://api.example.com --protected',
    },
  }),
  defineCommand('profile list', from(profileModule, 'listProfiles'), {
    summary: 'List the profiles',
    examples: { 'Print a table.': 'tokenctl profile list -o table' },
  }),
  defineCommand('profile use', from(profileModule, 'useProfile'), {
    summary: 'Set the current profile, used when none is named',
    arguments: { name: PROFILE_ARGUMENT },
    examples: { 'Use staging from now on.': 'tokenctl profile use staging' },
  }),
  defineCommand('profile set', from(profileModule, 'setProfile'), {
    summary: 'Change a profile and keep its keys',
    arguments: { name: PROFILE_ARGUMENT },
    globals: ['baseUrl'],
    flags: {
      keyCommand: KEY_COMMAND,
      protected: { description: 'ask before every command that writes', negatable: true },
    },
    examples: {
      'The service has moved.': 'tokenctl profile set staging --base-url https://staging.example.com',
      'Ask no longer.': 'tokenctl profile set staging --no-protected',
    },
  }),
  defineCommand('profile show', from(profileModule, 'showProfile'), {
    summary: 'Show the service of a profile and the types of its keys',
    arguments: { name: { ...PROFILE_ARGUMENT, optional: true } },
    examples: { 'Show the current profile.': 'tokenctl profile show' },
  }),
  defineCommand('profile remove', from(profileModule, 'removeProfile'), {
    summary: 'Remove a profile and its keys',
    arguments: { name: PROFILE_ARGUMENT },
    examples: { 'Remove without confirmation.': 'tokenctl profile remove staging --yes' },
  }),
];
