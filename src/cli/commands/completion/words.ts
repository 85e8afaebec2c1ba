/** bash splits words at these as well, and gives them as words of their own. */
const BROKEN_AT = /^[:=]+$/;

/** The words as typed, put together again from the pieces that bash makes of `--output=json` and `token:read`. */
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

/** What bash replaces is only what follows the last break. */
export function afterLastBreak(word: string): number {
  return Math.max(word.lastIndexOf(':'), word.lastIndexOf('=')) + 1;
}
