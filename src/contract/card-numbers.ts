import { luhnValid } from './schemas/token-data.js';

/** The ranges of the issuers. Timestamps and large constants may pass the checksum but are outside of them. */
const ISSUER_RANGES: readonly RegExp[] = [
  /^4(?:\d{12}|\d{15}|\d{18})$/,
  /^(?:5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d+$/,
  /^3[47]\d{13}$/,
  /^(?:6011|65\d\d|64[4-9]\d)\d{12,15}$/,
  /^3(?:0[0-5]|[689]\d)\d{11,16}$/,
  /^35(?:2[89]|[3-8]\d)\d{12,15}$/,
  /^62\d{14,17}$/,
];
const MASTERCARD_DIGITS = 16;

/** Whether digits are a number that a card issuer could have given out: its range, length and checksum. */
export function isCardNumber(digits: string): boolean {
  const range = ISSUER_RANGES.findIndex((pattern) => pattern.test(digits));
  if (range < 0 || (range === 1 && digits.length !== MASTERCARD_DIGITS)) return false;
  return luhnValid(digits);
}

/** A UUID, whose groups can be digits by chance, or digits that few other characters separate. */
const NUMBERS = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|\d+(?:[\s\p{Pd}._/,]{1,3}\d+)*/giu;
const DIGITS = { minimum: 13, maximum: 19 };

/** Finds the card numbers in a text, in groups or not. A number may stand between others: `4242 4242 4242 4242 12/31`. */
export function cardNumbersIn(text: string): { digits: string; start: number; end: number }[] {
  return [...text.matchAll(NUMBERS)].flatMap(({ 0: run, index }) => {
    if (run.length < DIGITS.minimum || /[a-f]|^\d{8}-\d{4}-\d{4}-\d{4}-\d{12}$/i.test(run)) return [];
    return inGroups([...run.matchAll(/\d+/g)]).map(({ digits, start, end }) => ({
      ...{ digits, start: index + start, end: index + end },
    }));
  });
}

/** Finds the card numbers that consist of whole groups of digits. */
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

/** Test cards that a payment processor documents. Ranges are prefixes that it gives out for tests as a whole. */
interface TestCards {
  source: string;
  ranges?: readonly string[];
  numbers: readonly string[];
}

/** The table of docs/leaks.md, "Real card numbers". */
export const TEST_CARDS: readonly TestCards[] = [
  {
    source: 'https://docs.stripe.com/testing',
    ranges: ['424242', '400000'],
    numbers: [
      ...['4000056655665556', '4012888888881881', '4111111111111111'],
      ...['5555555555554444', '2223003122003222', '5200828282828210', '5105105105105100'],
      ...['378282246310005', '371449635398431'],
      ...['6011111111111117', '6011000990139424', '6011981111111113'],
      ...['3056930009020004', '36227206271667', '30569309025904', '38520000023237'],
      ...['6555900000604105', '3566002020360505', '3530111333300000'],
      ...['6200000000000005', '6200000000000047', '6205500000000000004'],
    ],
  },
  {
    source: 'https://developer.paypal.com/braintree/docs/reference/general/testing',
    numbers: [
      ...['36259600000004', '6011000991300009', '6304000000000000', '2223000048400011'],
      ...['4005519200000004', '4009348888881881', '4012000033330026', '4012000077777777'],
      ...['4217651111111119', '4500600000000061', '378734493671000'],
    ],
  },
  {
    source: 'https://developer.paypal.com/tools/sandbox/card-testing',
    numbers: ['376680816376961', '5063516945005047', '4772129056533503', '4915805038587737'],
  },
];

const TEST_NUMBERS = new Set(TEST_CARDS.flatMap(({ numbers }) => numbers));
const TEST_RANGES = TEST_CARDS.flatMap(({ ranges = [] }) => ranges);

/** Whether a card number is one that a payment processor documents for tests. */
export function isTestCardNumber(digits: string): boolean {
  return TEST_NUMBERS.has(digits) || TEST_RANGES.some((prefix) => digits.startsWith(prefix));
}
