import { callHost } from '../bridge/host.js';
import { URL, URLSearchParams } from '../web/url.js';

/** Result of `url.parse`. */
class Url {
  format(): string {
    return formatUrl(this);
  }
}

/** What `url.format` reads of the options of a request, which may hold keys as well. */
const FORMATTED = 'protocol slashes auth host hostname port pathname search query hash'.split(' ');

function formatUrl(url: unknown): string {
  if (url instanceof URL) return url.toString();
  if (typeof url === 'string') return callHost('legacyFormat', url);
  return callHost(
    'legacyFormat',
    Object.fromEntries(FORMATTED.map((name) => [name, Reflect.get(url as object, name)])),
  );
}

const parseUrl = (text: string, query = false, slashes = false): Url =>
  Object.assign(new Url(), callHost<object>('legacyParse', text, query, slashes));

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
