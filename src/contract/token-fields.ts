import type { TokenType } from './token-types.js';

/** A property of the data of a token type, for prompts and flags; schemas/token-data.ts has the rules. */
export interface TokenField {
  type: 'string' | 'integer';
  required: boolean;
  /** Hidden while it is typed. */
  sensitive: boolean;
  label: string;
}

/** The properties of the types whose data is an object with known properties; spec, Token data validations. */
export const TOKEN_FIELDS: Readonly<Partial<Record<TokenType, Readonly<Record<string, TokenField>>>>> = {
  card: {
    number: { type: 'string', required: true, sensitive: true, label: 'Card number' },
    expiration_month: { type: 'integer', required: false, sensitive: false, label: 'Expiration month' },
    expiration_year: {
      type: 'integer',
      required: false,
      sensitive: false,
      label: 'Expiration year, four digits',
    },
    cvc: { type: 'string', required: false, sensitive: true, label: 'Verification code (cvc)' },
  },
  bank: {
    routing_number: { type: 'string', required: true, sensitive: false, label: 'Routing number' },
    account_number: { type: 'string', required: true, sensitive: true, label: 'Account number' },
  },
  document: {
    content_type: { type: 'string', required: true, sensitive: false, label: 'Content type' },
    content: { type: 'string', required: true, sensitive: true, label: 'Content, in base64' },
  },
};
