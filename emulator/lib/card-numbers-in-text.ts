import { isCardNumber } from '../../src/contract/card-numbers.js';

/** A run of digits, or of groups of digits, that nothing continues. */
const NUMBER = /(?<![0-9A-Za-z])(?:\d{13,19}|(?<!-)\d(?:(?:[ -]|%20)?\d){12,18}(?!-))(?![0-9A-Za-z])/g;

const digitsOf = (number: string): string => number.replaceAll(/%20|[ -]/g, '');

/** Masks the card numbers in a text that is kept or shown. */
export const maskCardNumbers = (text: string): string =>
  text.replace(NUMBER, (number) =>
    isCardNumber(digitsOf(number)) ? 'X'.repeat(digitsOf(number).length) : number,
  );

export const holdsCardNumber = (text: string): boolean => maskCardNumbers(text) !== text;
