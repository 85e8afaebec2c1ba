import type { Client } from '../client/index.js';
import type { Settings } from './config/settings.js';
import type { CommandTable } from './flags/flag.js';
import type { Output } from './output/output.js';
import type { Prompts } from './prompts/prompts.js';

/** What every command works with; made once, in main.ts. */
export interface Context {
  /** Calls the service; the target and the key are looked up at the first call. */
  client: Client;
  output: Output;
  prompts: Prompts;
  settings: Settings;
  /** The commands there are, for those that tell of the others. */
  table: CommandTable;
  /** Aborted at the first Ctrl-C. */
  signal: AbortSignal;
}
