import { resolve } from 'node:path';
import { isObject } from '../../../contract/json.js';
import type { Context } from '../../command.js';
import type { ArgumentFlags, InspectFlags, ProjectFlags } from '../../flags/project-flags.js';
import { type CodeProblem, formatAnnotation } from '../../lib/annotations.js';
import { usageError } from '../../lib/errors.js';
import { isGitHubActions } from '../../lib/github.js';
import { parseJsonOrText } from '../../lib/json.js';
import type { ConfigurationSources } from '../../reactors/project/configuration.js';
import type { ProjectOptions } from '../../reactors/project/project.js';
import { displayPath } from '../../reactors/project/selection.js';
import { parseInspectorAddress, parseModuleAliases } from './flag-values.js';
import { parsePairs, readJson } from './input.js';

export const DEFAULT_CONCURRENCY = 4;

export function configurationSources(
  { config, envFile, allowCommand = false }: Pick<ProjectFlags, 'config' | 'envFile' | 'allowCommand'>,
  { settings }: Context,
): ConfigurationSources {
  return {
    env: settings.env,
    allowCommand,
    envFile: envFile === undefined ? undefined : resolve(settings.cwd, envFile),
    config: config && parsePairs(config, '--config'),
  };
}

/** Prints a problem that does not keep code from being deployed, in GitHub Actions also at its line. */
function warnOfCode(problem: CodeProblem, { output, settings: { cwd, env } }: Context): void {
  const { file = '', line, column, message } = problem;
  output.warn(`${[file, line, column].filter((part) => part !== undefined).join(':')}: ${message}.`);
  if (!isGitHubActions(env)) return;
  const path = displayPath(resolve(cwd, file), env.GITHUB_WORKSPACE ?? cwd);
  output.annotate(formatAnnotation('reactor code', { ...problem, file: path }, 'warning'));
}

export function projectOptions(flags: ProjectFlags, context: Context): ProjectOptions {
  return {
    cwd: context.settings.cwd,
    environment: context.settings.environment,
    files: flags.file ?? [],
    external: flags.external ?? [],
    minify: flags.minify ?? false,
    warn: (problem) => warnOfCode(problem, context),
    moduleAliases: parseModuleAliases(flags.moduleAlias ?? []),
    configuration: configurationSources(flags, context),
    allowSecrets: flags.allowSecrets ?? false,
    concurrency: flags.concurrency ?? DEFAULT_CONCURRENCY,
    prune: flags.prune ?? false,
  };
}

/** Converts `--allow-net [HOST…]`: a list of hosts, true for any host, false for this machine only. */
export function allowedNetwork(allowNet: readonly string[] | true | undefined): readonly string[] | boolean {
  if (allowNet === undefined) return false;
  return allowNet === true || allowNet.flatMap((hosts) => hosts.split(','));
}

export type Inspection = { host: string; port: number; waits: boolean };

export function readInspection(
  { inspect, inspectBrk }: InspectFlags,
  { output }: Context,
): Inspection | undefined {
  const given = inspectBrk ?? inspect;
  if (given === undefined) return undefined;
  const waits = inspectBrk !== undefined;
  const address = parseInspectorAddress(given, waits ? '--inspect-brk' : '--inspect');
  output.notice('For the debugger, the code runs in Node.js, without the sandbox and its time limits.');
  return { ...address, waits };
}

export async function readArguments(
  { args, arg }: ArgumentFlags,
  context: Context,
): Promise<Record<string, unknown> | string | undefined> {
  const pairs = Object.entries(parsePairs(arg ?? [], '--arg'));
  const named = Object.fromEntries(
    pairs.map(([name, value]) => [name, parseJsonOrText(value, `--arg ${name}`)]),
  );
  if (args === undefined) return arg ? named : undefined;
  // A single expression that evaluates to an object may replace all arguments.
  const whole = args.trim().startsWith('{{') ? args : await readJson(args, '--args', context);
  if (typeof whole === 'string') {
    if (arg) throw usageError('--arg cannot be used when --args is an expression.');
    return whole;
  }
  if (!isObject(whole))
    throw usageError('--args must be a JSON object, or an expression that evaluates to one.');
  return { ...whole, ...named };
}
