import { resolve } from 'node:path';
import { readCommandOutput } from '../lib/command-output.js';
import { usageError } from '../lib/errors.js';
import { readTextFile } from '../lib/text-file.js';

/** Where references take their values from. */
export interface ReferenceSources {
  env: Readonly<Record<string, string | undefined>>;
  /** Directory of the manifest, which paths are relative to. */
  directory: string;
  /** Whether `${command:…}` may run commands. */
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

/** Reports whether a value contains a reference. */
export function hasReference(value: string): boolean {
  return [...value.matchAll(REFERENCE)].some(([, escaped]) => escaped === '');
}

/** A line feed at the end belongs to the file or the output, not to the value. */
const withoutLineFeed = (text: string): string => text.replace(/\r?\n$/, '');

function readVariable(name: string, what: string, { env }: ReferenceSources): string {
  const value = env[name];
  if (value !== undefined) return value;
  throw usageError(`${what} takes ${name} from the environment, where it is not set.`, `Set ${name}.`);
}

async function readFromCommand(
  command: string,
  what: string,
  { allowCommand }: ReferenceSources,
): Promise<string> {
  if (!allowCommand)
    throw usageError(
      `${what} runs a command.`,
      'Read the command in the manifest, then allow it: --allow-command',
    );
  const { text, failure } = await readCommandOutput(command, MAX_CHARACTERS);
  if (failure === undefined) return withoutLineFeed(text);
  throw usageError(`The command of ${what} failed (${failure}).`, 'Run the command by itself.');
}

async function resolveReference(
  scheme: string,
  argument: string,
  what: string,
  sources: ReferenceSources,
): Promise<string> {
  if (argument.trim() === '')
    throw usageError(`${what} has a reference to nothing: \${${scheme}:}.`, `Write \${${scheme}:…}.`);
  if (sources.placeholders) return toPlaceholder(argument);
  if (scheme === 'env') return readVariable(argument, what, sources);
  if (scheme === 'command') return readFromCommand(argument, what, sources);
  const path = resolve(sources.directory, argument.replaceAll('\\', '/'));
  return withoutLineFeed(await readTextFile(path, `The file ${argument} of ${what}`));
}

/**
 * Replaces the references in a value.
 * @param what names the value in errors, which never contain it: `configuration.KEY of charge`
 * @throws {CliError} if a variable is not set, a file cannot be read, or a command fails or is not allowed
 */
export async function resolveReferences(
  value: string,
  what: string,
  sources: ReferenceSources,
): Promise<string> {
  let resolved = '';
  let end = 0;
  for (const match of value.matchAll(REFERENCE)) {
    const [whole, escaped, scheme = '', argument = ''] = match;
    const replacement =
      escaped === '' ? await resolveReference(scheme, argument, what, sources) : whole.slice(1);
    resolved += value.slice(end, match.index) + replacement;
    end = match.index + whole.length;
  }
  return resolved + value.slice(end);
}
