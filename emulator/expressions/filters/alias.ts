import { randomInt } from 'node:crypto';
import { ExpressionFailure } from '../errors.js';
import { revealedDigits } from './card.js';
import { defineFilter } from './define.js';
import { count, flag, textInput } from './parameters.js';

const DIGITS = '0123456789';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** An alias becomes an id, which has at most 400 characters; drawing many more random characters is only a cost. */
const MAX_ALIAS_LENGTH = 1_000;
/** A single digit is drawn as itself one time in ten; when nothing else is ever drawn, there is nothing to draw. */
const MAX_DRAWS = 20;

type Draw = (character: string) => string;

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
        throw new ExpressionFailure('filter "alias_card" takes a card number');
      const shown = revealedDigits([...value], bin, last4);
      if ((bin || last4) && shown.size === 0) throw tooShortFailure('alias_card');
      return alias('alias_card', value, shown, randomOfSameKind);
    },
  ),
];

/** True when a text uses one of the filters whose result is random, so that a taken id can be drawn again. */
export function usesAlias(text: string): boolean {
  return /\|\s*alias_/.test(text);
}

function endPositions(value: string, first: number, last: number): ReadonlySet<number> {
  const length = [...value].length;
  const places = Array.from({ length: Math.min(length, MAX_ALIAS_LENGTH) }, (_, index) => index);
  return new Set(places.filter((index) => index < first || index >= length - last));
}

function alias(filter: string, value: string, shown: ReadonlySet<number>, draw: Draw): string {
  const characters = [...value];
  if (characters.length > MAX_ALIAS_LENGTH) {
    throw new ExpressionFailure(`filter "${filter}" takes at most ${MAX_ALIAS_LENGTH} characters`);
  }
  for (let draws = 0; draws < MAX_DRAWS; draws++) {
    const drawn = characters.map((c, index) => (shown.has(index) ? c : draw(c))).join('');
    // An id must never be the plaintext (service-api.md, token rule 4).
    if (drawn !== value) return drawn;
  }
  throw tooShortFailure(filter);
}

function randomOfSameKind(character: string): string {
  if (/\p{N}/u.test(character)) return randomCharacter(DIGITS);
  if (/\p{Lu}/u.test(character)) return randomCharacter(LETTERS).toUpperCase();
  return /\p{L}/u.test(character) ? randomCharacter(LETTERS) : character;
}

function randomCharacter(alphabet: string): string {
  return alphabet.charAt(randomInt(alphabet.length));
}

function tooShortFailure(filter: string): ExpressionFailure {
  return new ExpressionFailure(`filter "${filter}" would reveal the whole value`);
}
