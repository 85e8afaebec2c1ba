import fc from 'fast-check';
import type { TokenType } from '../../../src/contract/token-types.js';

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });

/** Appends the digit that makes the Luhn checksum valid. */
function withLuhnDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return digits + ((10 - (sum % 10)) % 10);
}

/** Appends the digit that makes the ABA checksum valid. */
function withAbaDigit(digits: string): string {
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0),
    0,
  );
  return digits + ((10 - (sum % 10)) % 10);
}

const cardNumber = digits(14).map((rest) => withLuhnDigit(`4${rest}`));
const routingNumber = digits(7).map((rest) => withAbaDigit(`1${rest}`));
const nineDigits = digits(8).map((rest) => `9${rest}`);

const base64 = fc
  .uint8Array({ minLength: 9, maxLength: 30 })
  .map((bytes) => Buffer.from(bytes).toString('base64'));

/** Text that occurs nowhere else, with characters that JSON escapes. */
const secretText = fc
  .tuple(digits(6), fc.string({ unit: 'binary', maxLength: 12 }))
  .map(([start, rest]) => `secret ${start}"\\\n${rest}`);

const secretJson = fc.oneof(
  secretText,
  fc.integer({ min: 1_000_000_000, max: 9_999_999_999 }),
  fc.record({ name: secretText, list: fc.array(secretText, { maxLength: 3 }) }),
);

/** Valid data of every token type. */
export const tokenData: Record<TokenType, fc.Arbitrary<unknown>> = {
  token: secretJson,
  card: fc.record({
    number: cardNumber,
    expiration_month: fc.integer({ min: 1, max: 12 }),
    expiration_year: fc.integer({ min: 2030, max: 2050 }),
  }),
  bank: fc.record({ routing_number: routingNumber, account_number: digits(12) }),
  card_number: cardNumber,
  us_bank_account_number: digits(12),
  us_bank_routing_number: routingNumber,
  social_security_number: nineDigits,
  employer_id_number: nineDigits,
  document: fc.record({ content_type: fc.constant('image/png'), content: base64 }),
};

/** Lists the values in token data that no answer may contain: those of six characters and more. */
export function valuesIn(data: unknown): string[] {
  const parts =
    typeof data === 'object' && data !== null ? Object.values(data).flatMap(valuesIn) : [String(data)];
  return parts.filter((value) => value.length >= 6);
}
