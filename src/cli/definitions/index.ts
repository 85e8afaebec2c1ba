import type { CommandDefinitions, CommandRow } from '../command.js';
import { applicationCommands } from './application.js';
import { bulkCommands } from './bulk.js';
import { emulatorCommands } from './emulator.js';
import { reactorCommands } from './reactor.js';
import { reactorProjectCommands } from './reactor-deploy.js';
import { setupCommands } from './setup.js';
import { tenantCommands } from './tenant.js';
import { tokenCommands } from './token.js';

/** A summary of each noun; a noun alone prints its help. */
export const NOUNS: Readonly<Record<string, string>> = {
  token: 'Store, read and change tokens',
  reactor: 'Deploy and invoke code that receives detokenized arguments',
  tenant: 'Show and change the tenant',
  'tenant settings': 'Show and change the settings of the tenant',
  application: 'Manage API keys and their permissions',
  'application key': 'Manage several keys of an application',
  permission: 'List permissions',
  log: 'Read the audit log',
  auth: 'Store API keys and check their permissions',
  profile: 'Manage named connections',
  emulator: 'Run the service on this machine',
  'emulator clock': "Control the emulator's clock",
  'emulator fault': 'Inject faults',
  'emulator origin': 'Control which web pages may call the service',
  'emulator snapshot': 'Save and restore named copies of all data',
  'emulator tenant': 'Export and import a whole tenant as one JSON file',
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
