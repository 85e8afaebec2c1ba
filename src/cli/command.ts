import type { Client } from '../client/index.js';
import { type OperationId, operationRow } from '../contract/operations.js';
import type { Settings } from './config/settings.js';
import type { Arguments, Flags, OptionsOf } from './flags/flag.js';
import type { GlobalOptions } from './flags/globals.js';
import type { Output } from './output/output.js';
import type { Prompts } from './prompts/prompts.js';

/** What every command works with; created once per process by run-command.ts. */
export interface Context {
  /** Calls the service. The target and the key are resolved on the first call. */
  client: Client;
  output: Output;
  prompts: Prompts;
  settings: Settings;
  loadDefinitions: LoadDefinitions;
  signal: AbortSignal;
}

/** Runs a command. Throws on failure; returns a number only to pass on the exit code of a program that it ran for the user. */
type Run<Options> = (options: Options, context: Context) => Promise<number | undefined> | Promise<void>;

/** Commands as typed into a shell, by their purpose in one line. */
export type Examples = Readonly<Record<string, string>>;

export type CommandResult = OperationId | 'events';

interface Declaration<F extends Flags, A extends Arguments> {
  /** One line; that of the first operation by default. That of a command without a noun is in definitions/index.ts. */
  summary?: string;
  details?: string;
  aliases?: readonly string[];
  arguments?: A;
  flags?: F;
  /** Global options that are those of the command as well: its help and its usage show them. */
  globals?: readonly (keyof GlobalOptions)[];
  /** The operation whose result is printed, or events: `--json` accepts no other fields. */
  prints?: CommandResult;
  /** Other operations that the command calls; the help text takes the permissions of all from the contract. */
  operations?: readonly OperationId[];
  addedFields?: readonly string[];
  examples: Examples;
  /** Time allowed for cleaning up after Ctrl-C, in milliseconds. Default 10,000. */
  cleanUpMs?: number;
  hidden?: true;
}

/** A command in the command table, where the types of its options are no longer known. */
export type CommandRow = Omit<Declaration<Flags, Arguments>, 'summary'> & {
  name: string;
  summary: string;
  load: () => Promise<Run<never>>;
  /** Lists the permissions that the command needs, from the contract: `token:read (GET /tokens/{id})`. */
  permissions: () => string[];
};

/** The command table: all commands, and a summary for each noun and each command without one. */
export interface CommandDefinitions {
  commands: readonly CommandRow[];
  summaries: Readonly<Record<string, string>>;
}

export type LoadDefinitions = () => Promise<CommandDefinitions>;

// biome-ignore lint/complexity/noBannedTypes: a command without flags has no flag names.
type None = {};

export function from<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): () => Promise<Module[Name]> {
  return async () => (await load())[name];
}

/** Declares a command. The compiler checks that the function takes exactly the flags and arguments declared here. */
export function defineCommand<const F extends Flags = None, const A extends Arguments = None>(
  name: string,
  load: () => Promise<Run<OptionsOf<NoInfer<F>, NoInfer<A>>>>,
  declaration: Declaration<F, A>,
): CommandRow {
  const { prints = 'events', operations: others = [] } = declaration;
  const operations = [...(prints === 'events' ? [] : [prints]), ...others];
  return {
    name,
    summary: operations[0] === undefined ? '' : operationRow(operations[0]).summary,
    ...declaration,
    operations,
    load,
    permissions: () => operations.map(permissionText),
  };
}

function permissionText(id: OperationId): string {
  const { permission, method, path } = operationRow(id);
  return `${permission ?? 'any key'} (${method} ${path})`;
}
