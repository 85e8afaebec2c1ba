import { ask } from '../bridge/host-bridge.js';
import { URL, URLSearchParams } from '../web/url.js';

/** What `url.parse` returns. */
class Url {
  format(): string {
    return formatUrl(this);
  }
}

function formatUrl(url: unknown): string {
  if (url instanceof URL) return url.toString();
  if (typeof url === 'string') return ask('legacyFormat', { ...parseUrl(url) });
  return ask('legacyFormat', { ...(url as object) });
}

const parseUrl = (text: string, query = false, slashes = false): Url =>
  Object.assign(new Url(), ask<object>('legacyParse', { text, query, slashes }));

const toFileUrl = (path: string): URL => new URL(`file://${encodeURI(path)}`);

/** `require('url')`. */
export const urlModule = {
  URL,
  URLSearchParams,
  Url,
  parse: parseUrl,
  format: formatUrl,
  resolve: (from: string, to: string): string => ask('legacyResolve', { from, to }),
  domainToASCII: (domain: string): string => ask('domainToASCII', domain),
  domainToUnicode: (domain: string): string => ask('domainToUnicode', domain),
  fileURLToPath: (url: unknown): string => decodeURIComponent(String(Reflect.get(new URL(url), 'pathname'))),
  pathToFileURL: toFileUrl,
};
