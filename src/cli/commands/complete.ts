import type { Context } from '../command.js';
import { parsePosition } from './completion/position.js';
import { type Candidate, candidatesFor } from './completion/values.js';

/** Tells the completion script to complete file names. */
const FILES = ':file';

/** Prints one candidate per line, followed by a tab and its description. */
export async function run(
  { shell, words }: { shell: string; words: string[] },
  context: Context,
): Promise<void> {
  const typed = shell === 'bash' ? joinBroken(words) : words;
  const definitions = await context.loadDefinitions();
  const { position, globals } = parsePosition(typed.length > 0 ? typed : [''], definitions);
  const { baseUrl, profile, keyFile, dataDir, headerPrefix } = globals;
  const settings = {
    ...context.settings,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(profile !== undefined && { profile }),
    ...(keyFile !== undefined && { keyFile }),
    ...(dataDir !== undefined && { dataDir }),
    ...(headerPrefix !== undefined && { headerPrefix }),
    ...(globals.local !== undefined && { local: true }),
  };
  const last = typed.at(-1) ?? '';
  let candidates: Candidate[];
  if (position.kind === 'words') candidates = position.candidates;
  else {
    const { of, prefix, partial } = position;
    if (of.suggest === 'file' && !partial.startsWith('@')) context.output.text(FILES);
    const values = await candidatesFor(of, partial, settings, context);
    candidates = values.map(({ value, description }) => ({ value: prefix + value, description }));
  }
  const start = shell === 'bash' ? lastBreakEnd(last) : 0;
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

/** Returns the start of the part that bash replaces, which follows the last break. */
function lastBreakEnd(word: string): number {
  return Math.max(word.lastIndexOf(':'), word.lastIndexOf('=')) + 1;
}
