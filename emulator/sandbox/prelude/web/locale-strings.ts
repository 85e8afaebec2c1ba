import { callHost } from '../bridge/host-bridge.js';
import { encodeForHost, normalizeLocales } from './intl.js';

type LocaleMethod =
  | 'toLocaleString'
  | 'toLocaleDateString'
  | 'toLocaleTimeString'
  | 'toLocaleUpperCase'
  | 'toLocaleLowerCase';

const METHODS: [prototype: object, methods: LocaleMethod[]][] = [
  [Date.prototype, ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']],
  [Number.prototype, ['toLocaleString']],
  [BigInt.prototype, ['toLocaleString']],
  [String.prototype, ['toLocaleUpperCase', 'toLocaleLowerCase']],
];

/** Replaces the locale-dependent methods of built-in objects. The engine supports only one locale. */
export function installLocaleStrings(): void {
  for (const [prototype, methods] of METHODS) {
    for (const method of methods) define(prototype, method, createLocaleMethod(method));
  }
  define(
    String.prototype,
    'localeCompare',
    function localeCompare(this: unknown, other: unknown, ...rest: unknown[]) {
      const [locales, options] = rest;
      const args = [String(this), String(other)];
      return callHost('intl', {
        type: 'Collator',
        locales: normalizeLocales(locales),
        options: options ?? null,
        method: 'compare',
        args,
      });
    },
  );
}

function createLocaleMethod(method: LocaleMethod): (this: unknown, ...args: unknown[]) => string {
  return function toLocale(this: unknown, locales?: unknown, options?: unknown): string {
    const value = encodeForHost(
      ((this as { valueOf(): unknown }) instanceof Date ? this : (this as object).valueOf()) as unknown,
    );
    return callHost('localeString', {
      value,
      method,
      locales: normalizeLocales(locales),
      options: options ?? null,
    });
  };
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });
}
