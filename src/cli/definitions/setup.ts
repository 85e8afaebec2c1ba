import { APPLICATION_TYPES } from '../../contract/permissions.js';
import { type CommandRow, defineCommand } from '../command.js';
import { YES_FLAG } from '../flags/globals.js';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

const PROFILE_ARGUMENT = { suggest: 'profile', description: 'name of a profile' } as const;

export const setupCommands: readonly CommandRow[] = [
  defineCommand({
    name: 'auth login',
    summary: 'Store a key in a profile, after finding out what it is',
    details:
      'The key comes from a prompt that does not show it, from --key-file, or from standard input; no flag takes it. The profile is the one of --profile, else the current one; with --base-url a new one is made.',
    operations: ['applications.key'],
    flags: {
      type: {
        value: 'TYPE',
        choices: APPLICATION_TYPES,
        description: 'what kind of key it is, where the service does not tell',
      },
    },
    examples: [
      {
        does: 'From a secret store.',
        command: 'tokenctl auth login --profile dev --base-url "$TOKENCTL_BASE_URL" < key.txt',
      },
    ],
    load: () => import('../commands/auth/login.js'),
  }),
  defineCommand({
    name: 'auth status',
    summary: 'Show the service, and what each key is and may do',
    operations: ['applications.key'],
    examples: [{ does: 'Of the target chosen.', command: 'tokenctl auth status' }],
    load: () => import('../commands/auth/status.js'),
  }),
  defineCommand({
    name: 'auth can-i',
    summary: 'Tell whether the keys have permissions; exit code 1 when one is missing',
    operations: ['applications.key'],
    arguments: {
      permission: { variadic: true, suggest: 'permission', description: 'one or more permissions' },
    },
    examples: [
      { does: 'Before a pipeline deploys.', command: 'tokenctl auth can-i reactor:create reactor:update' },
    ],
    load: () => import('../commands/auth/can-i.js'),
  }),
  defineCommand({
    name: 'profile add',
    summary: 'Add a profile: a service under a name',
    details: 'The first one becomes the current one.',
    arguments: { name: { description: 'a name for it' } },
    flags: { use: { description: 'make it the current one' } },
    examples: [
      {
        does: 'Without a question.',
        command: 'tokenctl profile add staging --base-url https://api.example.com',
      },
    ],
    load: () => import('../commands/profile/add.js'),
  }),
  defineCommand({
    name: 'profile list',
    summary: 'List the profiles',
    examples: [{ does: 'As a table.', command: 'tokenctl profile list -o table' }],
    load: () => import('../commands/profile/list.js'),
  }),
  defineCommand({
    name: 'profile use',
    summary: 'Choose the profile used when none is named',
    arguments: { name: PROFILE_ARGUMENT },
    examples: [{ does: 'From now on.', command: 'tokenctl profile use staging' }],
    load: () => import('../commands/profile/use.js'),
  }),
  defineCommand({
    name: 'profile show',
    summary: 'Show a profile: its service, and which keys it has',
    arguments: { name: { ...PROFILE_ARGUMENT, optional: true } },
    examples: [{ does: 'The current one.', command: 'tokenctl profile show' }],
    load: () => import('../commands/profile/show.js'),
  }),
  defineCommand({
    name: 'profile remove',
    summary: 'Remove a profile with its keys',
    arguments: { name: PROFILE_ARGUMENT },
    flags: YES_FLAG,
    examples: [{ does: 'Without being asked.', command: 'tokenctl profile remove staging --yes' }],
    load: () => import('../commands/profile/remove.js'),
  }),
  defineCommand({
    name: 'doctor',
    summary: 'Tell what is wrong with this setup, and how to mend it',
    operations: ['applications.key'],
    examples: [{ does: 'Problems only.', command: `tokenctl doctor --jq '.[] | select(.status != "ok")'` }],
    load: () => import('../commands/doctor.js'),
  }),
  defineCommand({
    name: 'verify',
    summary: 'Compare the service with the emulator: the same calls to both',
    details:
      'Tells one story to an emulator of its own and to the service, replaces ids, times and fingerprints by what they are, and compares the answers. What it creates it deletes again. Exit code 3 when they differ.',
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
    flags: { remote: { description: 'really: tokens and a reactor are created there, and deleted again' } },
    examples: [{ does: 'What differs.', command: 'tokenctl verify --remote --profile staging -o table' }],
    load: () => import('../commands/verify.js'),
  }),
  defineCommand({
    name: 'completion',
    summary: 'Print the completion script of a shell',
    details: `bash: add \`source <(tokenctl completion bash)\` to ~/.bashrc. zsh: the same with zsh in ~/.zshrc, after compinit. fish: \`tokenctl completion fish > ~/.config/fish/completions/tokenctl.fish\`. PowerShell: add \`tokenctl completion powershell | Out-String | Invoke-Expression\` to $PROFILE.`,
    arguments: { shell: { choices: SHELLS, description: SHELLS.join(', ') } },
    examples: [{ does: 'For this session.', command: 'source <(tokenctl completion bash)' }],
    load: () => import('../commands/completion.js'),
  }),
  defineCommand({
    name: '__complete',
    summary: 'Print what the last word may become; the completion scripts call it',
    hidden: true,
    arguments: {
      shell: { choices: SHELLS, description: 'whose words these are' },
      words: { variadic: true, optional: true, description: 'the words typed, the last one unfinished' },
    },
    examples: [],
    load: () => import('../commands/complete.js'),
  }),
];
