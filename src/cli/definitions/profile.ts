import { type CommandRow, defineCommand } from '../command.js';

const PROFILE_ARGUMENT = { suggest: 'profile', description: 'profile name' } as const;

const KEY_COMMAND = {
  value: 'COMMAND',
  description: 'shell command that prints the key, so that no file holds it',
} as const;

export const commands: readonly CommandRow[] = [
  defineCommand('profile add', {
    summary: 'Add a profile, a named connection to a service',
    details:
      'The first profile is the current one, others become it with --use. Commands that write with a protected profile ask for confirmation, and need --yes when prompts are disabled.',
    arguments: { name: { description: 'profile name' } },
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
    load: async () => (await import('../commands/profile.js')).addProfile,
  }),
  defineCommand('profile list', {
    summary: 'List the profiles',
    examples: { 'Print a table.': 'tokenctl profile list -o table' },
    load: async () => (await import('../commands/profile.js')).listProfiles,
  }),
  defineCommand('profile use', {
    summary: 'Set the current profile, used when none is named',
    arguments: { name: PROFILE_ARGUMENT },
    examples: { 'Use staging from now on.': 'tokenctl profile use staging' },
    load: async () => (await import('../commands/profile.js')).useProfile,
  }),
  defineCommand('profile set', {
    summary: 'Change a profile and keep its keys',
    arguments: { name: PROFILE_ARGUMENT },
    flags: {
      keyCommand: KEY_COMMAND,
      protected: { description: 'ask before every command that writes', negatable: true },
    },
    examples: {
      'The service has moved.': 'tokenctl profile set staging --base-url https://staging.example.com',
      'Ask no longer.': 'tokenctl profile set staging --no-protected',
    },
    load: async () => (await import('../commands/profile.js')).setProfile,
  }),
  defineCommand('profile show', {
    summary: 'Show the service of a profile and the types of its keys',
    arguments: { name: { ...PROFILE_ARGUMENT, optional: true } },
    examples: { 'Show the current profile.': 'tokenctl profile show' },
    load: async () => (await import('../commands/profile.js')).showProfile,
  }),
  defineCommand('profile remove', {
    summary: 'Remove a profile and its keys',
    arguments: { name: PROFILE_ARGUMENT },
    examples: { 'Remove without confirmation.': 'tokenctl profile remove staging --yes' },
    load: async () => (await import('../commands/profile.js')).removeProfile,
  }),
];
