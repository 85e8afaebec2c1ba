import type { Token } from '../../../src/contract/schemas/index.js';

type CardDetails = NonNullable<Token['card']>;

/** What a BIN says about its cards. */
type BinDetails = Pick<CardDetails, 'brand' | 'funding' | 'issuer' | 'issuer_country'>;

const COUNTRIES = {
  US: { alpha2: 'US', name: 'United States', numeric: '840' },
  DE: { alpha2: 'DE', name: 'Germany', numeric: '276' },
  GB: { alpha2: 'GB', name: 'United Kingdom', numeric: '826' },
  JP: { alpha2: 'JP', name: 'Japan', numeric: '392' },
} as const;

function bin(
  brand: string,
  funding: 'credit' | 'debit' | 'prepaid',
  country: keyof typeof COUNTRIES,
  issuer: string,
): BinDetails {
  return { brand, funding, issuer: { country, name: issuer }, issuer_country: COUNTRIES[country] };
}

/** Made-up issuers for the BINs of common test cards: 6 digits for numbers shorter than 16 digits, 8 otherwise. */
const BINS: ReadonlyMap<string, BinDetails> = new Map([
  ['42424242', bin('visa', 'credit', 'US', 'Example Bank')],
  ['41111111', bin('visa', 'credit', 'US', 'Example Bank')],
  ['40000566', bin('visa', 'debit', 'US', 'Example Bank')],
  ['40055500', bin('visa', 'debit', 'DE', 'Beispielbank')],
  ['55555555', bin('mastercard', 'credit', 'GB', 'Example Building Society')],
  ['52008282', bin('mastercard', 'debit', 'US', 'Example Credit Union')],
  ['51051051', bin('mastercard', 'prepaid', 'US', 'Example Credit Union')],
  ['22230031', bin('mastercard', 'credit', 'DE', 'Beispielbank')],
  ['378282', bin('american-express', 'credit', 'US', 'Example Express')],
  ['371449', bin('american-express', 'credit', 'US', 'Example Express')],
  ['60111111', bin('discover', 'credit', 'US', 'Example Discovery')],
  ['60119811', bin('discover', 'debit', 'US', 'Example Discovery')],
  ['362272', bin('diners-club', 'credit', 'GB', 'Example Building Society')],
  ['305693', bin('diners-club', 'credit', 'GB', 'Example Building Society')],
  ['35660020', bin('jcb', 'debit', 'JP', 'Example Ginko')],
  ['62000000', bin('unionpay', 'debit', 'US', 'Example Union')],
]);

/** The numbers that each brand assigns, as prefixes. */
const BRANDS: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'visa'],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 'mastercard'],
  [/^3[47]/, 'american-express'],
  [/^(6011|64[4-9]|65)/, 'discover'],
  [/^(30[0-5]|36|38)/, 'diners-club'],
  [/^35(2[89]|[3-8])/, 'jcb'],
  [/^62/, 'unionpay'],
];

/** Returns what the table says about a BIN; for one that it does not have, only the brand, if its numbers are known. */
export function findBin(digits: string): BinDetails {
  const known = BINS.get(digits);
  if (known) return known;
  const brand = BRANDS.find(([prefix]) => prefix.test(digits))?.[1];
  return brand === undefined ? {} : { brand };
}
