import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../../command.js';
import { CliError, usageError } from '../../lib/errors.js';
import { parseJson as parse } from '../../lib/json.js';
import { PLACEHOLDER } from '../../lib/placeholder.js';
import { textOf } from '../../lib/text-decoding.js';

async function readStdin(flag: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return textOf(Buffer.concat(chunks), `${flag}: standard input`);
}

/**
 * The text of a file, or of standard input for `-`.
 * @throws {CliError} that names the flag.
 */
export async function readSource(source: string, flag: string, { settings }: Context): Promise<string> {
  if (source === '-') return readStdin(flag);
  const bytes = await readFile(resolve(settings.cwd, source)).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`${flag}: ${source} cannot be read: ${error.code}.`);
  });
  return textOf(bytes, `${flag}: ${source}`);
}

/** @throws {CliError} that names the flag. */
export function parseJson(text: string, flag: string): unknown {
  const hint = flag === '--data' ? `A string needs quotes of its own: --data '"text"'.` : undefined;
  return parse(text, flag, hint);
}

/** `JSON`, `@file` of it, or `-` for standard input. */
export async function readJson(value: string, flag: string, context: Context): Promise<unknown> {
  if (value === '-') return parseJson(await readStdin(flag), flag);
  if (value.startsWith('@')) return parseJson(await readSource(value.slice(1), flag, context), flag);
  return parseJson(value, flag);
}

/**
 * `k=v` pairs as a map; the value may hold `=` and be empty.
 * @throws {CliError} that names the flag, without the pair.
 */
export function parsePairs(pairs: readonly string[], flag: string): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 1) throw usageError(`${flag} must be given as name=value.`);
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}

/**
 * Refuses what a masked output left in place of a value, so that an edited export cannot overwrite the value itself.
 * @throws {CliError} that names the property.
 */
export function refusePlaceholder(body: unknown, path = ''): void {
  if (body === PLACEHOLDER)
    throw new CliError(
      'invalid',
      `A value is still the placeholder ${PLACEHOLDER}, which stands for what is not shown.`,
      {
        errors: { [path || 'body']: [`must be the value itself, or left out`] },
      },
    );
  if (typeof body !== 'object' || body === null) return;
  for (const [name, value] of Object.entries(body)) refusePlaceholder(value, path ? `${path}.${name}` : name);
}
