import { resolve } from 'node:path';
import { readCommandOutput } from '../lib/command-output.js';
import { CliError, usageError } from '../lib/errors.js';
import { keepSecrets } from '../lib/secrets.js';
import { readTextFile } from '../lib/text-file.js';
import { settingHint } from '../lib/variables.js';

export interface ReferenceSources {
  env: NodeJS.ProcessEnv;
  /** Directory of the manifest, which paths are relative to. */
  directory: string;
  allowCommand: boolean;
  /** Replaces every reference with a made-up value, for a service that needs no real ones. */
  placeholders?: boolean | undefined;
}

/** `${env:NAME}`, `${file:PATH}` or `${command:…}`; another `$` before it makes it literal text. */
const REFERENCE = /\$(\$?)\{(env|file|command):([^}]*)\}/g;

const toPlaceholder = (name: string): string => `placeholder-${name.replaceAll(/\W+/g, '-')}`;

/** An environment in which every variable is set, to a made-up value. */
export const PLACEHOLDER_ENVIRONMENT: ReferenceSources['env'] = new Proxy(
  {},
  { get: (_, name) => toPlaceholder(String(name)) },
);

const MAX_CHARACTERS = 100_000;

export function hasReference(value: string): boolean {
  return [...value.matchAll(REFERENCE)].some(([, escaped]) => escaped === '');
}

/** A line feed at the end belongs to the file or the output, not to the value. */
const withoutLineFeed = (text: string): string => text.replace(/\r?\n$/, '');

/** A reference without a value. The message is the end of a sentence about what contains it: `runs a command.` */
class UnresolvedError extends CliError {
  constructor(
    message: string,
    hint?: string,
    readonly variable?: string,
  ) {
    super('usage', message, { hint });
  }
}

function readVariable(name: string, { env }: ReferenceSources): string {
  const value = env[name];
  if (value !== undefined) return value;
  throw new UnresolvedError(`takes ${name} from the environment, where it is not set.`, undefined, name);
}

async function readFromCommand(
  command: string,
  { allowCommand }: ReferenceSources,
  isLost: boolean,
): Promise<string> {
  const allow = 'Read the command in the manifest, then allow it: --allow-command';
  if (!allowCommand) throw new UnresolvedError('runs a command.', allow);
  if (isLost) return '';
  const { text, failure } = await readCommandOutput(command, MAX_CHARACTERS);
  if (failure === undefined) return withoutLineFeed(text);
  throw new UnresolvedError(`runs a command that failed (${failure}).`, 'Run the command by itself.');
}

/** @param isLost the value is not used, because others have failed; no command is run for it */
async function resolveReference(
  scheme: string,
  argument: string,
  sources: ReferenceSources,
  isLost: boolean,
): Promise<string> {
  if (argument.trim() === '')
    throw new UnresolvedError(`has a reference to nothing: \${${scheme}:}.`, `Write \${${scheme}:…}.`);
  if (sources.placeholders) return toPlaceholder(argument);
  if (scheme === 'env') return readVariable(argument, sources);
  if (scheme === 'command') return readFromCommand(argument, sources, isLost);
  const path = resolve(sources.directory, argument.replaceAll('\\', '/'));
  return withoutLineFeed(await readTextFile(path, `takes the file ${argument}, which`));
}

interface Problem {
  path: string;
  error: CliError;
}

/** Reports all problems in one error, so that they can be fixed together. */
function toError(problems: readonly Problem[], owner: string): CliError {
  const variables = problems.flatMap(({ error }) =>
    error instanceof UnresolvedError ? (error.variable ?? []) : [],
  );
  const hints = [
    ...(variables.length > 0 ? [settingHint([...new Set(variables)])] : []),
    ...problems.flatMap(({ error }) => error.failure.hint ?? []),
  ];
  // One that ends with a flag comes last: the next sentence would read like the value of the flag.
  const sorted = [...new Set(hints)].sort((a, b) => Number(b.endsWith('.')) - Number(a.endsWith('.')));
  const hint = sorted.length > 0 ? sorted.join(' ') : undefined;
  const [{ path, error }] = problems as [Problem];
  if (problems.length === 1) return usageError(`${path} of ${owner} ${error.message}`, hint);
  const errors: Record<string, string[]> = {};
  for (const { path, error } of problems) errors[path] = [...(errors[path] ?? []), error.message];
  const detail = `${problems.length} references of ${owner} cannot be resolved.`;
  return new CliError('usage', detail, { errors, hint });
}

async function replaceReferences(
  value: string,
  replace: (scheme: string, argument: string) => Promise<string>,
): Promise<string> {
  const found: Record<string, string> = {};
  for (const [whole, escaped, scheme = '', argument = ''] of value.matchAll(REFERENCE))
    found[whole] = escaped === '' ? await replace(scheme, argument) : whole.slice(1);
  return value.replace(REFERENCE, (whole) => found[whole] ?? whole);
}

/** Replaces the references in a configuration. One error names all that cannot be resolved, without values. @param owner names it there */
export async function resolveReferences(
  configuration: Readonly<Record<string, string>>,
  owner: string,
  sources: ReferenceSources,
): Promise<Record<string, string>> {
  const resolved: Record<string, string> = {};
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries(configuration))
    resolved[name] = await replaceReferences(value, async (scheme, argument) => {
      try {
        const found = await resolveReference(scheme, argument, sources, problems.length > 0);
        if (!sources.placeholders) keepSecrets([found], sources.env);
        return found;
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        problems.push({ path: `configuration.${name}`, error });
        return '';
      }
    });
  if (problems.length > 0) throw toError(problems, owner);
  return resolved;
}
