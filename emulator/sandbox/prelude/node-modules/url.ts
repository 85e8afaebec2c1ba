import { callHost } from '../bridge/host-bridge.js';
import { URL, URLSearchParams } from '../web/url.js';

/** Result of `url.parse`. */
class Url {
  format(): string {
    return formatUrl(this);
  }
}

function formatUrl(url: unknown): string {
  if (url instanceof URL) return url.toString();
  if (typeof url === 'string') return callHost('legacyFormat', { ...parseUrl(url) });
  return callHost('legacyFormat', { ...(url as object) });
}

const parseUrl = (text: string, query = false, slashes = false): Url =>
  Object.assign(new Url(), callHost<object>('legacyParse', { text, query, slashes }));

const toFileUrl = (path: string): URL => new URL(`file://${encodeURI(path)}`);

/** `require('url')`. */
export const urlModule = {
  URL,
  URLSearchParams,
  Url,
  parse: parseUrl,
  format: formatUrl,
  resolve: (from: string, to: string): string => callHost('legacyResolve', { from, to }),
  domainToASCII: (domain: string): string => callHost('domainToASCII', domain),
  domainToUnicode: (domain: string): string => callHost('domainToUnicode', domain),
  fileURLToPath: (url: unknown): string => decodeURIComponent(String(Reflect.get(new URL(url), 'pathname'))),
  pathToFileURL: toFileUrl,
};

const NAMES = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
];

/** Creates `require('timers')`: the globals, and `promises`. */
export const createTimersModule = (): object => ({
  ...Object.fromEntries(NAMES.map((name) => [name, Reflect.get(globalThis, name) as unknown])),
  promises: {
    setTimeout: (ms?: number, value?: unknown) => new Promise((resolve) => setTimeout(resolve, ms, value)),
    setImmediate: (value?: unknown) => new Promise((resolve) => setImmediate(resolve, value)),
  },
});
