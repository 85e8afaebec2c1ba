import { isObject } from '../../../src/contract/json.js';
import type { Token } from '../../../src/contract/schemas/index.js';
import { binLength } from '../../expressions/index.js';
import type { TokenRecord } from '../../store/records.js';
import { findBin } from './bins.js';

type Details = Pick<Token, 'card' | 'bank'>;

/**
 * Computes `card` or `bank` of a token from its data (decisions.md, "Newer generation of the API family"). Nothing of it is
 * stored. Tokens of other types have neither.
 */
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
