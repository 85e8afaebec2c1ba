import { callHost } from '../bridge/host-bridge.js';

/** `Intl`, answered by the host's own. */

/** How values that JSON has not cross over (`host/intl.ts` reads it). */
export function encode(value: unknown): unknown {
  if (typeof value === 'bigint') return { b: String(value) };
  if (value instanceof Date) return { d: value.getTime() };
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))) {
    return { n: Object.is(value, -0) ? '-0' : String(value) };
  }
  return value;
}

export function localesOf(locales: unknown): unknown {
  if (locales === undefined) return null;
  const list: unknown[] = Array.isArray(locales) ? locales : [locales];
  return list.map((locale) => (typeof locale === 'object' && locale !== null ? String(locale) : locale));
}

type Prepare = (...args: unknown[]) => unknown[];

const numeric = (value: unknown) =>
  typeof value === 'bigint' || typeof value === 'number' ? value : Number(value);
const date = (value: unknown) => new Date(value === undefined ? Date.now() : Number(value));
const each =
  (convert: (value: unknown) => unknown): Prepare =>
  (...args) =>
    (args.length === 0 ? [undefined] : args).map((value) => encode(convert(value)));
const relative: Prepare = (value, unit) => [encode(Number(value)), String(unit)];
const list: Prepare = (values) => [[...(values as Iterable<unknown>)].map(String)];

/** The methods of each type, and how their arguments are prepared. */
const TYPES: Record<string, Record<string, Prepare>> = {
  NumberFormat: {
    format: each(numeric),
    formatToParts: each(numeric),
    formatRange: each(numeric),
    formatRangeToParts: each(numeric),
  },
  DateTimeFormat: {
    format: each(date),
    formatToParts: each(date),
    formatRange: each(date),
    formatRangeToParts: each(date),
  },
  Collator: { compare: each(String) },
  PluralRules: { select: each(Number), selectRange: each(Number) },
  RelativeTimeFormat: { format: relative, formatToParts: relative },
  ListFormat: { format: list, formatToParts: list },
  DisplayNames: { of: each(String) },
  Segmenter: { segment: each(String) },
};

/** In the standard these are getters of a function that needs no `this`; as own functions they serve the same uses. */
function createType(type: string, methods: Record<string, Prepare>): unknown {
  function Type(this: unknown, locales?: unknown, options?: unknown): object {
    const self = (new.target ? this : Object.create(Type.prototype as object)) as object;
    const settings = { type, locales: localesOf(locales), options: options ?? null };
    const call = (method: string, args: unknown[]) => callHost('intl', { ...settings, method, args });
    // Wrong locales and options are found when the object is made.
    call('resolvedOptions', []);
    define(self, 'resolvedOptions', () => call('resolvedOptions', []));
    for (const [method, prepare] of Object.entries(methods)) {
      define(self, method, (...args: unknown[]) => call(method, prepare(...args)) ?? undefined);
    }
    return self;
  }
  define(Type, 'name', type);
  define(Type, 'supportedLocalesOf', (locales: unknown) =>
    callHost('supportedLocales', { type, locales: localesOf(locales) ?? [] }),
  );
  Object.defineProperty(Type.prototype, Symbol.toStringTag, { value: `Intl.${type}`, configurable: true });
  return Type;
}

class Locale {
  readonly #tag: string;

  constructor(tag: unknown, options: object = {}, method?: 'maximize' | 'minimize') {
    const { tag: canonical, parts } = callHost<{ tag: string; parts: object }>('locale', {
      tag: String(tag),
      options,
      method,
    });
    this.#tag = canonical;
    for (const [name, value] of Object.entries(parts)) define(this, name, value ?? undefined);
  }

  maximize(): Locale {
    return new Locale(this.#tag, {}, 'maximize');
  }

  minimize(): Locale {
    return new Locale(this.#tag, {}, 'minimize');
  }

  toString(): string {
    return this.#tag;
  }
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });
}

export function createIntl(): object {
  const intl = {};
  for (const [type, methods] of Object.entries(TYPES)) define(intl, type, createType(type, methods));
  define(intl, 'Locale', Locale);
  define(intl, 'getCanonicalLocales', (locales?: unknown) =>
    callHost('canonicalLocales', localesOf(locales) ?? []),
  );
  define(intl, 'supportedValuesOf', (key: unknown) => callHost('supportedValues', String(key)));
  Object.defineProperty(intl, Symbol.toStringTag, { value: 'Intl', configurable: true });
  return intl;
}
