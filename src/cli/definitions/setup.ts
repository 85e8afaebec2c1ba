import { APPLICATION_TYPES } from '../../contract/permissions.js';
import { type CommandRow, defineCommand } from '../command.js';
import { SUMMARIES } from './summaries.js';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

const PROFILE_ARGUMENT = { suggest: 'profile', description: 'profile name' } as const;

export const commands: readonly CommandRow[] = [
  defineCommand({
    name: 'auth login',
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
      keyring: {
        description: 'store the key in the keyring of the system (needs the package @napi-rs/keyring)',
      },
    },
    examples: [
      {
        does: 'Read the key from a file.',
        command: 'tokenctl auth login --profile dev --base-url "$TOKENCTL_BASE_URL" < key.txt',
      },
    ],
    load: () => import('../commands/auth/login.js'),
  }),
  defineCommand({
    name: 'auth logout',
    summary: 'Remove API keys from a profile',
    details: 'The service still accepts the keys: delete them with `tokenctl application key delete`.',
    flags: {
      type: { value: 'TYPE', choices: APPLICATION_TYPES, description: 'only the key of this type' },
    },
    examples: [{ does: 'Remove all keys of a profile.', command: 'tokenctl auth logout --profile dev' }],
    load: () => import('../commands/auth/logout.js'),
  }),
  defineCommand({
    name: 'auth status',
    summary: 'Show the target service, and the application and permissions of each key',
    operations: ['applications.key'],
    examples: [{ does: 'Show the current target.', command: 'tokenctl auth status' }],
    load: () => import('../commands/auth/status.js'),
  }),
  defineCommand({
    name: 'auth can-i',
    summary: 'Check whether the keys have permissions; exits 1 if one is missing',
    operations: ['applications.key'],
    arguments: {
      permission: { variadic: true, suggest: 'permission', description: 'one or more permissions' },
    },
    examples: [
      {
        does: 'Check permissions before a pipeline deploys.',
        command: 'tokenctl auth can-i reactor:create reactor:update',
      },
    ],
    load: () => import('../commands/auth/can-i.js'),
  }),
  defineCommand({
    name: 'profile add',
    summary: 'Add a profile, a named connection to a service',
    details:
      'A profile becomes the current profile only with --use. Commands that write with a protected profile ask for confirmation, and need --yes when prompts are disabled.',
    arguments: { name: { description: 'profile name' } },
    flags: {
      keyCommand: {
        value: 'COMMAND',
        description: 'shell command that prints the key, so that no file holds it',
      },
      protected: { description: 'ask before every command that writes' },
      use: { description: 'make it the current profile' },
    },
    examples: [
      {
        does: 'Add a profile without a prompt.',
        command: 'tokenctl profile add staging --base-url https://api.example.com',
      },
      {
        does: 'Take the key from a password manager.',
        command: `tokenctl profile add shared --base-url https://api.example.com --key-command 'op read op://team/tokens/key'`,
      },
      {
        does: 'Guard production against commands meant for another service.',
        command: 'tokenctl profile add production --base-url https://api.example.com --protected',
      },
    ],
    load: () => import('../commands/profile/add.js'),
  }),
  defineCommand({
    name: 'profile list',
    summary: 'List the profiles',
    examples: [{ does: 'Print a table.', command: 'tokenctl profile list -o table' }],
    load: () => import('../commands/profile/list.js'),
  }),
  defineCommand({
    name: 'profile use',
    summary: 'Set the current profile, used when none is named',
    arguments: { name: PROFILE_ARGUMENT },
    examples: [{ does: 'Use staging from now on.', command: 'tokenctl profile use staging' }],
    load: () => import('../commands/profile/use.js'),
  }),
  defineCommand({
    name: 'profile show',
    summary: 'Show the service of a profile and the types of its keys',
    arguments: { name: { ...PROFILE_ARGUMENT, optional: true } },
    examples: [{ does: 'Show the current profile.', command: 'tokenctl profile show' }],
    load: () => import('../commands/profile/show.js'),
  }),
  defineCommand({
    name: 'profile remove',
    summary: 'Remove a profile and its keys',
    arguments: { name: PROFILE_ARGUMENT },
    examples: [{ does: 'Remove without confirmation.', command: 'tokenctl profile remove staging --yes' }],
    load: () => import('../commands/profile/remove.js'),
  }),
  defineCommand({
    name: 'doctor',
    summary: SUMMARIES.doctor,
    details:
      'Checks configuration, data directory, emulator and port, then the way to the service: address, protocol, certificate, proxy, clock, keys and permissions. No key is sent to a server that is not a tokenization service. The exit code is the one that commands have because of the problem: 7 if the service cannot be reached, 4 for a key or permission, 5 for a wrong path; 1 for anything else or several causes.',
    operations: ['applications.key'],
    flags: {
      permission: {
        value: 'PERMISSION',
        list: true,
        suggest: 'permission',
        description:
          'permission that you need; by default, all that an application of the type of the key may hold',
      },
      port: {
        value: 'N',
        integer: true,
        description: 'port that the emulator is to listen on, 8787 by default',
      },
    },
    examples: [
      {
        does: 'Check a limited key for what it is meant to do.',
        command: 'tokenctl doctor --permission token:read,token:search',
      },
      { does: 'Print only problems.', command: `tokenctl doctor --jq '.checks[] | select(.status != "ok")'` },
    ],
    load: () => import('../commands/doctor.js'),
  }),
  defineCommand({
    name: 'verify',
    summary: SUMMARIES.verify,
    details:
      'Sends the same requests to a temporary emulator and to the service, replaces ids, times and fingerprints by placeholders, and compares the responses. Everything it creates is deleted again. Exits 3 if the responses differ.',
    operations: [
      'tokens.create',
      'tokens.list',
      'tokens.update',
      'tokens.delete',
      'reactors.create',
      'reactors.list',
      'reactors.update',
      'reactors.delete',
      'reactors.react',
      'tenants.get',
      'tenants.usage',
    ],
    flags: {
      remote: {
        description:
          'confirm that tokens and a reactor may be created on the service; they are deleted again',
      },
    },
    examples: [
      {
        does: 'Show the differences as a table.',
        command: 'tokenctl verify --remote --profile staging -o table',
      },
    ],
    load: () => import('../commands/verify.js'),
  }),
  defineCommand({
    name: 'completion',
    summary: SUMMARIES.completion,
    details: `bash: add \`source <(tokenctl completion bash)\` to ~/.bashrc. zsh: the same with zsh in ~/.zshrc, after compinit. fish: \`tokenctl completion fish > ~/.config/fish/completions/tokenctl.fish\`. PowerShell: add \`tokenctl completion powershell | Out-String | Invoke-Expression\` to $PROFILE.`,
    arguments: { shell: { choices: SHELLS, description: SHELLS.join(', ') } },
    examples: [{ does: 'Enable completion in this session.', command: 'source <(tokenctl completion bash)' }],
    load: () => import('../commands/completion.js'),
  }),
  defineCommand({
    name: '__complete',
    summary: 'Print completions for the last word; called by the completion scripts',
    hidden: true,
    arguments: {
      shell: { choices: SHELLS, description: 'shell that split the words' },
      words: {
        variadic: true,
        optional: true,
        description: 'words typed so far; the last one may be incomplete',
      },
    },
    examples: [],
    load: () => import('../commands/complete.js'),
  }),
];
