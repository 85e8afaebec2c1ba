import type { Settings } from '../../config/settings.js';
import type { Target } from '../../config/target.js';

/** Characters that need no quotes in a shell. */
const PLAIN = /^[\w.:/[\]-]+$/;

/** Returns how to correct the base URL, where it was set. @param url the right one, if it is known */
export function addressFix(
  { source, name }: Pick<Target, 'source' | 'name'>,
  { baseUrl, baseUrlSource }: Pick<Settings, 'baseUrl' | 'baseUrlSource'>,
  url = 'URL',
): string {
  const shown = PLAIN.test(url) ? url : 'URL';
  if (baseUrl !== undefined && baseUrlSource === '--base-url')
    return `Correct the address: --base-url ${shown}`;
  if (baseUrl !== undefined) return `Correct the address: export ${baseUrlSource}=${shown}`;
  if (name !== undefined && source === `profile ${name}`)
    return `Correct the address: tokenctl profile remove ${name} && tokenctl profile add ${name} --base-url ${shown}`;
  return `Correct the address: set base_url to ${shown} in ${source}`;
}

/** Returns host and port of a URL, the default port included. */
export function endpointOf(url: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}

/** Returns a URL with `http` in place of `https`, or the reverse. */
export function otherScheme(url: string): string {
  return url.startsWith('https:') ? url.replace('https:', 'http:') : url.replace('http:', 'https:');
}
