import testCards from './test-cards.json' with { type: 'json' };

export function luhnValid(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** What issuers give out: numbers with a prefix, of one of several lengths. */
const ISSUERS = [
  { brand: 'visa', prefix: /^4/, lengths: [13, 16, 19] },
  {
    brand: 'mastercard',
    prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
  },
  { brand: 'american-express', prefix: /^3[47]/, lengths: [15] },
  { brand: 'discover', prefix: /^(?:6011|64[4-9]|65)/, lengths: [16, 17, 18, 19] },
  { brand: 'diners-club', prefix: /^3(?:0[0-5]|[689])/, lengths: [14, 15, 16, 17, 18, 19] },
  { brand: 'jcb', prefix: /^35(?:2[89]|[3-8])/, lengths: [16, 17, 18, 19] },
  { brand: 'unionpay', prefix: /^62/, lengths: [16, 17, 18, 19] },
];

export const issuerOf = (digits: string) => ISSUERS.find(({ prefix }) => prefix.test(digits));

/** The digits of a number that name its bank (decisions.md, "Expressions"). @param digits those of the whole number */
export const binLength = (digits: number): number => (digits < 16 ? 6 : 8);

/** Whether digits are a number that a card issuer could have given out. Timestamps and large constants may pass the checksum alone. */
export function isCardNumber(digits: string): boolean {
  return issuerOf(digits)?.lengths.includes(digits.length) === true && luhnValid(digits);
}

/** A UUID, whose groups can be digits by chance, or digits that few other characters separate. */
const NUMBERS = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|\d+(?:[\s\p{Pd}._/,]{1,3}\d+)*/giu;
const DIGITS = { minimum: 13, maximum: 19 };

/** Finds the card numbers in a text, in groups or not. A number may stand between others: `4242 4242 4242 4242 12/31`. */
export const cardNumbersIn = (text: string): { digits: string; start: number; end: number }[] =>
  [...text.matchAll(NUMBERS)].flatMap(({ 0: run, index }) => {
    if (run.length < DIGITS.minimum || /[a-f]|^\d{8}-\d{4}-\d{4}-\d{4}-\d{12}$/i.test(run)) return [];
    return inGroups([...run.matchAll(/\d+/g)]).map(({ digits, start, end }) => ({
      ...{ digits, start: index + start, end: index + end },
    }));
  });

function inGroups(groups: readonly RegExpMatchArray[]) {
  const found: { digits: string; start: number; end: number }[] = [];
  for (let first = 0; first < groups.length; first++) {
    let digits = '';
    for (let last = first; last < groups.length && digits.length < DIGITS.maximum; last++) {
      const { 0: group = '', index = 0 } = groups[last] ?? {};
      digits += group;
      if (digits.length < DIGITS.minimum || !isCardNumber(digits)) continue;
      found.push({ digits, start: groups[first]?.index ?? 0, end: index + group.length });
      first = last;
      break;
    }
  }
  return found;
}

/** A run of digits, or of groups of digits, that nothing continues. */
const LONE_NUMBER = /(?<![0-9A-Za-z])(?:\d{13,19}|(?<!-)\d(?:(?:[ -]|%20)?\d){12,18}(?!-))(?![0-9A-Za-z])/g;

const digitsOf = (number: string): string => number.replaceAll(/%20|[ -]/g, '');

export const maskCardNumbers = (text: string): string =>
  text.replace(LONE_NUMBER, (number) =>
    isCardNumber(digitsOf(number)) ? 'X'.repeat(digitsOf(number).length) : number,
  );

export const holdsCardNumber = (text: string): boolean => maskCardNumbers(text) !== text;

interface TestCards {
  source: string;
  /** Prefixes that are given out for tests as a whole. */
  ranges?: string[];
  numbers: string[];
}

/** Test cards that payment processors document: the table of docs/leaks.md, "Real card numbers". */
export const TEST_CARDS: readonly TestCards[] = testCards;

const TEST_NUMBERS = new Set(TEST_CARDS.flatMap(({ numbers }) => numbers));
const TEST_RANGES = TEST_CARDS.flatMap(({ ranges = [] }) => ranges);

export function isTestCardNumber(digits: string): boolean {
  return TEST_NUMBERS.has(digits) || TEST_RANGES.some((prefix) => digits.startsWith(prefix));
}
