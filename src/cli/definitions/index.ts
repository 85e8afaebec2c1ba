// The command table. Goals S1 and S2: a process loads the definitions of the noun that is typed, and `--help` none.
import type { CommandDefinitions, CommandRow } from '../command.js';
import { SUMMARIES } from './summaries.js';

type Load = () => Promise<{ commands: readonly CommandRow[] }>;

const token: Load = () => import('./token.js');
const reactor: Load = () => import('./reactor/operations.js');
const tenant: Load = () => import('./tenant.js');
const tenantConfig: Load = () => import('./tenant-config.js');
const application: Load = () => import('./application.js');
const log: Load = () => import('./log.js');
const proxy: Load = () => import('./proxy.js');
const webhook: Load = () => import('./webhook.js');
const emulator: Load = () => import('./emulator/index.js');
const oneWord: Load = () => import('./one-word.js');
const auth: Load = () => import('./auth.js');
const profile: Load = () => import('./profile.js');

/** The definitions of each noun and of each command without one, in the order of the help text. */
const LOADERS: Readonly<Record<string, Load>> = {
  token,
  tokenize: token,
  detokenize: token,
  reactor,
  init: oneWord,
  plan: tenantConfig,
  apply: tenantConfig,
  diff: tenantConfig,
  adopt: tenantConfig,
  pull: tenantConfig,
  tenant,
  usage: tenant,
  application,
  permission: application,
  log,
  api: oneWord,
  proxy,
  webhook,
  event: webhook,
  emulator,
  auth,
  profile,
  doctor: oneWord,
  verify: oneWord,
  mcp: oneWord,
  docs: oneWord,
  completion: oneWord,
  __complete: oneWord,
};

/** The words that a command can start with. */
export const FIRST_WORDS: readonly string[] = Object.keys(LOADERS);

/** Loads the commands that start with one of these words, and others that are defined with them. */
export async function loadCommands(firstWords: readonly string[]): Promise<CommandRow[]> {
  const loaders = new Set(firstWords.flatMap((word) => LOADERS[word] ?? []));
  const modules = await Promise.all([...loaders].map((load) => load()));
  return modules.flatMap(({ commands }) => commands);
}

/** Loads the whole table, in the order of the help text. */
export async function loadDefinitions(): Promise<CommandDefinitions> {
  const commands = await loadCommands(FIRST_WORDS);
  const rank = ({ name }: CommandRow) => FIRST_WORDS.indexOf(name.replace(/ .*/, ''));
  return { commands: commands.sort((a, b) => rank(a) - rank(b)), summaries: SUMMARIES };
}
