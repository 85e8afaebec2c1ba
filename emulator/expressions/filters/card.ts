import { binLength } from '../../../src/contract/card-numbers.js';
import { revealLast } from '../../../src/contract/masking.js';
import { ExpressionFailure } from '../errors.js';
import { character, count, defineFilter, flag, objectInput, text, textInput } from './define.js';

const DIGIT = /^\d$/;
const LAST_DIGITS = 4;

export const cardFilters = [
  defineFilter(
    'card_mask',
    textInput,
    [
      flag('reveal_bin', false),
      flag('reveal_last4', false),
      character('mask_char', 'X'),
      text('preserve_char', ''),
    ],
    cardMask,
  ),
  defineFilter('card_bin', textInput, [text('separator_char', '')], cardBin),
  defineFilter('card_exp', objectInput, [text('format')], cardExp),
];

function cardMask(value: string, bin: boolean, last4: boolean, maskChar: string, preserve: string): string {
  const characters = [...value];
  const revealed = revealedDigits(characters, bin, last4);
  return maskCharacters(characters, (_c, index) => revealed.has(index), maskChar, new Set(preserve));
}

/** Finds the positions of the digits to reveal: of the BIN, or the last four; nothing if those are all digits. */
export function revealedDigits(characters: readonly string[], bin: boolean, last4: boolean) {
  const digits = characters.flatMap((c, index) => (DIGIT.test(c) ? [index] : []));
  const first = bin ? binLength(digits.length) : 0;
  const last = last4 ? digits.length - LAST_DIGITS : digits.length;
  const revealed = digits.filter((_position, nth) => nth < first || nth >= last);
  return new Set(revealed.length === digits.length ? [] : revealed);
}

function cardBin(value: string, separator: string): string {
  const separators = new Set([...separator, ' ', '-']);
  const digits = [...value].filter((c) => !separators.has(c)).join('');
  if (!/^\d{8,19}$/.test(digits))
    throw new ExpressionFailure('filter "card_bin" accepts a card number of 8 to 19 digits');
  return digits.slice(0, binLength(digits.length));
}

/** `YYYY` matches as two `YY`: an alternative of its own would backtrack exponentially. */
const EXPIRATION_FORMAT = /^(?:YY|MM|[-/_. ])+$/;

function cardExp(card: Record<string, unknown>, format: string): string | undefined {
  if (!EXPIRATION_FORMAT.test(format))
    throw new ExpressionFailure(
      'filter "card_exp": argument format may contain only MM, YY, YYYY and the separators - / _ . and space',
    );
  const { expiration_month: month, expiration_year: year } = card;
  if (!isWhole(month) || !isWhole(year)) return undefined;
  const parts: Record<string, string> = {
    MM: String(month).padStart(2, '0'),
    YY: String(year).slice(-2),
    YYYY: String(year),
  };
  return format.replace(/YYYY|YY|MM/g, (part) => parts[part] ?? part);
}

const isWhole = (value: unknown): value is number => Number.isInteger(value);

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

/** Masks all characters not revealed or preserved; all but preserved ones if the whole value would be revealed. */
function maskCharacters(
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
