import { resolve } from 'node:path';
import { isObject } from '../../../contract/json.js';
import type { Context } from '../../command.js';
import { type CliError, usageError } from '../../lib/errors.js';
import { parseJson as parse } from '../../lib/json.js';
import { decodeText, readTextFile } from '../../lib/text-file.js';

async function readStdin(what: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return decodeText(Buffer.concat(chunks), what);
}

export function readSource(source: string, flag: string, { settings }: Context): Promise<string> {
  if (source === '-') return readStdin(`${flag}: standard input`);
  return readTextFile(resolve(settings.cwd, source), `${flag}: ${source}`);
}

/** @param command that reads it, for the hint */
export async function readJsonSource(source: string, command: string, { settings }: Context) {
  // What may be token data is not repeated.
  if (/^[[{"]/.test(source))
    throw usageError(
      '<source> is a file, or - for standard input.',
      `Pipe JSON: echo '…' | tokenctl ${command} -`,
    );
  const what = source === '-' ? 'Standard input' : source;
  const text = source === '-' ? readStdin(what) : readTextFile(resolve(settings.cwd, source), what);
  return parse(await text, what);
}

export function parseJson(text: string, flag: string): unknown {
  return parse(text, flag, jsonHint(text, flag));
}

function jsonHint(text: string, flag: string): string | undefined {
  if (/^\s*\{\s*['\w]|^\w+=/.test(text))
    return `Names and text need double quotes: ${flag} '{"name": "text"}'.`;
  return flag === '--data' ? `A string needs quotes of its own: --data '"text"'.` : undefined;
}

/** Reads a flag's value as text: the text itself, `@file`, or `-` for standard input. */
export async function readText(value: string, flag: string, context: Context): Promise<string> {
  if (value === '-') return readStdin(`${flag}: standard input`);
  return value.startsWith('@') ? readSource(value.slice(1), flag, context) : value;
}

export async function readJson(value: string, flag: string, context: Context): Promise<unknown> {
  return parseJson(await readText(value, flag, context), flag);
}

/** Parses `name=value` pairs. Errors do not name a pair, which may be sensitive unless it is metadata. */
export function parsePairs(pairs: readonly string[], flag: string): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 1) throw pairError(pair, flag);
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}

function pairError(pair: string, flag: string): CliError {
  const missing = pair.startsWith('=') ? 'the name' : '"="';
  const given = /^(--metadata|<setting>)$/.test(flag) ? ` ${JSON.stringify(pair)}` : '';
  const written = flag.startsWith('<') ? 'name=value' : `${flag} name=value`;
  return usageError(`${flag}${given}: ${missing} is missing.`, `Write ${written}`);
}

type Patch = Record<string, unknown>;

/** Adds the values of other flags to the merge patch of `--patch`. Maps that are in both are merged. */
export async function readPatch(
  patch: string | undefined,
  flags: Patch,
  context: Context,
  atLeast: string,
): Promise<Patch> {
  const whole = patch === undefined ? {} : await readJson(patch, '--patch', context);
  if (!isObject(whole)) throw usageError('--patch must be a JSON object.');
  const merged: Patch = { ...whole };
  for (const [name, value] of Object.entries(flags)) {
    if (value === undefined) continue;
    const before = whole[name];
    merged[name] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }
  if (Object.keys(merged).length === 0)
    throw usageError('Nothing to update.', `Give --patch, ${atLeast} or another flag.`);
  return merged;
}
