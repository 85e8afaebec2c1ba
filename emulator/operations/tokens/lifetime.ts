import { DateTime } from 'luxon';
import { LIMITS } from '../../../src/contract/limits.js';
import { type Json, RequestBudget } from '../../expressions/index.js';
import { formatTimestamp } from '../../lib/timestamps.js';
import type { Stored, TokenRecord } from '../../store/records.js';
import type { Change } from '../../store/store.js';
import { cachedResponseDeletions, type TokenServices } from './delete.js';
import { evaluateSearchIndexes } from './evaluate-token.js';
import { FieldChecks } from './field-checks.js';

/** Normalizes `expires_at` of a request; an invalid or past time is added to `checks`. */
export function parseExpirationField(text: string, now: number, checks: FieldChecks): string {
  const parsed = parseExpiration(text);
  if (parsed === undefined) checks.add('expires_at', EXPIRATION_FORMATS);
  else if (parsed.time <= now) checks.add('expires_at', 'must be in the future');
  return parsed?.text ?? text;
}

/** Reads when a key expires. @returns undefined without a time @throws ProblemError 400 */
export function parseExpiry(text: string | null | undefined, now: number): string | undefined {
  if (text === undefined || text === null) return undefined;
  const checks = new FieldChecks();
  const time = parseExpirationField(text, now, checks);
  checks.assertValid();
  return time;
}

/** Computes the expiry of a `cvc` that is set now (service-api.md, "Card data"). Only that of a card expires. */
export const cvcExpiry = ({ type, data }: Pick<TokenRecord, 'type' | 'data'>, now: number) =>
  type === 'card' && hasCvc(data) ? { cvc_expires_at: formatTimestamp(now + LIMITS.cvcLifetimeMs) } : {};

/** Leaves out an expired cvc. To callers it does not exist, even before the sweep removes it from the store. */
export function withoutExpiredData<R extends TokenRecord>(record: R, now: number): R {
  const { cvc_expires_at: expiry } = record;
  return expiry === undefined || Date.parse(expiry) > now ? record : withoutCvc(record);
}

function withoutCvc<R extends TokenRecord>({ cvc_expires_at: _expiry, ...rest }: R): R {
  if (!hasCvc(rest.data)) return rest as unknown as R;
  const { cvc: _cvc, ...data } = rest.data;
  return { ...rest, data } as unknown as R;
}

function hasCvc(data: unknown): data is { cvc: Json } {
  return typeof data === 'object' && data !== null && 'cvc' in data;
}

const EXPIRATION_FORMATS =
  'must be <month>/<day>/<year> [<h>:<mm>:<ss> AM|PM [+|-<hh>:<mm>]] or ISO 8601, e.g. 8/31/2030 3:30:00 PM -05:00, 8/31/2030 or 2030-08-31T15:30:00-05:00';

/** service-api.md, "Token expiration": the long form with an optional offset, and the short date. */
const LONG_FORM =
  /^(\d{1,2}\/\d{1,2}\/\d{4})(?: (\d{1,2}:\d{2}:\d{2} [AP]M)(?: ?([+-](?:0\d|1[0-4]):[0-5]\d))?)?$/i;
const ISO_8601 =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?)?$/i;

interface Expiration {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** ISO 8601 with the given offset, by default `+00:00`. */
  readonly text: string;
}

/** Parses `expires_at` (decisions.md, "Expiration and purge"), by default at midnight and in UTC. */
export function parseExpiration(text: string): Expiration | undefined {
  const date = parseLongForm(text) ?? parseIso(text);
  if (!date?.isValid) return undefined;
  const fraction = date.millisecond === 0 ? '' : '.SSS';
  return { time: date.toMillis(), text: date.toFormat(`yyyy-MM-dd'T'HH:mm:ss${fraction}ZZ`) };
}

function parseLongForm(text: string): DateTime | undefined {
  const match = LONG_FORM.exec(text);
  if (match === null) return undefined;
  const [, day = '', time = '12:00:00 AM', offset = '+00:00'] = match;
  // Luxon accepts 0 and 13 as hours of the twelve-hour clock.
  const hour = Number.parseInt(time, 10);
  if (hour < 1 || hour > 12) return undefined;
  return DateTime.fromFormat(`${day} ${time} ${offset}`, 'M/d/yyyy h:mm:ss a ZZ', {
    setZone: true,
    locale: 'en-US',
  });
}

const parseIso = (text: string): DateTime | undefined =>
  ISO_8601.test(text) ? DateTime.fromISO(text.toUpperCase(), { zone: 'utc', setZone: true }) : undefined;

/** Removes the cvc from the data, from the search index values, and from stored responses that may contain it. */
export async function purgeCvcs(tokens: Stored<TokenRecord>[], services: TokenServices): Promise<Change[]> {
  const now = services.clock.now();
  const replace = async (token: Stored<TokenRecord>): Promise<Change> => {
    const { search_values: _values, ...record } = withoutCvc(token);
    const values = await reevaluateSearchIndexes(record, now);
    return { replace: 'tokens', record: { ...record, ...(values.length > 0 && { search_values: values }) } };
  };
  const replacements: Change[] = [];
  for (const token of tokens) replacements.push(await replace(token));
  return [...replacements, ...(await cachedResponseDeletions(tokens, services))];
}

/** Evaluates each index separately, since one that needs the removed cvc fails. */
async function reevaluateSearchIndexes({ search_indexes = [], data, tenant_id }: TokenRecord, now: number) {
  const budget = new RequestBudget(now, tenant_id);
  const values: string[] = [];
  for (const index of search_indexes)
    values.push(
      ...(await evaluateSearchIndexes({ search_indexes: [index], data }, budget, new FieldChecks())),
    );
  return [...new Set(values)];
}
