import { callHost } from '../bridge/host.js';
import { URL, URLSearchParams } from '../web/url.js';

/** Result of `url.parse`. */
class Url {
  format(): string {
    return formatUrl(this);
  }
}

function formatUrl(url: unknown): string {
  if (url instanceof URL) return url.toString();
  return callHost('legacyFormat', typeof url === 'string' ? url : { ...(url as object) });
}

const parseUrl = (text: string, query = false, slashes = false): Url =>
  Object.assign(new Url(), callHost<object>('legacyParse', text, query, slashes));

/** `require('url')`. */
export default {
  URL,
  URLSearchParams,
  Url,
  parse: parseUrl,
  format: formatUrl,
  resolve: (from: string, to: string): string => callHost('legacyResolve', from, to),
  domainToASCII: (domain: string): string => callHost('domainToASCII', domain),
  domainToUnicode: (domain: string): string => callHost('domainToUnicode', domain),
  fileURLToPath: (url: unknown): string => decodeURIComponent(String(Reflect.get(new URL(url), 'pathname'))),
  pathToFileURL: (path: string): URL => new URL(`file://${encodeURI(path)}`),
};
