import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Client, createClient, inBackground } from '../../../client/client.js';
import { PERMISSION_NAMES } from '../../../contract/permissions.js';
import { type Noun, RESOURCES } from '../../../contract/resources.js';
import { withTimeout } from '../../../contract/with-timeout.js';
import type { Context } from '../../command.js';
import type { Settings } from '../../config/settings.js';
import { readUserConfig } from '../../config/user-config.js';
import { connectTo } from '../../connect.js';
import type { Argument, Flag, Suggestion } from '../../flags/flag.js';
import { callResource, type Named } from '../../lib/lookup.js';
import { USER_AGENT } from '../../lib/user-agent.js';
import { callControl } from '../shared/running-emulator.js';
import { type Candidate, parsePosition } from './position.js';

/** Time limit for requests, in milliseconds: the user is waiting after pressing Tab. */
const TIMEOUT_MS = 1_500;
const PAGE_SIZE = 100;

const isText = (value: unknown): boolean => typeof value === 'string';

const plain = (values: readonly string[]): Candidate[] => values.map((value) => ({ value, description: '' }));

async function candidatesFor(
  { choices, suggest }: Flag | Argument,
  partial: string,
  context: Context,
): Promise<Candidate[]> {
  // Flags that take JSON or code also take `@file`.
  if (partial.startsWith('@')) return files(partial, context.settings);
  const known = choices ?? suggest;
  if (known === undefined || known === 'file') return [];
  return typeof known === 'string' ? dynamic(known, context) : plain(known);
}

async function files(partial: string, { cwd }: Settings): Promise<Candidate[]> {
  const typed = partial.slice(1);
  const folder = typed.endsWith('/') ? typed : dirname(typed);
  const start = typed.endsWith('/') ? '' : basename(typed);
  const entries = await readdir(resolve(cwd, folder), { withFileTypes: true }).catch(() => []);
  return plain(
    entries
      .filter(({ name }) => name.startsWith(start) && (start.startsWith('.') || !name.startsWith('.')))
      .map(
        (entry) =>
          `@${folder === '.' ? entry.name : join(folder, entry.name)}${entry.isDirectory() ? '/' : ''}`,
      ),
  );
}

async function dynamic(kind: Exclude<Suggestion, 'file'>, context: Context): Promise<Candidate[]> {
  const { settings } = context;
  if (kind === 'permission') return plain(PERMISSION_NAMES);
  if (kind === 'profile') return plain(Object.keys((await readUserConfig(settings.configDir)).profiles));
  if (kind === 'snapshot') return snapshots(context);
  const client = createClient({
    connect: () => connectTo(settings, context),
    timeoutMs: TIMEOUT_MS,
    retries: 0,
    userAgent: USER_AGENT,
    signal: context.signal,
  });
  try {
    const candidates = await fromService(kind, inBackground(client));
    return candidates.filter(({ value, description }) => isText(value) && isText(description));
  } catch {
    // Without a service, key or permission there are no values; an error message would disturb the prompt.
    return [];
  } finally {
    await client.close();
  }
}

async function snapshots(context: Context): Promise<Candidate[]> {
  const limited = { ...context, signal: withTimeout(context.signal, TIMEOUT_MS) };
  const { snapshots } = await callControl(limited, 'snapshots.list').catch(() => ({ snapshots: [] }));
  return plain(snapshots.map(({ name }) => name));
}

async function fromService(kind: 'token' | Noun, client: Client): Promise<Candidate[]> {
  const query = { size: PAGE_SIZE };
  if (kind === 'token') {
    const { data } = await client.call('tokens.list', { query });
    return data.map(({ id, type }) => ({ value: id, description: type }));
  }
  const { data } = (await callResource(client, RESOURCES[kind], 'list', { query })) as { data: Named[] };
  return data.map(({ id, name }) =>
    kind === 'application' ? { value: id, description: name } : { value: name, description: id },
  );
}

/** Tells the completion script to complete file names. */
const FILES = ':file';

export async function completeWord({ shell, words }: { shell: string; words: string[] }, context: Context) {
  const typed = shell === 'bash' ? joinBroken(words) : words;
  const definitions = await context.loadDefinitions();
  const { position, globals } = parsePosition(typed, definitions);
  const settings = { ...context.settings, ...globals, local: globals.local ?? context.settings.local };
  const last = typed.at(-1) ?? '';
  let candidates: Candidate[];
  if (position.kind === 'words') candidates = position.candidates;
  else {
    const { of, prefix, partial } = position;
    if (of.suggest === 'file' && !partial.startsWith('@')) context.output.text(FILES);
    const values = await candidatesFor(of, partial, { ...context, settings });
    candidates = values.map(({ value, description }) => ({ value: prefix + value, description }));
  }
  // bash replaces what follows the last break.
  const start = shell === 'bash' ? Math.max(last.lastIndexOf(':'), last.lastIndexOf('=')) + 1 : 0;
  const lines = candidates
    .filter(({ value }) => value.startsWith(last))
    .map(({ value, description }) => line(value.slice(start), description));
  if (lines.length > 0) context.output.text(lines.join('\n'));
}

/** Formats a candidate, without the control characters and marks of direction that a name can contain. */
function line(value: string, description: string): string {
  const clean = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ');
  return description === '' ? clean(value) : `${clean(value)}\t${clean(description)}`;
}

/** bash also splits words at these characters and passes them as separate words. */
const BROKEN_AT = /^[:=]+$/;

/** Rejoins words such as `--output=json` and `token:read` that bash has split. */
export function joinBroken(pieces: readonly string[]): string[] {
  const words: string[] = [];
  let open = false;
  for (const piece of pieces) {
    const isBreak = BROKEN_AT.test(piece);
    if ((isBreak || open) && words.length > 0) words.push((words.pop() ?? '') + piece);
    else words.push(piece);
    open = isBreak;
  }
  return words;
}
