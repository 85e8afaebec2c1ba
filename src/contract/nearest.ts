import leven from 'leven';

/** Edits between a word and a suggestion beyond which the suggestion would only confuse. */
const MAX_EDITS = 3;

/** Finds the known word that a misspelt one most likely stands for; undefined if none is similar. */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((one) => ({ one, edits: leven(word.toLowerCase(), one.toLowerCase()) }))
    .filter(({ one, edits }) => edits <= Math.min(MAX_EDITS, one.length / 2))
    .sort((a, b) => a.edits - b.edits);
  return nearest?.one;
}

export function didYouMean(word: string, known: readonly string[]): string {
  const nearest = findNearest(word, known);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}
