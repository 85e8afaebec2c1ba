// The command table. Goals S1 and S2: a process loads the definitions of the noun that is typed, and `--help` none.
import type { CommandDefinitions, CommandRow } from '../command.js';
import { SUMMARIES } from './summaries.js';

type Load = () => Promise<{ commands: readonly CommandRow[] }>;

const token: Load = () => import('./token.js');
const reactor: Load = () => import('./reactor/index.js');
const init: Load = () => import('./init.js');
const tenant: Load = () => import('./tenant.js');
const tenantConfig: Load = () => import('./tenant-config.js');
const application: Load = () => import('./application.js');
const permission: Load = () => import('./permission.js');
const log: Load = () => import('./log.js');
const api: Load = () => import('./api.js');
const proxy: Load = () => import('./proxy.js');
const webhook: Load = () => import('./webhook.js');
const emulator: Load = () => import('./emulator/index.js');
const auth: Load = () => import('./auth.js');
const profile: Load = () => import('./profile.js');
const doctor: Load = () => import('./doctor.js');
const verify: Load = () => import('./verify.js');
const mcp: Load = () => import('./mcp.js');
const completion: Load = () => import('./completion.js');

/** The definitions of each noun and of each command without one, in the order of the help text. */
const LOADERS: Readonly<Record<string, Load>> = {
  token,
  tokenize: token,
  detokenize: token,
  reactor,
  init,
  plan: tenantConfig,
  apply: tenantConfig,
  diff: tenantConfig,
  adopt: tenantConfig,
  pull: tenantConfig,
  tenant,
  usage: tenant,
  application,
  permission,
  log,
  api,
  proxy,
  webhook,
  event: webhook,
  emulator,
  auth,
  profile,
  doctor,
  verify,
  mcp,
  completion,
  __complete: completion,
};

/** The words that a command can start with. */
export const FIRST_WORDS: readonly string[] = Object.keys(LOADERS);

/** Loads the commands that start with one of these words, and others that are defined with them. */
export async function loadCommands(firstWords: readonly string[]): Promise<CommandRow[]> {
  const loaders = new Set(firstWords.flatMap((word) => LOADERS[word] ?? []));
  const modules = await Promise.all([...loaders].map((load) => load()));
  return modules.flatMap(({ commands }) => commands);
}

/** Loads the whole table. */
export async function loadDefinitions(): Promise<CommandDefinitions> {
  return { commands: await loadCommands(FIRST_WORDS), summaries: SUMMARIES };
}
