import { isObject, type Json } from '../../../src/contract/json.js';
import { VisibleError } from '../visible-error.js';
import type { HostFunction } from './registry.js';

/** Locale and time zone when the code names none: those of the service, wherever the emulator runs. */
const LOCALE = 'en-US';
const TIME_ZONE = 'UTC';
/** `Intl` objects are slow to make, quick to use. */
const KEPT_OBJECTS = 100;
/** Some of it takes time that grows with the square of the length, inside one native call that nothing can end. */
const MAX_INPUT = 100_000;
const MAX_DIGITS = 5_000;

type IntlObject = Record<string, (...args: unknown[]) => unknown>;
type IntlConstructor = new (locales?: Json, options?: Json) => IntlObject;

/** What the guest may make, and what it may call on it. */
const TYPES: Record<string, readonly string[]> = {
  NumberFormat: ['format', 'formatToParts', 'formatRange', 'formatRangeToParts', 'resolvedOptions'],
  DateTimeFormat: ['format', 'formatToParts', 'formatRange', 'formatRangeToParts', 'resolvedOptions'],
  Collator: ['compare', 'resolvedOptions'],
  PluralRules: ['select', 'selectRange', 'resolvedOptions'],
  RelativeTimeFormat: ['format', 'formatToParts', 'resolvedOptions'],
  ListFormat: ['format', 'formatToParts', 'resolvedOptions'],
  DisplayNames: ['of', 'resolvedOptions'],
  Segmenter: ['segment', 'resolvedOptions'],
};

const objects = new Map<string, IntlObject>();

function getIntlObject(type: string, locales: Json, options: Json): IntlObject {
  const key = JSON.stringify([type, locales, options]);
  const known = objects.get(key);
  if (known) return known;
  const make = Intl[type as 'NumberFormat'] as unknown as IntlConstructor;
  const settings = type === 'DateTimeFormat' ? { timeZone: TIME_ZONE, ...(options as object) } : options;
  const made = new make(locales ?? LOCALE, (settings ?? undefined) as Json);
  objects.set(key, made);
  if (objects.size > KEPT_OBJECTS) objects.delete(String(objects.keys().next().value));
  return made;
}

/** Numbers that JSON has not: `{ n: 'NaN' }`, `{ b: '12' }` for a BigInt, `{ d: ms }` for a Date. */
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

const limited =
  (operation: (input: never) => unknown): HostFunction =>
  (input) => {
    try {
      if (JSON.stringify(input).length > MAX_INPUT) throw new RangeError('The text is too long.');
      return toJson(operation(input as never));
    } catch (error) {
      const { name, message } = error as Error;
      throw new VisibleError(message, name);
    }
  };

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
  const subject = revive(value);
  const settings =
    subject instanceof Date ? { timeZone: TIME_ZONE, ...(options as object) } : (options ?? undefined);
  return (subject as Date)[method as 'toLocaleString'](
    (locales ?? LOCALE) as string,
    settings as Intl.DateTimeFormatOptions,
  );
};

interface LocaleInput {
  tag: string;
  options: Intl.LocaleOptions;
  method?: 'maximize' | 'minimize';
}

const LOCALE_PARTS = [
  'baseName',
  'calendar',
  'caseFirst',
  'collation',
  'hourCycle',
  'language',
  'numberingSystem',
  'numeric',
  'region',
  'script',
] as const;

function describeLocale({ tag, options, method }: LocaleInput): unknown {
  const given = new Intl.Locale(tag, options);
  const locale = method ? given[method]() : given;
  const parts = Object.fromEntries(LOCALE_PARTS.map((part) => [part, locale[part]]));
  return { tag: locale.toString(), parts };
}

export const INTL_FUNCTIONS: Record<string, HostFunction> = {
  intl: limited(callMethod),
  localeString: limited(formatLocaleString),
  locale: limited(describeLocale),
  supportedLocales: limited(({ type, locales }: { type: string; locales: string[] }) => {
    if (!Object.hasOwn(TYPES, type)) throw new TypeError('Not supported.');
    return Intl[type as 'NumberFormat'].supportedLocalesOf(locales);
  }),
  canonicalLocales: limited((locales: string[]) => Intl.getCanonicalLocales(locales)),
  supportedValues: limited((key: 'calendar') => Intl.supportedValuesOf(key)),
};
