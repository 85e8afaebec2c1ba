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
export function lastBreakEnd(word: string): number {
  return Math.max(word.lastIndexOf(':'), word.lastIndexOf('=')) + 1;
}
