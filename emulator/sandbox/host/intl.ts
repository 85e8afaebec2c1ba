import { LRUCache } from 'lru-cache';
import type { Json } from '../../../src/contract/json.js';

/** Defaults of the service, used on every machine when the code names no locale or time zone. */
const LOCALE = 'en-US';
const TIME_ZONE = 'UTC';
/** `Intl` objects are cached because constructing one is much slower than using it. */
const MAX_CACHED_OBJECTS = 100;
/** Locale tags are read in quadratic time. Characters of JSON. */
const MAX_LOCALES_LENGTH = 10_000;

type IntlObject = Record<string, (...args: unknown[]) => unknown>;
type IntlConstructor = new (locales?: Json, options?: Json) => IntlObject;

/** Constructors that the guest may use, with their methods besides `resolvedOptions`. */
const TYPES: Record<string, readonly string[]> = {
  NumberFormat: ['format', 'formatToParts'],
  DateTimeFormat: ['format', 'formatToParts', 'formatRange', 'formatRangeToParts'],
  Collator: ['compare'],
  PluralRules: ['select'],
  RelativeTimeFormat: ['format', 'formatToParts'],
  ListFormat: ['format', 'formatToParts'],
  DisplayNames: ['of'],
  Segmenter: ['segment'],
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

function callMethod(type: string, method: string, locales: Json, options: Json, ...args: unknown[]): unknown {
  const methods = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (!methods || !(methods.includes(method) || method === 'resolvedOptions'))
    throw new TypeError('Not supported.');
  return getIntlObject(type, locales, options)[method]?.(...args.map((value) => value ?? undefined));
}

/** Methods of built-in objects that take locales. */
const LOCALE_METHODS = /^toLocale(|Date|Time)String$|^toLocale(Upper|Lower)Case$/;

function formatLocaleString(value: unknown, method: string, locales: Json, options: Json): unknown {
  if (!LOCALE_METHODS.test(method)) throw new TypeError('Not supported.');
  if (JSON.stringify([locales, options]).length > MAX_LOCALES_LENGTH)
    throw new RangeError(`The locales and options are longer than ${MAX_LOCALES_LENGTH} characters.`);
  const settings =
    value instanceof Date ? { timeZone: TIME_ZONE, ...(options as object) } : (options ?? undefined);
  return (value as Date)[method as 'toLocaleString'](
    (locales ?? LOCALE) as string,
    settings as Intl.DateTimeFormatOptions,
  );
}

export const INTL_FUNCTIONS = {
  intl: callMethod,
  localeString: formatLocaleString,
  supportedLocales: (type: string, locales: string[]) => {
    if (!Object.hasOwn(TYPES, type)) throw new TypeError('Not supported.');
    return Intl[type as 'NumberFormat'].supportedLocalesOf(locales);
  },
};
