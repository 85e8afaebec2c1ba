/** Edits between a word and a suggestion beyond which the suggestion would only confuse. */
const MAX_EDITS = 3;

/** Counts the insertions, deletions and replacements that turn one word into another (Levenshtein distance). */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 0; column < to.length; column++)
      next.push(
        Math.min(
          (row[column] ?? 0) + Number(letter !== to[column]),
          (row[column + 1] ?? 0) + 1,
          (next[column] ?? 0) + 1,
        ),
      );
    row = next;
  }
  return row[to.length] ?? 0;
}

/** Finds the known word that a misspelt one most likely stands for; undefined if none is similar. */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((one) => ({ one, edits: countEdits(word.toLowerCase(), one.toLowerCase()) }))
    .filter(({ one, edits }) => edits <= Math.min(MAX_EDITS, one.length / 2))
    .sort((a, b) => a.edits - b.edits);
  return nearest?.one;
}
