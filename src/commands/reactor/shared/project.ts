import { resolve } from 'node:path';
import type { Context } from '../../../context.js';
import { usageError } from '../../../failure.js';
import type { LoadCheck, PrepareOptions } from '../../../reactor-project/prepare.js';
import { type Selection, selectReactors } from '../../../reactor-project/select.js';
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
export function concurrencyOf({ concurrency = DEFAULT_CONCURRENCY }: ProjectOptions): number {
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

/** @param onInput is told every file that is read. */
export function prepareOptions(
  options: ProjectOptions,
  load: LoadCheck,
  { settings }: Context,
  onInput: (path: string) => void = () => {},
): PrepareOptions {
  const { cwd, env } = settings;
  const envFile = options.envFile === undefined ? undefined : resolve(cwd, options.envFile);
  if (envFile !== undefined) onInput(envFile);
  return {
    cwd,
    env,
    envFile,
    config: options.config && parsePairs(options.config, '--config'),
    allowSecrets: options.allowSecrets ?? false,
    load,
    onInput,
  };
}
