import { randomInt } from 'node:crypto';
import { isCardNumber } from '../../../src/contract/card-numbers.js';
import { ExpressionFailure } from '../errors.js';
import { revealedDigits } from './card.js';
import { count, defineFilter, flag, textInput } from './define.js';

const DIGITS = '0123456789';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Maximum length of the input, in characters. An alias becomes a token id, which has at most 400. */
const MAX_ALIAS_LENGTH = 1_000;
/** A random digit equals the original one time in ten. After this many equal aliases, every alias would equal the input. */
const MAX_ATTEMPTS = 20;

type RandomCharacter = (character: string) => string;

export const aliasFilters = [
  defineFilter(
    'alias_preserve_format',
    textInput,
    [count('first', 0), count('last', 0)],
    (value, first, last) =>
      alias('alias_preserve_format', value, endPositions(value, first, last), randomOfSameKind),
  ),
  defineFilter(
    'alias_preserve_length',
    textInput,
    [count('first', 0), count('last', 0)],
    (value, first, last) =>
      alias('alias_preserve_length', value, endPositions(value, first, last), () =>
        randomCharacter(LETTERS + DIGITS),
      ),
  ),
  defineFilter(
    'alias_card',
    textInput,
    [flag('reveal_bin', false), flag('reveal_last4', false)],
    (value, bin, last4) => {
      if (!/^\d(?:[- ]?\d)*$/.test(value))
        throw new ExpressionFailure('filter "alias_card" accepts a card number');
      const revealed = revealedDigits([...value], bin, last4);
      if ((bin || last4) && revealed.size === 0) throw tooShortFailure('alias_card');
      return alias('alias_card', value, revealed, randomOfSameKind);
    },
  ),
];

/** Whether a text uses a filter with a random result, so that evaluating it again can give another id. */
export const usesAlias = (text: string): boolean => /\|\s*alias_/.test(text);

function endPositions(value: string, first: number, last: number): ReadonlySet<number> {
  const length = [...value].length;
  const positions = Array.from({ length: Math.min(length, MAX_ALIAS_LENGTH) }, (_, index) => index);
  return new Set(positions.filter((index) => index < first || index >= length - last));
}

function alias(filter: string, value: string, revealed: ReadonlySet<number>, replace: RandomCharacter) {
  const characters = [...value];
  if (characters.length > MAX_ALIAS_LENGTH)
    throw new ExpressionFailure(`filter "${filter}" accepts at most ${MAX_ALIAS_LENGTH} characters`);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const result = characters.map((c, index) => (revealed.has(index) ? c : replace(c))).join('');
    // An id must never be the plaintext (service-api.md, token rule 4), nor the number of another card.
    if (result !== value && !isCardNumber(result.replaceAll(/[- ]/g, ''))) return result;
  }
  throw tooShortFailure(filter);
}

function randomOfSameKind(character: string): string {
  if (/\p{N}/u.test(character)) return randomCharacter(DIGITS);
  if (/\p{Lu}/u.test(character)) return randomCharacter(LETTERS).toUpperCase();
  return /\p{L}/u.test(character) ? randomCharacter(LETTERS) : character;
}

const randomCharacter = (alphabet: string): string => alphabet.charAt(randomInt(alphabet.length));

function tooShortFailure(filter: string): ExpressionFailure {
  return new ExpressionFailure(`filter "${filter}" would reveal the whole value`);
}
