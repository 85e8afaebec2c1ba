import * as z from 'zod';
import { luhnValid } from '../card-numbers.js';
import type { TokenType } from '../token-types.js';
import { jsonValue, object } from './common.js';

/** Whether a routing number has a valid ABA checksum: weights 3, 7, 1 repeating, sum a multiple of ten. */
function abaValid(digits: string): boolean {
  const weights = [3, 7, 1];
  const sum = [...digits].reduce((total, digit, i) => total + Number(digit) * (weights[i % 3] ?? 0), 0);
  return digits.length === 9 && sum % 10 === 0 && sum > 0;
}

const cardNumber = z
  .string()
  .regex(/^\d{13,19}$/, { error: 'must be 13 to 19 digits without separators', abort: true })
  .refine(luhnValid, 'fails the check digit (Luhn); a digit is mistyped')
  .meta({
    description: '13 to 19 digits with a valid Luhn checksum.',
    examples: ['4242424242424242', '5555555555554444', '378282246310005'],
  });

const routingNumber = z
  .string()
  .regex(/^\d{9}$/, { error: 'must be nine digits', abort: true })
  .refine(abaValid, 'must be a routing number with a valid ABA checksum')
  .meta({
    description: 'Nine digits with a valid ABA checksum.',
    examples: ['021000021', '011401533', '091000019'],
  });

/** An integer is accepted and stored as a string; decided, Token types. */
const cvc = z
  .preprocess(
    (value) => (Number.isInteger(value) ? String(value) : value),
    z.string().regex(/^\d{3,4}$/, 'must be three or four digits'),
  )
  .meta({ type: 'string', pattern: '^\\d{3,4}$' });

const card = object('CardData', 'The data of a token of type `card`.', {
  number: cardNumber,
  expiration_month: z.int('must be an integer from 1 to 12').min(1).max(12).optional(),
  expiration_year: z.int('must be a four-digit integer').min(1000).max(9999).optional(),
  cvc: cvc.optional(),
});

const bank = object('BankData', 'The data of a token of type `bank`.', {
  routing_number: routingNumber,
  account_number: z.string().regex(/^\d{1,17}$/, 'must be 1 to 17 digits'),
});

const nineDigits = z
  .string()
  .refine(
    (value) => /^\d[\d-]*\d$/.test(value) && value.replaceAll('-', '').length === 9,
    'must be nine digits, "-" allowed',
  )
  .meta({ pattern: '^\\d(-?\\d){8}$', examples: ['123-45-6789'] });

const document = object('DocumentData', 'The data of a token of type `document`.', {
  content_type: z.string().regex(/^[\w.+-]+\/[\w.+-]+(; ?[\w.+-]+=[\w.+-]+)*$/, 'must be a media type'),
  content: z.base64('must be base64'),
});

/** The schema of `data` by token type; spec, Token data validations, and decided, Token types. */
export const tokenDataSchemas = {
  token: jsonValue,
  card,
  bank,
  card_number: cardNumber,
  us_bank_account_number: z.string().regex(/^\d{3,17}$/, 'must be 3 to 17 digits'),
  us_bank_routing_number: routingNumber,
  social_security_number: nineDigits,
  employer_id_number: nineDigits,
  document,
} satisfies Record<TokenType, z.ZodType>;

export type TokenData = { [Type in TokenType]: z.output<(typeof tokenDataSchemas)[Type]> };
