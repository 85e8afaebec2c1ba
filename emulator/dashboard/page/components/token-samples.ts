import type { TokenType } from '../../../../src/contract/token-types.js';

/** Valid data of each type: test numbers, which no person has. */
export const TOKEN_SAMPLES: Readonly<Record<TokenType, unknown>> = {
  token: { name: 'Ada Lovelace', email: 'ada@example.com' },
  card: { number: '4242424242424242', expiration_month: 12, expiration_year: 2032, cvc: '123' },
  bank: { routing_number: '021000021', account_number: '1234567890' },
  card_number: '4242424242424242',
  us_bank_account_number: '1234567890',
  us_bank_routing_number: '021000021',
  social_security_number: '123-45-6789',
  employer_id_number: '12-3456789',
};
