import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { HeaderNames } from '../../../../src/contract/headers.js';

/** Headers that a reactor may not set: they describe the connection or the body, or affect the browser's trust in this origin. */
const RESERVED = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'set-cookie',
  'strict-transport-security',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const RESERVED_PREFIXES = ['access-control-', 'proxy-'];

/**
 * Selects the headers of a `CustomHttpResponseError` that may be sent.
 * @param serviceHeaders the headers of the service, which a reactor may not set
 */
export function responseHeaders(
  headers: Readonly<Record<string, string>>,
  serviceHeaders: HeaderNames,
): Record<string, string> {
  const reserved = new Set(Object.values(serviceHeaders).map((name) => name.toLowerCase()));
  const allowed = Object.entries(headers)
    .filter(([name, value]) => !reserved.has(name.toLowerCase()) && isAllowed(name, value))
    .map(([name, value]) => [name.toLowerCase(), value]);
  const selected: Record<string, string> = Object.fromEntries(allowed);
  // A page of a reactor must not run with the origin of the emulator and its dashboard.
  return 'content-type' in selected ? { ...selected, 'content-security-policy': 'sandbox' } : selected;
}

function isAllowed(name: string, value: string): boolean {
  const lower = name.toLowerCase();
  if (RESERVED.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix))) return false;
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
