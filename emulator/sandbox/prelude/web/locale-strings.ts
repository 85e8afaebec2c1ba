import { callHost } from '../bridge/host-bridge.js';
import { encode, localesOf } from './intl.js';

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

/** The methods of the language's own objects that depend on a locale: the engine knows only its own. */
export function installLocaleStrings(): void {
  for (const [prototype, methods] of METHODS) {
    for (const method of methods) define(prototype, method, localeMethod(method));
  }
  define(
    String.prototype,
    'localeCompare',
    function localeCompare(this: unknown, other: unknown, ...rest: unknown[]) {
      const [locales, options] = rest;
      const args = [String(this), String(other)];
      return callHost('intl', {
        type: 'Collator',
        locales: localesOf(locales),
        options: options ?? null,
        method: 'compare',
        args,
      });
    },
  );
}

function localeMethod(method: LocaleMethod): (this: unknown, ...args: unknown[]) => string {
  return function toLocale(this: unknown, locales?: unknown, options?: unknown): string {
    const value = encode(
      ((this as { valueOf(): unknown }) instanceof Date ? this : (this as object).valueOf()) as unknown,
    );
    return callHost('localeString', { value, method, locales: localesOf(locales), options: options ?? null });
  };
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });
}
