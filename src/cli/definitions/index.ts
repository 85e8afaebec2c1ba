import type { CommandDefinitions, CommandRow } from '../command.js';
import { applicationCommands } from './application.js';
import { bulkCommands } from './bulk.js';
import { emulatorCommands } from './emulator.js';
import { reactorCommands } from './reactor.js';
import { reactorProjectCommands } from './reactor-deploy.js';
import { setupCommands } from './setup.js';
import { tenantCommands } from './tenant.js';
import { tokenCommands } from './token.js';

/** What the words before a verb stand for; each alone prints its help. */
export const NOUNS: Readonly<Record<string, string>> = {
  token: 'Store, read and change tokens',
  reactor: 'Deploy and invoke code that gets detokenized arguments',
  tenant: 'Look at the tenant and change it',
  'tenant settings': 'Settings of the tenant',
  application: 'Hand out keys and what they may do',
  permission: 'What a key may do',
  log: 'The audit log',
  auth: 'Keys: store them, see what they may do',
  profile: 'Services under a name',
  emulator: 'Run the service on this machine',
  'emulator clock': "The emulator's time",
  'emulator fault': 'Failures on order',
  'emulator snapshot': 'Copies of everything, by name',
  'emulator tenant': 'A whole tenant as one JSON file',
};

/** Every command, in the order of the help text. */
export const COMMANDS: readonly CommandRow[] = [
  ...tokenCommands,
  ...bulkCommands,
  ...reactorProjectCommands,
  ...reactorCommands,
  ...tenantCommands,
  ...applicationCommands,
  ...emulatorCommands,
  ...setupCommands,
];

export const DEFINITIONS: CommandDefinitions = { commands: COMMANDS, nouns: NOUNS };
