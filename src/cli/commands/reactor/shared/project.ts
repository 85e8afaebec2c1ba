import { resolve } from 'node:path';
import type { Context } from '../../../command.js';
import type { ReactorLoader } from '../../../emulator/reactor-loader.js';
import { usageError } from '../../../lib/errors.js';
import type { PrepareOptions } from '../../../reactors/build/prepare.js';
import type { ConfigurationFlags } from '../../../reactors/project/configuration.js';
import { type Selection, selectReactors } from '../../../reactors/project/select.js';
import { parsePairs } from '../../shared/input.js';

/** Flags of every command that works on reactors of a project. */
export interface ProjectOptions {
  file: string[];
  config?: string[] | undefined;
  envFile?: string | undefined;
  external?: string[] | undefined;
  allowSecrets?: boolean | undefined;
  concurrency?: number | undefined;
}

const DEFAULT_CONCURRENCY = 4;
const MAX_CONCURRENCY = 32;

/** @throws {CliError} when it is out of range. */
export function concurrencyOf({
  concurrency = DEFAULT_CONCURRENCY,
}: Pick<ProjectOptions, 'concurrency'>): number {
  if (concurrency >= 1 && concurrency <= MAX_CONCURRENCY) return concurrency;
  throw usageError(`--concurrency must be from 1 to ${MAX_CONCURRENCY}.`);
}

/** The reactors that are meant, with what the command line adds to each. */
export async function selectionOf(options: ProjectOptions, { settings }: Context): Promise<Selection> {
  const selection = await selectReactors(options.file, settings.cwd);
  const { external } = options;
  if (!external) return selection;
  const entries = selection.entries.map((entry) => ({
    ...entry,
    external: [...entry.external, ...external],
  }));
  return { ...selection, entries };
}

/** What the command line says about configuration. */
export function configurationFlags(
  { config, envFile }: Pick<ProjectOptions, 'config' | 'envFile'>,
  { settings }: Context,
): ConfigurationFlags {
  return {
    env: settings.env,
    envFile: envFile === undefined ? undefined : resolve(settings.cwd, envFile),
    config: config && parsePairs(config, '--config'),
  };
}

/** @param onInput is told every file that is read. */
export function prepareOptions(
  options: ProjectOptions,
  loader: ReactorLoader | undefined,
  context: Context,
  onInput: (path: string) => void = () => {},
): PrepareOptions {
  const flags = configurationFlags(options, context);
  if (flags.envFile !== undefined) onInput(flags.envFile);
  return {
    ...flags,
    cwd: context.settings.cwd,
    allowSecrets: options.allowSecrets ?? false,
    loader,
    onInput,
  };
}
