import { LRUCache } from 'lru-cache';
import { isObject, type Json } from '../../../src/contract/json.js';
import { withVisibleErrors } from '../outcome.js';
import type { HostFunction } from './services.js';

/** Defaults of the service, used on every machine when the code names no locale or time zone. */
const LOCALE = 'en-US';
const TIME_ZONE = 'UTC';
/** `Intl` objects are cached because constructing one is much slower than using it. */
const MAX_CACHED_OBJECTS = 100;
/** Locale tags are read in quadratic time. Characters of JSON. */
const MAX_LOCALES_LENGTH = 10_000;
const MAX_DIGITS = 5_000;

type IntlObject = Record<string, (...args: unknown[]) => unknown>;
type IntlConstructor = new (locales?: Json, options?: Json) => IntlObject;

/** Constructors and methods that the guest may use. */
const TYPES: Record<string, readonly string[]> = {
  NumberFormat: ['format', 'formatToParts', 'resolvedOptions'],
  DateTimeFormat: ['format', 'formatToParts', 'formatRange', 'formatRangeToParts', 'resolvedOptions'],
  Collator: ['compare', 'resolvedOptions'],
  PluralRules: ['select', 'resolvedOptions'],
  RelativeTimeFormat: ['format', 'formatToParts', 'resolvedOptions'],
  ListFormat: ['format', 'formatToParts', 'resolvedOptions'],
  DisplayNames: ['of', 'resolvedOptions'],
  Segmenter: ['segment', 'resolvedOptions'],
};

const objects = new LRUCache<string, IntlObject>({ max: MAX_CACHED_OBJECTS });

function getIntlObject(type: string, locales: Json, options: Json): IntlObject {
  const key = JSON.stringify([type, locales, options]);
  const cached = objects.get(key);
  if (cached) return cached;
  const Constructor = Intl[type as 'NumberFormat'] as unknown as IntlConstructor;
  const settings = type === 'DateTimeFormat' ? { timeZone: TIME_ZONE, ...(options as object) } : options;
  const created = new Constructor(locales ?? LOCALE, (settings ?? undefined) as Json);
  objects.set(key, created);
  return created;
}

/** Decodes values that JSON cannot hold: `{ n: 'NaN' }` is a number, `{ b: '12' }` a BigInt, `{ d: ms }` a Date. */
function revive(value: Json): unknown {
  if (!isObject(value)) return value ?? undefined;
  if ('b' in value) return parseBigInt(String(value.b));
  if ('d' in value) return new Date(value.d === null ? Number.NaN : Number(value.d));
  return Number(value.n);
}

function parseBigInt(digits: string): bigint {
  if (digits.length > MAX_DIGITS)
    throw new RangeError(`A BigInt of more than ${MAX_DIGITS} digits cannot be formatted.`);
  return BigInt(digits);
}

const toJson = (value: unknown): Json =>
  (typeof value === 'object' && value !== null && Symbol.iterator in value && !Array.isArray(value)
    ? [...(value as Iterable<Json>)]
    : (value ?? null)) as Json;

/** Makes errors visible to reactor code. */
const createIntlFunction =
  (operation: (input: never) => unknown): HostFunction =>
  (input) =>
    withVisibleErrors(() => toJson(operation(input as never)));

interface MethodCall {
  type: string;
  locales: Json;
  options: Json;
  method: string;
  args: Json[];
}

const callMethod = ({ type, locales, options, method, args }: MethodCall): unknown => {
  if (!Object.hasOwn(TYPES, type) || !TYPES[type]?.includes(method)) throw new TypeError('Not supported.');
  const object = getIntlObject(type, locales, options);
  return object[method]?.(...args.map(revive));
};

interface LocaleStringCall {
  value: Json;
  method:
    | 'toLocaleString'
    | 'toLocaleDateString'
    | 'toLocaleTimeString'
    | 'toLocaleUpperCase'
    | 'toLocaleLowerCase';
  locales: Json;
  options: Json;
}

const formatLocaleString = ({ value, method, locales, options }: LocaleStringCall): unknown => {
  if (JSON.stringify([locales, options]).length > MAX_LOCALES_LENGTH)
    throw new RangeError(`The locales and options are longer than ${MAX_LOCALES_LENGTH} characters.`);
  const subject = revive(value);
  const settings =
    subject instanceof Date ? { timeZone: TIME_ZONE, ...(options as object) } : (options ?? undefined);
  return (subject as Date)[method as 'toLocaleString'](
    (locales ?? LOCALE) as string,
    settings as Intl.DateTimeFormatOptions,
  );
};

export const INTL_FUNCTIONS: Record<string, HostFunction> = {
  intl: createIntlFunction(callMethod),
  localeString: createIntlFunction(formatLocaleString),
  supportedLocales: createIntlFunction(({ type, locales }: { type: string; locales: string[] }) => {
    if (!Object.hasOwn(TYPES, type)) throw new TypeError('Not supported.');
    return Intl[type as 'NumberFormat'].supportedLocalesOf(locales);
  }),
};
