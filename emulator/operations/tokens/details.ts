import { binLength, issuerOf } from '../../../src/contract/card-numbers.js';
import { isObject } from '../../../src/contract/json.js';
import type { Token } from '../../../src/contract/schemas/index.js';
import type { TokenRecord } from '../../store/records.js';

type Details = Pick<Token, 'card' | 'bank'>;

/** Computes `card` or `bank` of a token from its data; nothing of it is stored. Other types have neither. */
export function tokenDetails({ type, data }: Pick<TokenRecord, 'type' | 'data'>): Details {
  if (type === 'card_number' && typeof data === 'string') return { card: cardDetails({ number: data }) };
  if (type === 'card' && isObject(data)) return { card: cardDetails(data) };
  if (type === 'bank' && isObject(data)) return { bank: bankDetails(data) };
  return {};
}

function cardDetails({ number, expiration_month, expiration_year }: Record<string, unknown>) {
  const digits = String(number);
  const bin = digits.slice(0, binLength(digits.length));
  return {
    bin,
    last4: digits.slice(-4),
    ...(typeof expiration_month === 'number' && { expiration_month }),
    ...(typeof expiration_year === 'number' && { expiration_year }),
    ...findBin(bin),
  };
}

/** An account number of four digits or fewer is not shown. */
function bankDetails({ routing_number, account_number }: Record<string, unknown>) {
  const account = String(account_number);
  return {
    routing_number: String(routing_number),
    ...(account.length > 4 && { account_number_last4: account.slice(-4) }),
  };
}

type CardDetails = NonNullable<Token['card']>;

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

/** Returns what the table says about a BIN; for one that it does not have, only the brand, if its numbers are known. */
function findBin(digits: string): BinDetails {
  const known = BINS.get(digits);
  if (known) return known;
  const brand = issuerOf(digits)?.brand;
  return brand === undefined ? {} : { brand };
}

/** Returns the same for the first six digits of a BIN, or more of it. */
export const findByPrefix = (digits: string): BinDetails =>
  findBin([...BINS.keys()].find((known) => known.startsWith(digits)) ?? digits);
