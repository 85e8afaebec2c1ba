import { callHost } from '../bridge/host.js';

function normalizeLocales(locales: unknown): unknown {
  if (locales === undefined) return null;
  const list: unknown[] = Array.isArray(locales) ? locales : [locales];
  return list.map((locale) => (typeof locale === 'object' && locale !== null ? String(locale) : locale));
}

type ConvertArguments = (...args: unknown[]) => unknown[];

const toNumeric = (value: unknown) =>
  typeof value === 'bigint' || typeof value === 'number' ? value : Number(value);
const toDate = (value: unknown) => new Date(value === undefined ? Date.now() : Number(value));
const eachArgument =
  (convert: (value: unknown) => unknown): ConvertArguments =>
  (...args) =>
    (args.length === 0 ? [undefined] : args).map(convert);
const relativeTimeArguments: ConvertArguments = (value, unit) => [Number(value), String(unit)];
const listArguments: ConvertArguments = (values) => [[...(values as Iterable<unknown>)].map(String)];

/** Methods of each type, with the conversion of their arguments. */
const TYPES: Record<string, Record<string, ConvertArguments>> = {
  NumberFormat: { format: eachArgument(toNumeric), formatToParts: eachArgument(toNumeric) },
  DateTimeFormat: {
    format: eachArgument(toDate),
    formatToParts: eachArgument(toDate),
    formatRange: eachArgument(toDate),
    formatRangeToParts: eachArgument(toDate),
  },
  Collator: { compare: eachArgument(String) },
  PluralRules: { select: eachArgument(Number) },
  RelativeTimeFormat: { format: relativeTimeArguments, formatToParts: relativeTimeArguments },
  ListFormat: { format: listArguments, formatToParts: listArguments },
  DisplayNames: { of: eachArgument(String) },
  Segmenter: { segment: eachArgument(String) },
};

const createCall =
  (type: string, locales: unknown, options: unknown) =>
  (method: string, ...args: unknown[]): unknown =>
    callHost('intl', type, method, normalizeLocales(locales), options, ...args);

/** Creates a constructor such as `Intl.NumberFormat`. Methods are own properties of the instance, so that they work without `this`. */
function createType(type: string, methods: Record<string, ConvertArguments>): unknown {
  function Type(this: unknown, locales?: unknown, options?: unknown): object {
    const self = (new.target ? this : Object.create(Type.prototype as object)) as object;
    const call = createCall(type, locales, options);
    // Makes the constructor throw if the locales or options are invalid.
    call('resolvedOptions');
    define(self, 'resolvedOptions', () => call('resolvedOptions'));
    for (const [method, convert] of Object.entries(methods))
      define(self, method, (...args: unknown[]) => call(method, ...convert(...args)) ?? undefined);
    return self;
  }
  define(Type, 'name', type);
  define(Type, 'supportedLocalesOf', (locales: unknown) =>
    callHost('supportedLocales', type, normalizeLocales(locales) ?? []),
  );
  Object.defineProperty(Type.prototype, Symbol.toStringTag, { value: `Intl.${type}`, configurable: true });
  return Type;
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });
}

/** Creates the global `Intl`, whose methods call the `Intl` of the host. */
export function createIntl(): object {
  const intl = {};
  for (const [type, methods] of Object.entries(TYPES)) define(intl, type, createType(type, methods));
  Object.defineProperty(intl, Symbol.toStringTag, { value: 'Intl', configurable: true });
  return intl;
}

const METHODS: [prototype: object, ...methods: string[]][] = [
  [Date.prototype, 'toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'],
  [Number.prototype, 'toLocaleString'],
  [BigInt.prototype, 'toLocaleString'],
  [String.prototype, 'toLocaleUpperCase', 'toLocaleLowerCase'],
];

/** Replaces the locale-dependent methods of built-in objects. The engine supports only one locale. */
export function installLocaleStrings(): void {
  for (const [prototype, ...methods] of METHODS)
    for (const method of methods) {
      const toLocale = function (this: object, locales?: unknown, options?: unknown): string {
        const value = this instanceof Date ? this : this.valueOf();
        return callHost('localeString', value, method, normalizeLocales(locales), options);
      };
      define(prototype, method, toLocale);
    }
  function localeCompare(this: unknown, other: unknown, locales?: unknown, options?: unknown): unknown {
    return createCall('Collator', locales, options)('compare', String(this), String(other));
  }
  define(String.prototype, 'localeCompare', localeCompare);
}
