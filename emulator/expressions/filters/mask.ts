import { revealLast } from '../../../src/contract/masking.js';
import { defineFilter } from './define.js';
import { character, count, text, textInput } from './parameters.js';

export const maskFilters = [
  defineFilter('reveal_last', textInput, [count('n'), character('mask_char', 'X')], revealLast),
  defineFilter('last4', textInput, [], (value) => [...value].slice(-4).join('')),
  defineFilter(
    'reveal',
    textInput,
    [count('first', 0), count('last', 0), character('mask_char', 'X'), text('preserve_chars', '')],
    reveal,
  ),
];

function reveal(value: string, first: number, last: number, maskChar: string, preserve: string): string {
  const characters = [...value];
  const preserved = new Set(preserve);
  const isRevealed = (_c: string, index: number) => index < first || index >= characters.length - last;
  return maskCharacters(characters, isRevealed, maskChar, preserved);
}

/**
 * Masks the characters that are neither revealed by their position nor preserved. If that would reveal the whole value,
 * all characters are masked, except for preserved ones next to others.
 */
export function maskCharacters(
  characters: readonly string[],
  isRevealed: (character: string, index: number) => boolean,
  maskChar: string,
  preserved: ReadonlySet<string>,
): string {
  const isMasked = (c: string, index: number) => !preserved.has(c) && !isRevealed(c, index);
  if (characters.some(isMasked)) return characters.map((c, i) => (isMasked(c, i) ? maskChar : c)).join('');
  const allPreserved = characters.every((c) => preserved.has(c));
  return characters.map((c) => (preserved.has(c) && !allPreserved ? c : maskChar)).join('');
}
