import { defineFilter } from './define.js';
import { character, count, text, textInput } from './parameters.js';

/** decisions.md: the one separator that `reveal_last` leaves readable. */
const SEPARATOR = '-';

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

function revealLast(value: string, n: number, maskChar: string): string {
  const characters = [...value];
  const masked = characters.length - n;
  return characters.map((c, index) => (index < masked && c !== SEPARATOR ? maskChar : c)).join('');
}

function reveal(value: string, first: number, last: number, maskChar: string, preserve: string): string {
  const characters = [...value];
  const kept = new Set(preserve);
  const shown = (_c: string, index: number) => index < first || index >= characters.length - last;
  return maskCharacters(characters, shown, maskChar, kept);
}

/**
 * Masks what is neither shown by its place nor preserved. When that would show the whole value, everything is
 * masked, and preserved characters stay only if there is anything else.
 */
export function maskCharacters(
  characters: readonly string[],
  shown: (character: string, index: number) => boolean,
  maskChar: string,
  kept: ReadonlySet<string>,
): string {
  const hidden = (c: string, index: number) => !kept.has(c) && !shown(c, index);
  if (characters.some(hidden)) return characters.map((c, i) => (hidden(c, i) ? maskChar : c)).join('');
  const onlyKept = characters.every((c) => kept.has(c));
  return characters.map((c) => (kept.has(c) && !onlyKept ? c : maskChar)).join('');
}
