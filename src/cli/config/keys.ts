import { resolve } from 'node:path';
import { type ApiKeys, selectKey } from '../../client/connection.js';
import { isPermission, type KeyNeed, typesFor } from '../../contract/permissions.js';
import { CliError, usageError } from '../lib/errors.js';
import { shellQuote } from '../lib/text.js';
import { readTextFile } from '../lib/text-file.js';
import type { Settings } from './settings.js';
import type { Target } from './target.js';

type KeySources = Pick<Target, 'keys' | 'keyCommand'> & Partial<Pick<Target, 'source'>>;

/** Resolves the keys: `--key-file`, the environment, the key command of the profile, or its stored keys, in this order. */
export async function resolveKeys(
  settings: Settings,
  target: KeySources & Pick<Target, 'acceptsEnvironmentKeys'>,
): Promise<ApiKeys> {
  if (settings.keyFile !== undefined) return { any: await readKeyFile(settings.cwd, settings.keyFile) };
  if (!target.acceptsEnvironmentKeys) return ownKeys(target);
  const { any, management, private: privateKey } = settings.keys;
  // TOKENCTL_API_KEY is for every operation, so it must not be mixed with keys of the target.
  if (any !== undefined) return { any, management, private: privateKey };
  return {
    ...(await ownKeys(target)),
    ...(management !== undefined && { management }),
    ...(privateKey !== undefined && { private: privateKey }),
  };
}

async function ownKeys({ keys, keyCommand, source = 'the target' }: KeySources): Promise<ApiKeys> {
  return keyCommand === undefined ? keys : { any: await readKeyFromCommand(keyCommand, source) };
}

/** Reads the API key in a `--key-file`. @throws {CliError} when it cannot be read or contains anything else */
export async function readKeyFile(cwd: string, path: string): Promise<string> {
  const key = (await readTextFile(resolve(cwd, path), `--key-file ${path}`)).trim();
  if (key === '' || /\s/.test(key))
    throw usageError(`--key-file ${path} must contain one key and nothing else.`);
  return key;
}

/** How to get a working key of an emulator of which one was deleted or has expired. */
export const RESTART_EMULATOR = 'tokenctl emulator stop, then: tokenctl emulator start';

/** Returns the command that stores a key of a profile, or replaces those of the emulator. */
export function loginCommand(name: string | undefined): string {
  if (name === 'emulator') return RESTART_EMULATOR;
  return `tokenctl auth login${name === undefined ? '' : ` --profile ${shellQuote(name)}`}`;
}

/** @param target `service`: what messages call it; `withheld`: keys in the environment were not used */
export function requiredKey(
  keys: ApiKeys,
  need: KeyNeed,
  target: { source: string; service?: string; name?: string | undefined; withheld?: boolean },
): string {
  const key = selectKey(keys, need);
  if (key !== undefined) return key;
  const { source, service = source, name, withheld } = target;
  const types = typesFor(need);
  const type = need === null ? undefined : types.includes('private') ? 'private' : types[0];
  throw new CliError(
    'unauthorized',
    type === undefined
      ? `There is no API key for ${service}.`
      : `There is no ${type} key for ${service}; the operation needs ${isPermission(need) ? need : 'one'}.`,
    {
      hint: withheld
        ? 'Keys in the environment are not sent to an address that only the project file names: add a profile for it, or set --base-url.'
        : name === 'emulator'
          ? `It was deleted or has expired. A start creates a new one: ${RESTART_EMULATOR}`
          : `Set TOKENCTL_API_KEY${type === undefined || type === 'public' ? '' : ` or TOKENCTL_${type.toUpperCase()}_KEY`}, use --key-file FILE, or run: ${loginCommand(name)}`,
    },
  );
}

/** A key is short; a command that prints more is not one that prints a key. */
const MAX_OUTPUT_CHARACTERS = 4096;

/** Runs the command of a profile that prints its API key. Messages contain neither the command nor its output. */
async function readKeyFromCommand(command: string, source: string): Promise<string> {
  // Needs node:child_process, which other ways do without: goal S2.
  const { readCommandOutput } = await import('../lib/command-output.js');
  const { text, failure } = await readCommandOutput(command, MAX_OUTPUT_CHARACTERS);
  if (failure !== undefined)
    throw new CliError('unauthorized', `The key command of ${source} failed (${failure}).`, {
      hint: 'Run the command by itself. `tokenctl profile show` prints it.',
    });
  const key = text.trim();
  if (/^[!-~]+$/.test(key) && text.length <= MAX_OUTPUT_CHARACTERS) return key;
  throw new CliError('unauthorized', `The key command of ${source} must print one key and nothing else.`);
}
