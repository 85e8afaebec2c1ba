/** A mask: a string with expressions, or an object, array or primitive of them. */
export type Mask = unknown;

/** What a token type brings along when a create request does not say otherwise. */
export interface TokenTypeDefaults {
  /** Absent: tokens of the type have no mask. */
  mask?: Mask;
  containers: readonly string[];
  /** What `data` must be, in words for help texts and errors. */
  data: string;
}

const LAST4_MASK = '{{ data | reveal_last: 4 }}';

/**
 * Every token type; `schemas/token-data.ts` has the data. The first three are specified, `document` is an extension, the others
 * are decided.
 */
export const TOKEN_TYPES = {
  token: { containers: ['/general/high/'], data: 'any JSON except null' },
  card: {
    mask: {
      number: '{{ data.number | reveal_last: 4 }}',
      expiration_month: '{{ data.expiration_month }}',
      expiration_year: '{{ data.expiration_year }}',
    },
    containers: ['/pci/high/'],
    data: '{ number, expiration_month?, expiration_year?, cvc? }',
  },
  bank: {
    mask: {
      routing_number: '{{ data.routing_number }}',
      account_number: '{{ data.account_number | reveal_last: 4 }}',
    },
    containers: ['/bank/high/'],
    data: '{ routing_number, account_number }',
  },
  card_number: { mask: LAST4_MASK, containers: ['/pci/high/'], data: 'a card number of 13 to 19 digits' },
  us_bank_account_number: {
    mask: LAST4_MASK,
    containers: ['/bank/high/'],
    data: 'a string of 3 to 17 digits',
  },
  us_bank_routing_number: {
    mask: LAST4_MASK,
    containers: ['/bank/low/'],
    data: 'a nine-digit ABA routing number',
  },
  social_security_number: { mask: LAST4_MASK, containers: ['/pii/high/'], data: 'nine digits, "-" allowed' },
  employer_id_number: { mask: LAST4_MASK, containers: ['/pii/high/'], data: 'nine digits, "-" allowed' },
  document: {
    mask: { content_type: '{{ data.content_type }}' },
    containers: ['/general/high/'],
    data: '{ content_type, content } with the content in base64',
  },
} as const satisfies Record<string, TokenTypeDefaults>;

export type TokenType = keyof typeof TOKEN_TYPES;

export const TOKEN_TYPE_NAMES = Object.keys(TOKEN_TYPES) as [TokenType, ...TokenType[]];

/** Spec, Token object, rule 1: the same for every type. */
export const DEFAULT_FINGERPRINT_EXPRESSION = '{{ data | stringify }}';
